/** Command lines of the three servers. */

/**
 * Without fsync, which no test needs: none kills etcd and counts on what it acknowledged. The quota is above the default
 * of 2 GB, past which large benchmarks stop with "database space exceeded".
 */
export const etcdArguments = (options: { dataDir: string; url: string; peerUrl: string }): string[] => [
  `--data-dir=${options.dataDir}`,
  `--listen-client-urls=${options.url}`,
  `--advertise-client-urls=${options.url}`,
  `--listen-peer-urls=${options.peerUrl}`,
  "--unsafe-no-fsync",
  "--quota-backend-bytes=8589934592",
  "--log-level=error",
];

export const apiServerArguments = (options: {
  etcdUrl: string;
  port: number;
  certificatePath: string;
  keyPath: string;
  caPath: string;
  tokensPath: string;
  serviceAccountKeyPath: string;
}): string[] => [
  `--etcd-servers=${options.etcdUrl}`,
  `--secure-port=${options.port}`,
  "--bind-address=127.0.0.1",
  "--advertise-address=127.0.0.1",
  `--tls-cert-file=${options.certificatePath}`,
  `--tls-private-key-file=${options.keyPath}`,
  `--client-ca-file=${options.caPath}`,
  `--token-auth-file=${options.tokensPath}`,
  "--authorization-mode=RBAC",
  "--service-account-issuer=https://kubernetes.default.svc",
  `--service-account-signing-key-file=${options.serviceAccountKeyPath}`,
  `--service-account-key-file=${options.serviceAccountKeyPath}`,
  "--service-cluster-ip-range=10.0.0.0/24",
  // Without it an API server that ends leaves its watches open for a minute.
  "--shutdown-watch-termination-grace-period=2s",
  "--allow-privileged=true",
];

/** Only what needs no kubelet. */
const controllers = [
  ...["garbage-collector", "namespace", "serviceaccount", "root-ca-certificate-publisher", "clusterrole-aggregation"],
  ...["deployment", "replicaset", "statefulset", "job", "cronjob"],
].map((name) => `${name}-controller`);

export const controllerManagerArguments = (options: {
  kubeconfig: string;
  caPath: string;
  serviceAccountKeyPath: string;
}): string[] => [
  `--kubeconfig=${options.kubeconfig}`,
  `--service-account-private-key-file=${options.serviceAccountKeyPath}`,
  `--root-ca-file=${options.caPath}`,
  "--use-service-account-credentials=true",
  "--leader-elect=false",
  "--secure-port=0",
  `--controllers=${controllers.join(",")}`,
];
