import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** An authority for one control plane, in files of `dir`. */
export type Authority = {
  /** PEM of the authority's own certificate. */
  readonly ca: string;
  readonly caPath: string;
  /** Writes `<name>.crt` and `<name>.key`. */
  issue(name: string, subject: string, alternativeNames?: string): { certificatePath: string; keyPath: string };
};

const newEcKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** @throws if there is no openssl: Node can read certificates, but not make them. */
export function createAuthority(dir: string): Authority {
  const at = (name: string) => join(dir, name);
  openssl([
    "req",
    "-x509",
    ...newEcKey,
    "-days",
    "2",
    "-keyout",
    at("ca.key"),
    "-out",
    at("ca.crt"),
    "-subj",
    "/CN=test-ca",
  ]);
  return {
    ca: readFileSync(at("ca.crt"), "utf8"),
    caPath: at("ca.crt"),
    issue(name, subject, alternativeNames = "DNS:localhost") {
      const [key, request, certificate] = [at(`${name}.key`), at(`${name}.csr`), at(`${name}.crt`)];
      writeFileSync(at(`${name}.ext`), `subjectAltName=${alternativeNames}\n`);
      openssl(["req", ...newEcKey, "-keyout", key, "-out", request, "-subj", subject]);
      const signer = ["-CA", at("ca.crt"), "-CAkey", at("ca.key"), "-CAcreateserial", "-days", "2"];
      openssl(["x509", "-req", "-in", request, ...signer, "-extfile", at(`${name}.ext`), "-out", certificate]);
      return { certificatePath: certificate, keyPath: key };
    },
  };
}

function openssl(args: readonly string[]): void {
  try {
    execFileSync("openssl", args, { stdio: ["ignore", "ignore", "pipe"] });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Error("openssl is not installed: the test control plane needs it for its certificates");
  }
}
