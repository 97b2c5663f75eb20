import { converges } from "../loop/converge.case.ts";
import { sharedCluster } from "../support/cluster.ts";
import { deployWithRelay } from "./deployment.ts";

// The Worker in workerd, which reaches the API server through the relay's gateway.
const cluster = sharedCluster();

converges(cluster.api, () => deployWithRelay(cluster));
