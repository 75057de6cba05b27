import { sharedRecording } from "../define/recording.ts";
import { polling } from "../exporter/polling.ts";

/** What the exporter learned and lost with a restart is taken from the samples of this time. */
export const REMEMBERED = "1d";

/** For whoever is paged about a node that then dies: what was true of it is unknown, not over. */
export const stillPaged = sharedRecording({
  name: "node:avax_node_up:paged",
  about: "Pages about nodes that have stopped answering since they were sent, by the name of the alert.",
  expr: `max without (alertstate, severity) (ALERTS{alertstate="firing",severity="critical"}) and on (job, instance, node) ${polling.metrics.up} == 0`,
  labels: ["node", "network", "alertname"],
});
