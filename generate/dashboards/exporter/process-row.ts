import { BytesIEC, PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { apiCertificate, EXPIRES_SOON } from "../../../src/topics/exporter/api-certificate.ts";
import { MISSED_OFTEN_RATIO, STALE_AFTER } from "../../../src/topics/exporter/polling-alerts.ts";
import { polling } from "../../../src/topics/exporter/polling.ts";
import { countOf } from "../../../src/topics/define/selector.ts";
import { EXPORTER_FAMILIES } from "../../../src/topics/exporter/exporter-families.ts";
import { column, table, usual } from "../parts/table.ts";
import { YES_NO, redAbove, redBelow } from "../parts/format.ts";
import { type Row, lines, stat } from "../parts/panels.ts";
import { PROCESS_FAMILIES } from "../parts/native-families.ts";
import { NODE, ofExporters, select } from "../parts/selectors.ts";

const of = select(NODE);
const { build, series, defects, duplicates, reloadOk } = EXPORTER_FAMILIES;
const { metrics: poll } = polling;

/** Nodes that the chosen exporters poll. */

export const processRow: Row = {
  title: "Current state",
  panels: [
    stat("Version", "Version of each running exporter.", [`max by (version) (${build.name})`, "{{version}}"], {
      names: true,
    }),
    stat(
      "Configuration",
      "Whether the last load of the configuration succeeded. If not, the previous configuration stays in use.",
      [`min(${reloadOk.name})`, "configuration"],
      { mappings: { 0: ["invalid", "red"], 1: ["loaded", "green"] }, alerts: ["AvaxExporterReloadFailed"] },
    ),
    stat("Series", "Exported series about nodes and networks on /metrics.", [`sum(${series.name})`, "series"], {
      unit: "locale",
    }),
    stat(
      "Failing endpoints",
      "Endpoints of the chosen nodes whose last poll failed, without nodes that are down.",
      [`sum((${of(poll.endpointUp)} == bool 0) * on (instance, job, node) group_left () ${of(poll.up)})`, "endpoints"],
      { thresholds: redAbove(1), alerts: ["AvaxEndpointFailing"] },
    ),
    stat(
      "Missed polls",
      "Share of polls in the selected time range without a result: the previous poll was still running, or the exporter was too busy to read the answer.",
      [
        `sum(increase(${of(poll.missed)}[$__range])) / sum(increase(${of(countOf(poll.duration))}[$__range]))`,
        "missed",
      ],
      { unit: PercentUnit, decimals: 2, thresholds: redAbove(MISSED_OFTEN_RATIO), alerts: ["AvaxNodePollsMissed"] },
    ),
    stat(
      "Defects",
      "Answers that failed to be processed and duplicate samples, in the selected time range. Both are defects of the exporter.",
      [
        `(sum(increase(${defects.name}[$__range])) or vector(0)) + (sum(increase(${duplicates.name}[$__range])) or vector(0))`,
        "defects",
      ],
      { decimals: 0, thresholds: redAbove(1), alerts: ["AvaxExporterDefect"] },
    ),
    stat(
      "Memory",
      "Resident memory of the chosen exporters together.",
      [`sum(${ofExporters(PROCESS_FAMILIES.memory)})`, "resident"],
      { unit: BytesIEC, decimals: 0 },
    ),
    table(
      "Nodes",
      "Failing endpoints of each node, age of its oldest data, failed polls in the selected time range, and time left of its API certificate. Nodes that do not answer and most failing endpoints first.",
      {
        width: 16,
        height: 15,
        alerts: ["AvaxNodeDown", "AvaxEndpointFailing", "AvaxDataStale", "AvaxNodeApiCertificateExpiring"],
        labels: usual("node"),
        sortedBy: "-Failing",
        columns: [
          column("Reachable", of(poll.up), { mappings: YES_NO, width: 100 }),
          column("Failing", `sum by (node) (${of(poll.endpointUp)} == bool 0)`, { thresholds: redAbove(1), width: 85 }),
          column(
            "Oldest data",
            `time() - min by (node) (${of(poll.lastSuccess)} and on (instance, job, node, api_endpoint) ${of(poll.interval)} <= 60)`,
            { unit: Seconds, decimals: 1, thresholds: redAbove(STALE_AFTER), width: 115 },
          ),
          column("Failed polls", `sum by (node) (increase(${of(poll.failures)}[$__range])) > 0`, {
            decimals: 0,
            width: 110,
          }),
          column("Certificate left", `${of(apiCertificate.metrics.expiry)} - time()`, {
            unit: Seconds,
            decimals: 0,
            thresholds: redBelow(EXPIRES_SOON),
            width: 130,
          }),
        ],
      },
    ),
    lines(
      "Failures per minute",
      "Failed polls of the chosen nodes per minute, by reason.",
      [`60 * sum by (reason) (rate(${of(poll.failures)}[$__rate_interval])) > 0`, "{{reason}}"],
      { height: 15, noValue: "no failures", alerts: ["AvaxEndpointFailing", "AvaxNodeDown"], stacked: true },
    ),
  ],
};
