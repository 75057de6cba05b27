import { Short } from "@grafana/grafana-foundation-sdk/units";
import { EXPORTER_FAMILIES } from "../../../self/exporter-families.ts";
import { lines, stat } from "../parts/panels.ts";

const { shard, shards, probes, probeFailures, probesRefused, probesRunning } = EXPORTER_FAMILIES;

export const fleetRow = {
  id: 400,
  title: "Shards and probes",
  panels: [
    stat(
      {
        id: 401,
        title: "Shards",
        about:
          "How many processes share the nodes as they are told, and how many of them are scraped. One process that has all nodes is one shard.",
        width: 6,
        height: 8,
        unit: Short,
        alerts: ["AvaxExporterShardMissing"],
      },
      [
        [`max by (job) (${shards.name})`, "wanted"],
        [`count by (job) (count by (job, index) (${shard.name}))`, "scraped"],
      ],
    ),
    lines(
      {
        id: 402,
        title: "Probes a minute",
        about:
          "Looks at single nodes that were asked for on /probe, by module, and those in which a node did not answer everything.",
        width: 9,
        unit: Short,
        softMax: 1,
      },
      [
        [`60 * sum by (module) (rate(${probes.name}[$__rate_interval]))`, "{{module}}"],
        [`60 * sum by (module) (rate(${probeFailures.name}[$__rate_interval]))`, "{{module}} incomplete"],
      ],
    ),
    lines(
      {
        id: 403,
        title: "Probes refused a minute",
        about:
          "Probes that were not made: too many at once (busy), a target that the configuration does not allow (forbidden), no such module, or a request that is none; and how many are under way.",
        width: 9,
        unit: Short,
        softMax: 1,
      },
      [
        [`60 * sum by (reason) (rate(${probesRefused.name}[$__rate_interval]))`, "{{reason}}"],
        [`sum(${probesRunning.name})`, "under way"],
      ],
    ),
  ],
};
