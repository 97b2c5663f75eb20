import * as z from "zod";

const cluster = z.object({
  server: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }),
  "certificate-authority": z.string().optional(),
  "certificate-authority-data": z.string().optional(),
  "insecure-skip-tls-verify": z.boolean().optional(),
  "tls-server-name": z.string().optional(),
  "proxy-url": z.unknown().optional(),
});

const user = z.object({
  token: z.string().optional(),
  tokenFile: z.string().optional(),
  "client-certificate": z.string().optional(),
  "client-certificate-data": z.string().optional(),
  "client-key": z.string().optional(),
  "client-key-data": z.string().optional(),
  exec: z.unknown().optional(),
  "auth-provider": z.unknown().optional(),
  username: z.unknown().optional(),
  password: z.unknown().optional(),
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
export const UNSUPPORTED_OF_USER = [
  "exec",
  "auth-provider",
  "username",
  "password",
  "as",
  "as-uid",
  "as-groups",
  "as-user-extra",
] as const;
