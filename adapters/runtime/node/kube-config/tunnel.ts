import { request as plain } from "node:http";
import { request as secure } from "node:https";
import type { Socket } from "node:net";

/**
 * Asks a proxy for a way through (CONNECT).
 * @param proxy its URL, which may hold a user and a password.
 * @param target host and port.
 * @throws Error for a proxy that is away, silent or refuses. It quotes no password.
 */
export function openTunnel(proxy: string, target: string, timeoutMs: number): Promise<Socket> {
  const { protocol, hostname, port, username, password } = new URL(proxy);
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const shown = user !== ":" && { "proxy-authorization": `Basic ${Buffer.from(user).toString("base64")}` };
  return new Promise((resolve, reject) => {
    const asked = (protocol === "https:" ? secure : plain)({
      host: hostname.replace(/^\[|\]$/g, ""),
      ...(port && { port }),
      method: "CONNECT",
      path: target,
      headers: { host: target, ...shown },
      agent: false,
    });
    const late = () => asked.destroy(new Error(`no answer of the proxy within ${timeoutMs} ms`));
    const timer = setTimeout(late, timeoutMs);
    asked.once("close", () => clearTimeout(timer)).once("error", reject);
    asked.once("connect", ({ statusCode = 0 }, socket: Socket) => {
      clearTimeout(timer);
      if (statusCode >= 200 && statusCode < 300) return resolve(socket);
      socket.destroy();
      reject(new Error(`Proxy response (${statusCode}) where a tunnel to ${target} was asked for`));
    });
    asked.end();
  });
}
