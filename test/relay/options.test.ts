import { describe, expect, it } from "vitest";
import { relaySettings } from "../../infra/relay/options.ts";
import { secret } from "./support/scripted-ingress.ts";

const environment = { SLUICE_CLUSTER: "env", SLUICE_INGRESS: "https://env.test", SLUICE_SECRET: secret };
const other = secret.replace("MDEy", "MTIz");

describe("the relay's settings", () => {
  it("come from the environment", () => {
    expect(relaySettings({}, environment)).toEqual({
      cluster: "env",
      ingress: new URL("https://env.test"),
      secrets: [secret],
    });
  });

  it("come from flags before the environment", () => {
    const flags = { cluster: "flag", ingress: "http://flag.test/path" };
    expect(relaySettings(flags, environment)).toEqual({
      cluster: "flag",
      ingress: new URL("http://flag.test/path"),
      secrets: [secret],
    });
  });

  it("may have several secrets at once", () => {
    expect(relaySettings({}, { ...environment, SLUICE_SECRET: `${secret}\n${other} ` }).secrets).toEqual([
      secret,
      other,
    ]);
  });

  it.each([
    ["SLUICE_CLUSTER", "", "--cluster or SLUICE_CLUSTER is needed: the cluster's name"],
    [
      "SLUICE_CLUSTER",
      "Home",
      '--cluster (SLUICE_CLUSTER) must be a DNS label: a-z, 0-9 and -, at most 63 characters, got "Home"',
    ],
    ["SLUICE_INGRESS", "", "--ingress or SLUICE_INGRESS is needed: the URL of the functions"],
    ["SLUICE_INGRESS", "home", "--ingress (SLUICE_INGRESS) must be an http or https URL without credentials"],
    [
      "SLUICE_INGRESS",
      "ftp://home.test",
      "--ingress (SLUICE_INGRESS) must be an http or https URL without credentials",
    ],
    [
      "SLUICE_INGRESS",
      "https://u:p@home.test",
      "--ingress (SLUICE_INGRESS) must be an http or https URL without credentials",
    ],
    ["SLUICE_SECRET", " ", "SLUICE_SECRET is needed: what requests to the functions are signed with"],
    ["SLUICE_SECRET", "hunter2", "SLUICE_SECRET must be whsec_ and 24 to 64 bytes in base64"],
  ])("%s as %j is refused", (name, value, message) => {
    expect(() => relaySettings({}, { ...environment, [name]: value })).toThrow(new TypeError(message));
  });
});
