import { sharedCluster } from "../support/cluster.ts";
import { converges } from "./converge.case.ts";
import { deploy } from "./deployment.ts";
import { gatewayRelay } from "./gateway-relay.ts";

const { api, kubeconfig } = sharedCluster();

converges(api, () => deploy(kubeconfig, { through: (controllers) => gatewayRelay({ api, kubeconfig }, controllers) }));
