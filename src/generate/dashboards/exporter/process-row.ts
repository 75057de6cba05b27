import { BytesIEC, PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { MISSED_OFTEN_RATIO } from "../../../self/polling-alerts.ts";
import { polling } from "../../../self/polling.ts";
import { countOf, where } from "../../../catalogue/selector.ts";
import { EXPORTER_FAMILIES } from "../../../self/exporter-families.ts";
import { redAbove } from "../parts/thresholds.ts";
import { lines, stat } from "../parts/panels.ts";
import { PROCESS_FAMILIES } from "../parts/process-families.ts";
import { NODE } from "../parts/selectors.ts";

const { build, start, series, defects, duplicates, scrapeDuration, scrapeSize, reloadOk, reloadAt } = EXPORTER_FAMILIES;
const { memory, cpu, loopDelay } = PROCESS_FAMILIES;
const { metrics: poll } = polling;

export const processRow = {
  id: 100,
  title: "Process",
  panels: [
    stat(
      { id: 101, title: "Version", about: "Version of each running exporter.", width: 3, unit: Short },
      [[`max by (version) (${build.name})`, "{{version}}"]],
      "name",
    ),
    stat(
      {
        id: 102,
        title: "Configuration",
        about: "Whether the last load of the configuration succeeded. If not, the previous configuration stays in use.",
        width: 3,
        unit: Short,
        mappings: { 0: ["invalid", "red"], 1: ["loaded", "green"] },
        alerts: ["AvaxExporterReloadFailed"],
      },
      [[`min(${reloadOk.name})`, "configuration"]],
    ),
    stat(
      {
        id: 103,
        title: "Configuration age",
        about: "Time since the configuration was last loaded successfully.",
        width: 3,
        unit: Seconds,
        decimals: 1,
        alerts: ["AvaxExporterReloadFailed"],
      },
      [[`time() - min(${reloadAt.name})`, "ago"]],
    ),
    stat(
      {
        id: 104,
        title: "Series",
        about: "Exported series about nodes and networks on /metrics.",
        width: 3,
        unit: "locale",
      },
      [[`sum(${series.name})`, "series"]],
    ),
    stat(
      {
        id: 105,
        title: "Failing endpoints",
        about: "Endpoints of the chosen nodes whose last poll failed, without nodes that are down.",
        width: 3,
        unit: Short,
        thresholds: redAbove(1),
        alerts: ["AvaxEndpointFailing"],
      },
      [
        [
          `sum((${where(poll.endpointUp, NODE)} == bool 0) * on (instance, job, node) group_left () ${where(poll.up, NODE)})`,
          "endpoints",
        ],
      ],
    ),
    stat(
      {
        id: 106,
        title: "Missed polls",
        about:
          "Share of polls in the selected time range that were skipped because the previous poll was still running.",
        width: 3,
        unit: PercentUnit,
        decimals: 2,
        thresholds: redAbove(MISSED_OFTEN_RATIO),
        alerts: ["AvaxNodePollsMissed"],
      },
      [
        [
          `sum(increase(${where(poll.missed, NODE)}[$__range])) / sum(increase(${where(countOf(poll.duration), NODE)}[$__range]))`,
          "missed",
        ],
      ],
    ),
    stat(
      {
        id: 107,
        title: "Defects",
        about:
          "Answers that failed to be processed and duplicate samples, in the selected time range. Both are defects of the exporter.",
        width: 3,
        unit: Short,
        decimals: 0,
        thresholds: redAbove(1),
        alerts: ["AvaxExporterDefect"],
      },
      [
        [
          `(sum(increase(${defects.name}[$__range])) or vector(0)) + (sum(increase(${duplicates.name}[$__range])) or vector(0))`,
          "defects",
        ],
      ],
    ),
    stat(
      { id: 108, title: "Memory", about: "Resident memory of the process.", width: 3, unit: BytesIEC, decimals: 0 },
      [[`sum(${memory})`, "resident"]],
    ),
    lines(
      {
        id: 109,
        title: "CPU",
        about: "Share of one core used by the process, by instance.",
        width: 8,
        unit: PercentUnit,
        softMax: 0.05,
      },
      [[`rate(${cpu}[$__rate_interval])`, "{{instance}}"]],
    ),
    lines(
      {
        id: 110,
        title: "Event loop delay (p99)",
        about: "Delay of due work in the process: 99 % of all delays are shorter.",
        width: 8,
        unit: Seconds,
        softMax: 0.05,
      },
      [[`${loopDelay}`, "{{instance}}"]],
    ),
    lines(
      {
        id: 111,
        title: "Scrape size",
        about: "Size of the last response to Prometheus as sent, by format.",
        width: 8,
        unit: BytesIEC,
      },
      [[scrapeSize.name, "{{instance}} {{format}}"]],
    ),
    lines(
      {
        id: 112,
        title: "Scrape duration (p50, p99)",
        about: "Time to render a response: 50 % and 99 % of the scrapes took at most this long.",
        width: 8,
        unit: Seconds,
        softMax: 0.1,
      },
      [
        [`histogram_quantile(0.5, sum by (le) (rate(${scrapeDuration.name}_bucket[$__rate_interval]))) > 0`, "p50"],
        [`histogram_quantile(0.99, sum by (le) (rate(${scrapeDuration.name}_bucket[$__rate_interval]))) > 0`, "p99"],
      ],
    ),
    lines(
      {
        id: 113,
        title: "Series over time",
        about: "Series about nodes and networks on /metrics, by instance.",
        width: 8,
        unit: Short,
      },
      [[series.name, "{{instance}}"]],
    ),
    lines(
      {
        id: 114,
        title: "Uptime",
        about: "Time since the exporter started, by instance. A drop is a restart.",
        width: 8,
        unit: Seconds,
      },
      [[`time() - ${start.name}`, "{{instance}}"]],
    ),
  ],
};
