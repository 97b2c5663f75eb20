import { sharedCluster } from "../support/cluster.ts";
import { deployOnNode } from "./node.ts";
import { takesTheCommand } from "./relay-command.case.ts";

const cluster = sharedCluster();

takesTheCommand(cluster, () => deployOnNode({ kubeconfig: cluster.kubeconfig, relay: "apart" }));
