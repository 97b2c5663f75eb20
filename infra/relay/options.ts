import { isSecret, label } from "../../functions/contract/index.ts";

/** What a relay that runs apart from the functions is told. */
export type RelaySettings = {
  /** The cluster's name, as the functions know it. */
  cluster: string;
  /** Where the functions' ingress is. */
  ingress: URL;
  secrets: readonly string[];
};

/** Flags of the command line. There is none for secrets: a command line is open to everybody on the machine. */
export type RelayFlags = { cluster?: string; ingress?: string };

/**
 * Settings from flags, else from the environment: `SLUICE_CLUSTER`, `SLUICE_INGRESS`, and `SLUICE_SECRET` with one secret
 * or, while it is being replaced, several with blanks between.
 * @throws TypeError for a setting that is missing or wrong. It names the flag and the variable, and quotes no secret.
 * @example relaySettings({ cluster: "home" }, process.env)
 */
export function relaySettings(flags: RelayFlags, environment: Record<string, string | undefined>): RelaySettings {
  const cluster = flags.cluster ?? environment.SLUICE_CLUSTER ?? "";
  if (cluster === "") throw new TypeError(missing("--cluster", "SLUICE_CLUSTER", "the cluster's name"));
  if (!label.safeParse(cluster).success)
    throw new TypeError(
      wrong("--cluster", "SLUICE_CLUSTER", "a DNS label: a-z, 0-9 and -, at most 63 characters", cluster),
    );

  const ingress = flags.ingress ?? environment.SLUICE_INGRESS ?? "";
  if (ingress === "") throw new TypeError(missing("--ingress", "SLUICE_INGRESS", "the URL of the functions"));
  const url = URL.parse(ingress);
  if (!url || !["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "")
    throw new TypeError(wrong("--ingress", "SLUICE_INGRESS", "an http or https URL without credentials"));

  const secrets = (environment.SLUICE_SECRET ?? "").split(/\s+/).filter((text) => text !== "");
  if (secrets.length === 0)
    throw new TypeError("SLUICE_SECRET is needed: what requests to the functions are signed with");
  if (!secrets.every(isSecret)) throw new TypeError("SLUICE_SECRET must be whsec_ and 24 to 64 bytes in base64");

  return { cluster, ingress: url, secrets };
}

function missing(flag: string, variable: string, what: string): string {
  return `${flag} or ${variable} is needed: ${what}`;
}

function wrong(flag: string, variable: string, must: string, got?: string): string {
  return `${flag} (${variable}) must be ${must}${got === undefined ? "" : `, got "${got.slice(0, 80)}"`}`;
}
