import { BytesIEC, PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { apiCertificate, EXPIRES_SOON } from "../../../src/topics/exporter/api-certificate.ts";
import { MISSED_OFTEN_RATIO, STALE_AFTER, polling } from "../../../src/topics/exporter/polling.ts";
import { countOf, bucketOf, where } from "../../../src/topics/define/selector.ts";
import { EXPORTER_FAMILIES } from "../../../src/topics/exporter/exporter-families.ts";
import { column, table, usual, spans } from "../parts/table.ts";
import { YES_NO, redAbove, redBelow } from "../parts/format.ts";
import { type Row, lines, stat } from "../parts/panels.ts";
import { PROCESS_FAMILIES } from "../parts/process-families.ts";
import { ofExporters, ofNode, EXPORTER, top } from "../parts/selectors.ts";

const {
  build,
  series,
  defects,
  duplicates,
  reloadOk,
  start,
  scrapeDuration,
  scrapeSize,
  shard,
  shards,
  probes,
  probeFailures,
} = EXPORTER_FAMILIES;
const { metrics: poll } = polling;

export const processRow: Row = {
  title: "Current state",
  panels: [
    stat("Version", "Which version does each exporter run?", [`max by (version) (${build.name})`, "{{version}}"], {
      names: true,
    }),
    stat(
      "Configuration",
      "Was the last configuration accepted? If not, the previous one stays in use.",
      [`min(${reloadOk.name})`, "configuration"],
      { mappings: { 0: ["invalid", "red"], 1: ["loaded", "green"] }, alerts: ["AvaxExporterReloadFailed"] },
    ),
    stat(
      "Series",
      "How many series does Prometheus store for the nodes and networks?",
      [`sum(${series.name})`, "series"],
      { unit: "locale" },
    ),
    stat(
      "Failing endpoints",
      "How many endpoints fail on nodes that are up? Endpoints of the chosen nodes whose last poll failed, without nodes that are down.",
      [`sum(${ofNode(poll.endpointUp)} == bool 0)`, "endpoints"],
      { thresholds: redAbove(1), alerts: ["AvaxEndpointFailing"] },
    ),
    stat(
      "Missed polls",
      "Does the exporter miss polls? Share of polls in the selected time range without a result: the previous poll was still running, or the exporter was too busy to read the answer.",
      [
        `sum(increase(${ofNode(poll.missed)}[$__range])) / sum(increase(${ofNode(countOf(poll.duration))}[$__range]))`,
        "missed",
      ],
      { unit: PercentUnit, decimals: 2, thresholds: redAbove(MISSED_OFTEN_RATIO), alerts: ["AvaxNodePollsMissed"] },
    ),
    stat(
      "Defects",
      "Does the exporter have a defect? Answers that failed to be processed and duplicate samples, in the selected time range.",
      [
        `(sum(increase(${defects.name}[$__range])) or vector(0)) + (sum(increase(${duplicates.name}[$__range])) or vector(0))`,
        "defects",
      ],
      { decimals: 0, thresholds: redAbove(1), alerts: ["AvaxExporterDefect"] },
    ),
    stat(
      "Memory",
      "How much memory do the exporters need? Resident memory of the chosen exporters together.",
      [`sum(${ofExporters(PROCESS_FAMILIES.memory)})`, "resident"],
      { unit: BytesIEC, decimals: 0 },
    ),
    table(
      "Nodes",
      "Which nodes does the exporter not reach, or reach in part? Failing endpoints of each node that answers, how long its stalest answer is overdue, failed polls in the selected time range, and time left of its API certificate. Nodes that do not answer and most failing endpoints first.",
      {
        width: 16,
        height: 15,
        alerts: ["AvaxNodeDown", "AvaxEndpointFailing", "AvaxDataStale", "AvaxNodeApiCertificateExpiring"],
        labels: usual("node"),
        sortedBy: "-Failing",
        columns: [
          column("Reachable", ofNode(poll.up), { mappings: YES_NO, width: 100 }),
          column("Failing", `sum by (node) (${ofNode(poll.endpointUp)} == bool 0)`, {
            thresholds: redAbove(1),
            width: 85,
          }),
          spans("Overdue", ofNode(poll.overdue), { thresholds: redAbove(STALE_AFTER), width: 115 }),
          column("Failed polls", `sum by (node) (increase(${ofNode(poll.failed)}[$__range])) > 0`, {
            decimals: 0,
            width: 110,
          }),
          column("Invalid rows", `sum by (node) (increase(${ofNode(poll.invalidRows)}[$__range])) > 0`, {
            decimals: 0,
            width: 110,
          }),
          spans("Certificate left", `${ofNode(apiCertificate.metrics.expiry)} - time()`, {
            thresholds: redBelow(EXPIRES_SOON),
            width: 130,
          }),
        ],
      },
    ),
    lines(
      "Failures per minute",
      "When did polls fail, and for which reason? Failed polls of the chosen nodes per minute, by reason.",
      [`60 * sum by (reason) (rate(${ofNode(poll.failures)}[$__rate_interval])) > 0`, "{{reason}}"],
      { height: 15, noValue: "no failures", alerts: ["AvaxEndpointFailing", "AvaxNodeDown"], stacked: true },
    ),
  ],
};

/** One line an exporter, of those with the highest values: there can be a shard for every few hundred nodes. */
const perExporter = (expr: string): string => top(`max by (instance) (${expr})`, { of: "highest", by: "instance" });

export const costRow: Row = {
  title: "Cost of the process",
  collapsed: true,
  legend: "{{instance}}",
  panels: [
    lines(
      "CPU",
      "How much of a core does each exporter use?",
      perExporter(
        `rate(${where({ name: PROCESS_FAMILIES.cpu, labels: [] }, EXPORTER)}[$__rate_interval]) and on (job, instance) ${build.name}`,
      ),
      { unit: PercentUnit, softMax: 0.05 },
    ),
    lines(
      "Event loop delay (p99)",
      "How late does an exporter do its work? Delay of due work in the process: 99 % of all delays are shorter.",
      perExporter(ofExporters(PROCESS_FAMILIES.loopDelay)),
      { unit: Seconds, softMax: 0.05 },
    ),
    lines(
      "Scrape size",
      "How large is a scrape? Size of the last response to Prometheus as sent, by format.",
      [
        top(`max by (instance, format) (${scrapeSize.name})`, { of: "highest", by: "instance, format" }),
        "{{instance}} {{format}}",
      ],
      { unit: BytesIEC },
    ),
    lines(
      "Scrape duration (p50, p99)",
      "How long does a scrape take? Time to render a response: 50 % and 99 % of the scrapes took at most this long.",
      [
        [`histogram_quantile(0.5, sum by (le) (rate(${bucketOf(scrapeDuration).name}[$__rate_interval]))) > 0`, "p50"],
        [`histogram_quantile(0.99, sum by (le) (rate(${bucketOf(scrapeDuration).name}[$__rate_interval]))) > 0`, "p99"],
      ],
      { width: 6, unit: Seconds, softMax: 0.1 },
    ),
    lines(
      "Series over time",
      "When did the number of series change? Series about nodes and networks on /metrics, by instance.",
      perExporter(series.name),
      { width: 6 },
    ),
    lines(
      "Uptime",
      "When did an exporter restart? Time since the exporter started, by instance. A drop is a restart.",
      perExporter(`time() - ${start.name}`),
      { width: 6, unit: Seconds, in: "h" },
    ),
  ],
};

export const fleetRow: Row = {
  title: "Shards and probes",
  collapsed: true,
  panels: [
    stat(
      "Shards",
      "Is each shard scraped? Configured number of exporter processes that share the nodes, and the number that Prometheus scrapes. A single process is one shard.",
      [
        [`max by (job) (${shards.name})`, "configured"],
        [`count by (job) (count by (job, index) (${shard.name}))`, "scraped"],
      ],
      { height: 8, alerts: ["AvaxExporterShardMissing"] },
    ),
    lines(
      "Probes per minute",
      "Which probes does Prometheus send, and how many are incomplete? Probes requested on /probe, by module, and incomplete ones, in which a node did not answer every request.",
      [
        [`60 * sum by (module) (rate(${probes.name}[$__rate_interval])) > 0`, "{{module}}"],
        [`60 * sum by (module) (rate(${probeFailures.name}[$__rate_interval])) > 0`, "{{module}} incomplete"],
      ],
      { noValue: "no probes", softMax: 1 },
    ),
  ],
};
