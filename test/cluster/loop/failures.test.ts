import { sharedCluster } from "../support/cluster.ts";
import { backsOff } from "./failures.case.ts";
import { deployOnNode } from "./node.ts";

const { api, kubeconfig } = sharedCluster();

backsOff(api, () => deployOnNode({ kubeconfig, relay: "embedded" }));
