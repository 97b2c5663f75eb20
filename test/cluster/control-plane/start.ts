import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { freePorts } from "../support/free-ports.ts";
import { KubeApi } from "../support/kube-api.ts";
import { guardFolder } from "../support/process-guard.ts";
import { createAuthority } from "./certificates.ts";
import { Etcd } from "./etcd.ts";
import { type ClusterAccess, writeKubeconfigs } from "./kubeconfig.ts";
import { apiServerArguments, controllerManagerArguments } from "./server-arguments.ts";
import { ServerProcess } from "./server-process.ts";

export type ControlPlaneOptions = {
  /** The folder of binaries, as `buildControlPlane` returns it. */
  bin: string;
  /** Where its files go, emptied first. By default a new folder among the temporary files. */
  dir?: string;
  /** More flags of kube-apiserver. */
  apiServerArgs?: readonly string[];
  /** More lines of the token file: `token,user,uid,"group"`. */
  extraTokens?: readonly string[];
};

/** etcd, kube-apiserver and kube-controller-manager on free ports of loopback. */
export type ControlPlane = ClusterAccess & {
  /** Logs are here while it runs. */
  readonly dir: string;
  readonly api: KubeApi;
  /** Process ids, for measurements. */
  pids(): { etcd: number; apiServer: number; controllerManager: number };
  /** Ends the API server in order. Until it is started again, connections are refused. */
  stopApiServer(): Promise<void>;
  /** Ends the API server at once: `kill -9`. */
  killApiServer(): Promise<void>;
  /** Starts it again at the same address and waits until it is ready. */
  startApiServer(): Promise<void>;
  restartApiServer(): Promise<void>;
  /**
   * Makes every resourceVersion and continue token handed out so far too old: compacts etcd and restarts the API server,
   * which holds recent events itself. Whoever resumes a watch or asks for the next page gets 410.
   */
  expireHistory(): Promise<void>;
  /** Takes a backup of etcd. */
  saveStore(): void;
  /** Puts the backup of etcd back, under an API server that is started anew: its versions are older from now on. */
  restoreStore(): Promise<void>;
  /** Ends everything and removes the files. */
  stop(): Promise<void>;
};

const readyLimitMs = 90_000;

/**
 * Starts a control plane: 3 to 4 s on a quiet machine. However the calling process ends, the servers end with it.
 *
 * @throws with the end of a server's log when one ends early, or when the API server is not ready within 90 s.
 */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), "sluice-control-plane-"));
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  guardFolder(dir);
  const [port = 0, etcdPort = 0, peerPort = 0] = await freePorts(3);

  const authority = createAuthority(dir);
  const { caPath } = authority;
  const serving = authority.issue("apiserver", "/CN=kube-apiserver", "DNS:localhost,IP:127.0.0.1,IP:10.0.0.1");
  const token = "admin-token";
  const tokensPath = join(dir, "tokens.csv");
  writeFileSync(
    tokensPath,
    `${[`${token},admin,admin,"system:masters"`, ...(options.extraTokens ?? [])].join("\n")}\n`,
  );
  const serviceAccountKeyPath = join(dir, "service-accounts.key");
  writeFileSync(serviceAccountKeyPath, newSigningKey());
  const access = writeKubeconfigs(dir, {
    server: `https://127.0.0.1:${port}`,
    ca: authority.ca,
    caPath,
    token,
    administrator: authority.issue("admin", "/O=system:masters/CN=admin"),
  });

  const api = new KubeApi(access);
  const etcd = new Etcd({ bin: options.bin, dir, port: etcdPort, peerPort });
  const newApiServer = () => {
    const args = apiServerArguments({ etcdUrl: etcd.url, port, ...serving, caPath, tokensPath, serviceAccountKeyPath });
    const binary = join(options.bin, "kube-apiserver");
    return new ServerProcess(binary, [...args, ...(options.apiServerArgs ?? [])], { name: "kube-apiserver", dir });
  };
  let apiServer = newApiServer();
  let controllerManager: ServerProcess | undefined;

  const untilReady = async () => {
    const servers = [etcd.process, apiServer];
    await eventually("the API server is ready", readyLimitMs, async () => {
      if (!servers.every((server) => server.running)) return "given up";
      await api.get("/readyz");
      return api.find("/api/v1/namespaces/default");
    });
    for (const server of servers) server.assertRunning();
  };
  const stop = async () => {
    await controllerManager?.stop();
    // An API server needs a living etcd to end in order, so etcd goes last.
    await apiServer.stop();
    await etcd.process.stop();
    await api.close();
    rmSync(dir, { recursive: true, force: true });
  };
  const startApiServer = async () => {
    apiServer = newApiServer();
    await untilReady();
  };

  try {
    await untilReady();
  } catch (error) {
    await stop();
    throw error;
  }
  controllerManager = new ServerProcess(
    join(options.bin, "kube-controller-manager"),
    controllerManagerArguments({ kubeconfig: access.kubeconfig, caPath, serviceAccountKeyPath }),
    { name: "kube-controller-manager", dir },
  );
  const { pid: controllerManagerPid } = controllerManager;

  return {
    ...access,
    dir,
    api,
    pids: () => ({ etcd: etcd.process.pid, apiServer: apiServer.pid, controllerManager: controllerManagerPid }),
    stopApiServer: () => apiServer.stop(),
    killApiServer: () => apiServer.kill(),
    startApiServer,
    async restartApiServer() {
      await apiServer.stop();
      await startApiServer();
    },
    async expireHistory() {
      await apiServer.stop();
      await etcd.compact();
      await startApiServer();
    },
    saveStore: () => etcd.save(),
    async restoreStore() {
      await apiServer.kill();
      await etcd.restore();
      await startApiServer();
    },
    stop,
  };
}

function newSigningKey(): string {
  return generateKeyPairSync("rsa", { modulusLength: 2048 })
    .privateKey.export({ type: "pkcs1", format: "pem" })
    .toString();
}
