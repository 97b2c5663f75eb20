import { sharedCluster } from "../support/cluster.ts";
import { converges } from "./converge.case.ts";
import { deployOnNode } from "./node.ts";

const { api, kubeconfig } = sharedCluster();

converges(api, () => deployOnNode({ kubeconfig, relay: "embedded" }));
