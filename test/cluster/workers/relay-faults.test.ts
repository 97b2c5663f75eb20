import { outlivesFaults } from "../loop/relay-faults.case.ts";
import { deployOnWorkers } from "./deployment.ts";

outlivesFaults(({ api }) => deployOnWorkers(api));
