import { BlockList, isIP } from "node:net";
import type { Environment } from "./credentials.ts";

/**
 * The proxy for a URL by HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in the reading of Go's `net/http/httpproxy`, so that a
 * variable means here what it means for kubectl: upper case before lower case, never for localhost, and without a scheme it
 * is an http proxy.
 * @returns undefined where the way is direct.
 * @throws Error naming the variable, which may hold a password and is not quoted.
 * @example proxyOf("https://10.0.0.1:6443", { HTTPS_PROXY: "http://proxy:3128", NO_PROXY: "10.0.0.0/8" }) // undefined
 */
export function proxyOf(url: string, env: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(url);
  const variable = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const given = either(env, variable);
  if (given === "") return undefined;
  const proxy = /^[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  if (!isProxyUrl(proxy)) throw new Error(`${variable} must be the http or https URL of a proxy`);
  const host = hostname.replace(/^\[|\]$/g, "");
  const isDirect = passesBy({ host, port: port || (protocol === "https:" ? "443" : "80") }, either(env, "NO_PROXY"));
  return isDirect ? undefined : proxy;
}

/** Whether requests can be sent through it. */
export function isProxyUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

function either(env: Environment, name: string): string {
  return env[name] || env[name.toLowerCase()] || "";
}

type Address = { host: string; port: string };

function passesBy(address: Address, noProxy: string): boolean {
  if (address.host === "localhost" || isIn(address.host, "127.0.0.0/8") || address.host === "::1") return true;
  return noProxy.split(",").some((entry) => covers(entry.trim().toLowerCase(), address));
}

/** One entry: `*`, an address, a block of them, or a name with those below it; all but a block may have a port. */
function covers(entry: string, { host, port }: Address): boolean {
  if (entry === "*") return true;
  if (/^[\d.a-f:]+\/\d+$/.test(entry)) return isIn(host, entry);
  const [, inBrackets, plain = entry, onlyPort] = /^(?:\[(.+)\]|([^:]*)):(\d+)$/.exec(entry) ?? [];
  const name = inBrackets ?? plain;
  if (name === "" || (onlyPort !== undefined && onlyPort !== port)) return false;
  if (isIP(name) !== 0) return isIP(host) !== 0 && isIn(host, `${name}/${isIP(name) === 4 ? 32 : 128}`);
  const suffix = name.replace(/^\*(?=\.)/, "");
  return suffix.startsWith(".") ? host.endsWith(suffix) : host === suffix || host.endsWith(`.${suffix}`);
}

function isIn(host: string, block: string): boolean {
  const [network = "", bits = ""] = block.split("/");
  const family = isIP(network);
  if (family === 0 || isIP(host) !== family || Number(bits) > (family === 4 ? 32 : 128)) return false;
  const name = family === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(network, Number(bits), name);
  return list.check(host, name);
}
