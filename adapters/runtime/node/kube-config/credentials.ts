/** Who we are to an API server, and how we know it. */
export type Credentials = {
  /** Scheme, host and port, and where it has one the path before `/api`; no slash at the end. */
  server: string;
  /** The value of the Authorization header. */
  authorization?: string;
  tls: TlsOptions;
  /** The http or https proxy on the way there; it may hold a user and a password. */
  proxy?: string;
};

/** PEM texts, as `node:tls` takes them. */
export type TlsOptions = {
  ca?: string;
  cert?: string;
  key?: string;
  servername?: string;
  rejectUnauthorized?: boolean;
};

/**
 * Reads the credentials anew at each call.
 * @param refused the API server did not take those of the last call: what was kept of them is no good.
 */
export type CredentialSource = (refused?: boolean) => Promise<Credentials>;

/** Variables of the environment. */
export type Environment = Record<string, string | undefined>;
