import { describe, expect, test } from "vitest";
import { proxyOf } from "../../../adapters/runtime/node/kube-config/index.ts";

const PROXY = "http://proxy.test:3128";

describe("the proxy of a URL, as Go's net/http/httpproxy reads the environment", () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ["https://k.test", {}, undefined],
    ["https://k.test", { HTTPS_PROXY: PROXY }, PROXY],
    ["https://k.test", { https_proxy: PROXY }, PROXY],
    ["https://k.test", { HTTPS_PROXY: PROXY, https_proxy: "http://lower.test" }, PROXY],
    ["https://k.test", { HTTPS_PROXY: "", https_proxy: PROXY }, PROXY],
    ["https://k.test", { HTTP_PROXY: PROXY }, undefined],
    ["http://k.test", { HTTP_PROXY: PROXY }, PROXY],
    ["http://k.test", { HTTPS_PROXY: PROXY }, undefined],
    ["https://k.test", { ALL_PROXY: PROXY }, undefined],
    ["https://k.test", { HTTPS_PROXY: "proxy.test:3128" }, PROXY],
    ["https://k.test", { HTTPS_PROXY: "https://proxy.test" }, "https://proxy.test"],
  ])("%s with %j: %s", (url, env, expected) => {
    expect(proxyOf(url, env)).toBe(expected);
  });

  test.each<[string, string, boolean]>([
    ["", "https://k.test", false],
    ["*", "https://k.test", true],
    ["other.test,*", "https://10.0.0.1", true],
    ["k.test", "https://k.test", true],
    [" K.Test , other.test", "https://k.test", true],
    ["k.test", "https://sub.k.test", true],
    ["k.test", "https://notk.test", false],
    [".k.test", "https://sub.k.test", true],
    [".k.test", "https://k.test", false],
    ["*.k.test", "https://sub.k.test", true],
    ["*.k.test", "https://k.test", false],
    ["k.test:6443", "https://k.test:6443", true],
    ["k.test:6443", "https://k.test", false],
    ["k.test:443", "https://k.test", true],
    ["10.0.0.1", "https://10.0.0.1:6443", true],
    ["10.0.0.1:6443", "https://10.0.0.1:6443", true],
    ["10.0.0.1:6443", "https://10.0.0.1", false],
    ["10.0.0.1", "https://10.0.0.11", false],
    ["10.0.0.0/8", "https://10.200.3.4", true],
    ["10.0.0.0/8", "https://11.0.0.1", false],
    ["10.0.0.0/33", "https://10.0.0.1", false],
    ["10.0.0.0/8", "https://ten.test", false],
    ["fd00::/8", "https://[fd00::1]", true],
    ["fd00::1", "https://[fd00:0:0::1]:6443", true],
    ["[fd00::1]:6443", "https://[fd00::1]:6443", true],
    ["[fd00::1]:6443", "https://[fd00::1]", false],
    [":443", "https://k.test", false],
    ["other.test", "https://localhost:6443", true],
    ["other.test", "https://127.0.0.2:6443", true],
    ["other.test", "https://[::1]:6443", true],
  ])("NO_PROXY %j lets %s pass by: %s", (NO_PROXY, url, isDirect) => {
    expect(proxyOf(url, { HTTPS_PROXY: PROXY, NO_PROXY })).toBe(isDirect ? undefined : PROXY);
    expect(proxyOf(url, { HTTPS_PROXY: PROXY, no_proxy: NO_PROXY })).toBe(isDirect ? undefined : PROXY);
  });

  test("X4 a variable that names none is an error that does not quote it", () => {
    const wrong = () => proxyOf("https://k.test", { HTTPS_PROXY: "socks4://me:s3cret@proxy.test" });
    expect(wrong).toThrow("HTTPS_PROXY must be the http or https URL of a proxy");
    expect(wrong).not.toThrow("s3cret");
  });
});
