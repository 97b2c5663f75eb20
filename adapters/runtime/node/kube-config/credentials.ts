/** Who we are to an API server, and how we know it. */
export type Credentials = {
  /** Scheme, host and port, and where it has one the path before `/api`; no slash at the end. */
  server: string;
  /** The value of the Authorization header. */
  authorization?: string;
  tls: TlsOptions;
};

/** PEM texts, as `node:tls` takes them. */
export type TlsOptions = {
  ca?: string;
  cert?: string;
  key?: string;
  servername?: string;
  rejectUnauthorized?: boolean;
};

/** Reads the credentials anew at each call. */
export type CredentialSource = () => Promise<Credentials>;
