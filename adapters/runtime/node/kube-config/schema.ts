import * as z from "zod";

const cluster = z.object({
  server: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }),
  "certificate-authority": z.string().optional(),
  "certificate-authority-data": z.string().optional(),
  "insecure-skip-tls-verify": z.boolean().optional(),
  "tls-server-name": z.string().optional(),
  "proxy-url": z.string().optional(),
  extensions: z.array(z.object({ name: z.string(), extension: z.unknown() })).nullish(),
});

/** The two versions of `client.authentication.k8s.io` that are served by plugins; `v1alpha1` left Kubernetes with 1.24. */
const EXEC_VERSIONS = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"] as const;

/** Read only of the user that is meant: what another one has may be of any version. */
export const execConfig = z.object({
  apiVersion: z.enum(EXEC_VERSIONS, { error: `must be ${EXEC_VERSIONS.join(" or ")}` }),
  command: z.string().min(1),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
  installHint: z.string().optional(),
  provideClusterInfo: z.boolean().optional(),
  interactiveMode: z.enum(["Never", "IfAvailable", "Always"]).optional(),
});
export type ExecConfig = z.infer<typeof execConfig>;

const user = z.object({
  token: z.string().optional(),
  tokenFile: z.string().optional(),
  "client-certificate": z.string().optional(),
  "client-certificate-data": z.string().optional(),
  "client-key": z.string().optional(),
  "client-key-data": z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  exec: z.unknown().optional(),
  "auth-provider": z.unknown().optional(),
  as: z.unknown().optional(),
  "as-uid": z.unknown().optional(),
  "as-groups": z.unknown().optional(),
  "as-user-extra": z.unknown().optional(),
});

const context = z.object({ cluster: z.string(), user: z.string().default("") });

/** The part of a kubeconfig (`v1` Config, client-go's `clientcmd/api/v1`) that is read here. */
export const kubeConfig = z.object({
  "current-context": z.string().optional(),
  clusters: z.array(z.object({ name: z.string(), cluster })).nullish(),
  contexts: z.array(z.object({ name: z.string(), context })).nullish(),
  users: z.array(z.object({ name: z.string(), user })).nullish(),
});
export type KubeConfig = z.infer<typeof kubeConfig>;
export type Cluster = z.infer<typeof cluster>;
export type User = z.infer<typeof user>;

/** What a kubeconfig may ask for and would silently miss if it were left out. */
export const UNSUPPORTED_OF_USER = ["auth-provider", "as", "as-uid", "as-groups", "as-user-extra"] as const;

/** What a plugin prints on stdout. */
export const execCredential = z.object({
  apiVersion: z.string(),
  kind: z.literal("ExecCredential"),
  status: z.object({
    token: z.string().optional(),
    clientCertificateData: z.string().optional(),
    clientKeyData: z.string().optional(),
    expirationTimestamp: z.iso.datetime({ offset: true }).nullish(),
  }),
});
export type ExecCredential = z.infer<typeof execCredential>;
