import { BytesIEC, PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { polling } from "../../../self/polling.ts";
import { countOf, where } from "../../../catalogue/selector.ts";
import { MISSED_OFTEN_RATIO } from "../../../self/exporter-alerts.ts";
import { EXPORTER_FAMILIES } from "../../../self/exporter-families.ts";
import { redAbove } from "../parts/thresholds.ts";
import { lines, stat } from "../parts/panels.ts";
import { PROCESS_FAMILIES } from "../parts/process-families.ts";
import { NODE } from "../parts/selectors.ts";

const { build, start, series, missedPolls, readFailures, duplicates, scrapeDuration, scrapeSize, reloadOk, reloadAt } =
  EXPORTER_FAMILIES;
const { memory, cpu, loopDelay } = PROCESS_FAMILIES;
const { metrics: poll } = polling;

export const processRow = {
  id: 100,
  title: "The exporter",
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
        about:
          "Whether the last load of the configuration succeeded. If not, the exporter goes on with the one before.",
        width: 3,
        unit: Short,
        mappings: { 0: ["refused", "red"], 1: ["loaded", "green"] },
        alerts: ["AvaxExporterReloadFailed"],
      },
      [[`min(${reloadOk.name})`, "configuration"]],
    ),
    stat(
      {
        id: 103,
        title: "Loaded",
        about: "How long ago the configuration was last loaded with success.",
        width: 3,
        unit: Seconds,
        decimals: 1,
        alerts: ["AvaxExporterReloadFailed"],
      },
      [[`time() - min(${reloadAt.name})`, "ago"]],
    ),
    stat(
      { id: 104, title: "Series", about: "Series about nodes and networks on /metrics.", width: 3, unit: "locale" },
      [[`sum(${series.name})`, "series"]],
    ),
    stat(
      {
        id: 105,
        title: "Endpoints failing",
        about: "Endpoints of the chosen nodes whose last poll failed, nodes that do not answer at all left out.",
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
        title: "Polls left out",
        about: "Share of polls of the chosen time that were left out because the one before them was still running.",
        width: 3,
        unit: PercentUnit,
        decimals: 2,
        thresholds: redAbove(MISSED_OFTEN_RATIO),
        alerts: ["AvaxExporterMissesPolls"],
      },
      [
        [
          `sum(increase(${missedPolls.name}[$__range])) / sum(increase(${where(countOf(poll.duration), NODE)}[$__range]))`,
          "left out",
        ],
      ],
    ),
    stat(
      {
        id: 107,
        title: "Defects",
        about:
          "Readings of answers that threw, and samples that were there twice, in the chosen time. Both are defects of the exporter.",
        width: 3,
        unit: Short,
        decimals: 0,
        thresholds: redAbove(1),
        alerts: ["AvaxExporterReadFails"],
      },
      [
        [
          `(sum(increase(${readFailures.name}[$__range])) or vector(0)) + (sum(increase(${duplicates.name}[$__range])) or vector(0))`,
          "defects",
        ],
      ],
    ),
    stat({ id: 108, title: "Memory", about: "Memory that the process holds.", width: 3, unit: BytesIEC, decimals: 0 }, [
      [`sum(${memory})`, "resident"],
    ]),
    lines(
      {
        id: 109,
        title: "CPU",
        about: "Share of one core that the process uses, by instance.",
        width: 8,
        unit: PercentUnit,
        softMax: 0.05,
      },
      [[`rate(${cpu}[$__rate_interval])`, "{{instance}}"]],
    ),
    lines(
      {
        id: 110,
        title: "Event loop delay",
        about: "How late the process does what is due, 99 times of 100 less than this.",
        width: 8,
        unit: Seconds,
        softMax: 0.05,
      },
      [[`${loopDelay}`, "{{instance}}"]],
    ),
    lines(
      {
        id: 111,
        title: "Size of a scrape",
        about: "Size of the last answer to Prometheus as it was sent, by format.",
        width: 8,
        unit: BytesIEC,
      },
      [[scrapeSize.name, "{{instance}} {{format}}"]],
    ),
    lines(
      {
        id: 112,
        title: "Time to answer a scrape",
        about: "How long it took to put an answer together: half of the scrapes, and 99 of 100, were faster.",
        width: 8,
        unit: Seconds,
        softMax: 0.1,
      },
      [
        [`histogram_quantile(0.5, sum by (le) (rate(${scrapeDuration.name}_bucket[$__rate_interval]))) > 0`, "half"],
        [
          `histogram_quantile(0.99, sum by (le) (rate(${scrapeDuration.name}_bucket[$__rate_interval]))) > 0`,
          "99 of 100",
        ],
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
