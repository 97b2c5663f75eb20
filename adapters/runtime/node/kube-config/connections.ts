import { Agent } from "node:http";
import { isIP, type Socket, connect as tcpConnect } from "node:net";
import type { Duplex } from "node:stream";
import { createSecureContext, type SecureContext, connect as tlsConnect } from "node:tls";
import type { Credentials } from "./credentials.ts";
import { openTunnel } from "./tunnel.ts";

/** Below the 60 s after which common load balancers cut an idle connection; the API server waits 90 s. */
const KEEP_ALIVE_MS = 30_000;

/** A connection counts as open once its certificates are checked. */
const CONNECT_TIMEOUT_MS = 10_000;

/** How long a connection is silent before TCP asks whether the other end is still there. */
const PROBE_AFTER_MS = 60_000;

type Opened = (error: Error | null, socket: Duplex) => void;

/**
 * The connections to one API server, kept alive between requests. They share one TLS context: one of its own for each would
 * parse the CA again every time, and keep it.
 */
export class Connections extends Agent {
  readonly #host: string;
  readonly #port: number;
  readonly #tls: { context: SecureContext; servername: string; rejectUnauthorized: boolean } | undefined;
  readonly #proxy: string | undefined;
  readonly #sockets = new Set<Socket>();
  #session: Buffer | undefined;
  #retired = false;
  #destroyed = false;

  constructor({ server, tls, proxy }: Pick<Credentials, "server" | "tls" | "proxy">) {
    super({ keepAlive: true, keepAliveMsecs: PROBE_AFTER_MS, timeout: KEEP_ALIVE_MS });
    const { protocol, hostname, port } = new URL(server);
    const isSecure = protocol === "https:";
    this.#host = hostname.replace(/^\[|\]$/g, "");
    this.#port = Number(port || (isSecure ? 443 : 80));
    this.#proxy = proxy;
    const { servername = isIP(this.#host) ? "" : this.#host, rejectUnauthorized = true, ...context } = tls;
    this.#tls = isSecure ? { context: createSecureContext(context), servername, rejectUnauthorized } : undefined;
  }

  /** Closes what is idle now, and all else when its request is over. */
  retire(): void {
    this.#retired = true;
    for (const idle of Object.values(this.freeSockets)) for (const socket of idle ?? []) socket.destroy();
  }

  /** Whether a retired one has nothing open any more. */
  get isDone(): boolean {
    return this.#retired && this.#sockets.size === 0;
  }

  override destroy(): void {
    this.#destroyed = true;
    this.retire();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** All lead to the same place. Node would compare the PEM texts at each request. */
  override getName(): string {
    return "";
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const keeps: unknown = super.keepSocketAlive(socket);
    return keeps !== false && !this.#retired;
  }

  override createConnection(_: object, opened: Opened = () => {}): Socket | undefined {
    if (this.#proxy === undefined) return this.#keep(this.#tls ? this.#secure() : this.#plain());
    const at = `${isIP(this.#host) === 6 ? `[${this.#host}]` : this.#host}:${this.#port}`;
    openTunnel(this.#proxy, at, CONNECT_TIMEOUT_MS).then(
      (socket) => opened(null, this.#keep(this.#tls ? this.#secure(socket) : socket)),
      (error: Error) => opened(error, undefined as never),
    );
    return undefined;
  }

  #plain(): Socket {
    const socket = tcpConnect({ host: this.#host, port: this.#port });
    return withinLimit(socket, "connect");
  }

  #secure(socket?: Socket): Socket {
    const { context: secureContext, ...options } = this.#tls!;
    const where = socket ? { socket } : { port: this.#port };
    const session = this.#session && { session: this.#session };
    const secure = tlsConnect({ ...options, ...where, ...session, host: this.#host, secureContext });
    secure.on("session", (session) => {
      this.#session = session;
    });
    secure.once("error", () => {
      this.#session = undefined;
    });
    return withinLimit(secure, "secureConnect");
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    if (this.#destroyed) socket.destroy();
    return socket
      .once("close", () => this.#sockets.delete(socket))
      .setNoDelay(true)
      .setKeepAlive(true, PROBE_AFTER_MS);
  }
}

function withinLimit(socket: Socket, opened: "connect" | "secureConnect"): Socket {
  const late = () => socket.destroy(new Error(`no connection within ${CONNECT_TIMEOUT_MS} ms`));
  const timer = setTimeout(late, CONNECT_TIMEOUT_MS);
  const cancel = () => clearTimeout(timer);
  return socket.once(opened, cancel).once("close", cancel);
}
