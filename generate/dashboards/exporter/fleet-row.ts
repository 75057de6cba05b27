import { EXPORTER_FAMILIES } from "../../../src/topics/exporter/exporter-families.ts";
import { type Row, lines, stat } from "../parts/panels.ts";

const { shard, shards, probes, probeFailures, probesRefused, probesRunning } = EXPORTER_FAMILIES;

export const fleetRow: Row = {
  title: "Shards and probes",
  collapsed: true,
  panels: [
    stat(
      "Shards",
      "Configured number of exporter processes that share the nodes, and the number that Prometheus scrapes. A single process is one shard.",
      [
        [`max by (job) (${shards.name})`, "configured"],
        [`count by (job) (count by (job, index) (${shard.name}))`, "scraped"],
      ],
      { height: 8, alerts: ["AvaxExporterShardMissing"] },
    ),
    lines(
      "Probes per minute",
      "Probes requested on /probe, by module, and incomplete ones, in which a node did not answer every request.",
      [
        [`60 * sum by (module) (rate(${probes.name}[$__rate_interval])) > 0`, "{{module}}"],
        [`60 * sum by (module) (rate(${probeFailures.name}[$__rate_interval])) > 0`, "{{module}} incomplete"],
      ],
      { noValue: "no probes", softMax: 1 },
    ),
    lines(
      "Refused probes per minute",
      "Refused probes: too many at once (busy), a target that the configuration does not allow (forbidden), an unknown module, or a malformed request. Also the number of running probes.",
      [
        [`60 * sum by (reason) (rate(${probesRefused.name}[$__rate_interval])) > 0`, "{{reason}}"],
        [`sum(${probesRunning.name})`, "running"],
      ],
      { softMax: 1 },
    ),
  ],
};
