/** Parts of the texts of alerts. They are templates of Prometheus, which `src/diagnosis/expand-template.ts` expands too. */

/** The name of the subnet of an alert; its ID where the configuration has none. */
export const SUBNET_NAME = "{{ or $labels.subnet_name $labels.subnet }}";

/** What the node's log says where the C-Chain has a block that the node cannot execute. */
export const EXECUTOR_STOPS =
  "A log that ends with `saexec.Executor unhealthy due to block` and `shutting down chain`: the node cannot execute that block, and ends there after each start. All nodes: wait for a release. Only this one: resync.";

/** What the check of a chain says where its plugin was built for another release. */
export const OLD_PLUGIN =
  "`protocol version mismatch`: install the plugin of the node's release, protocol 46 before 1.15.2 and 47 since.";
