import { backsOff } from "../loop/failures.case.ts";
import { sharedCluster } from "../support/cluster.ts";
import { deployWithRelay } from "./deployment.ts";

const cluster = sharedCluster();

backsOff(cluster.api, () => deployWithRelay(cluster));
