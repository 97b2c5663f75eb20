import { takesTheCommand } from "../loop/relay-command.case.ts";
import { sharedCluster } from "../support/cluster.ts";
import { deployOnWorkers } from "./deployment.ts";

const cluster = sharedCluster();

takesTheCommand(cluster, () => deployOnWorkers(cluster.api));
