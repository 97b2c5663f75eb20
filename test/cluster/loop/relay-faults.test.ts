import { deployOnNode } from "./node.ts";
import { outlivesFaults } from "./relay-faults.case.ts";

outlivesFaults(({ kubeconfig }) => deployOnNode({ kubeconfig, relay: "apart" }));
