import { Short } from "@grafana/grafana-foundation-sdk/units";
import { EXPORTER_FAMILIES } from "../../../src/topics/exporter/exporter-families.ts";
import { lines, stat } from "../parts/panels.ts";

const { shard, shards, probes, probeFailures, probesRefused, probesRunning } = EXPORTER_FAMILIES;

export const fleetRow = {
  id: 400,
  title: "Shards and probes",
  collapsed: true,
  panels: [
    stat(
      {
        id: 401,
        title: "Shards",
        about:
          "Configured number of exporter processes that share the nodes, and the number that Prometheus scrapes. A single process is one shard.",
        width: 6,
        height: 8,
        unit: Short,
        alerts: ["AvaxExporterShardMissing"],
      },
      [
        [`max by (job) (${shards.name})`, "configured"],
        [`count by (job) (count by (job, index) (${shard.name}))`, "scraped"],
      ],
    ),
    lines(
      {
        id: 402,
        title: "Probes per minute",
        about:
          "Probes requested on /probe, by module, and incomplete ones, in which a node did not answer every request.",
        width: 9,
        noValue: "no probes",
        unit: Short,
        softMax: 1,
      },
      [
        [`60 * sum by (module) (rate(${probes.name}[$__rate_interval])) > 0`, "{{module}}"],
        [`60 * sum by (module) (rate(${probeFailures.name}[$__rate_interval])) > 0`, "{{module}} incomplete"],
      ],
    ),
    lines(
      {
        id: 403,
        title: "Refused probes per minute",
        about:
          "Refused probes: too many at once (busy), a target that the configuration does not allow (forbidden), an unknown module, or a malformed request. Also the number of running probes.",
        width: 9,
        unit: Short,
        softMax: 1,
      },
      [
        [`60 * sum by (reason) (rate(${probesRefused.name}[$__rate_interval])) > 0`, "{{reason}}"],
        [`sum(${probesRunning.name})`, "running"],
      ],
    ),
  ],
} as const;
