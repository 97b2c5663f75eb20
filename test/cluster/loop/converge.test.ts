import { sharedCluster } from "../support/cluster.ts";
import { converges } from "./converge.case.ts";
import { deploy } from "./deployment.ts";

const { api, kubeconfig } = sharedCluster();

converges(api, () => deploy(kubeconfig));
