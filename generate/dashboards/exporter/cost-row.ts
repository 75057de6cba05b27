import { BytesIEC, PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { bucketOf, where } from "../../../src/topics/define/selector.ts";
import { EXPORTER_FAMILIES } from "../../../src/topics/exporter/exporter-families.ts";
import { lines, stat } from "../parts/panels.ts";
import { PROCESS_FAMILIES } from "../parts/process-families.ts";
import { EXPORTER, ofExporters } from "../parts/selectors.ts";
import { top } from "../parts/top.ts";

const { build, start, series, scrapeDuration, scrapeSize, reloadAt } = EXPORTER_FAMILIES;

/** One line an exporter, of those with the highest values: there can be a shard for every few hundred nodes. */
const each = (expr: string): string => top(`max by (instance) (${expr})`, { of: "highest", by: "instance" });

export const costRow = {
  id: 500,
  title: "Cost of the process",
  collapsed: true,
  panels: [
    lines(
      {
        id: 109,
        title: "CPU",
        about: "Share of one core used by the process, by instance.",
        width: 8,
        unit: PercentUnit,
        softMax: 0.05,
      },
      [
        [
          each(
            `rate(${where({ name: PROCESS_FAMILIES.cpu, labels: [] }, EXPORTER)}[$__rate_interval]) and on (job, instance) ${build.name}`,
          ),
          "{{instance}}",
        ],
      ],
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
      [[each(ofExporters(PROCESS_FAMILIES.loopDelay)), "{{instance}}"]],
    ),
    lines(
      {
        id: 111,
        title: "Scrape size",
        about: "Size of the last response to Prometheus as sent, by format.",
        width: 8,
        unit: BytesIEC,
      },
      [
        [
          top(`max by (instance, format) (${scrapeSize.name})`, { of: "highest", by: "instance, format" }),
          "{{instance}} {{format}}",
        ],
      ],
    ),
    lines(
      {
        id: 112,
        title: "Scrape duration (p50, p99)",
        about: "Time to render a response: 50 % and 99 % of the scrapes took at most this long.",
        width: 6,
        unit: Seconds,
        softMax: 0.1,
      },
      [
        [`histogram_quantile(0.5, sum by (le) (rate(${bucketOf(scrapeDuration).name}[$__rate_interval]))) > 0`, "p50"],
        [`histogram_quantile(0.99, sum by (le) (rate(${bucketOf(scrapeDuration).name}[$__rate_interval]))) > 0`, "p99"],
      ],
    ),
    lines(
      {
        id: 113,
        title: "Series over time",
        about: "Series about nodes and networks on /metrics, by instance.",
        width: 6,
        unit: Short,
      },
      [[each(series.name), "{{instance}}"]],
    ),
    lines(
      {
        id: 114,
        title: "Uptime",
        about: "Time since the exporter started, by instance. A drop is a restart.",
        width: 6,
        unit: Seconds,
        in: "h",
      },
      [[each(`time() - ${start.name}`), "{{instance}}"]],
    ),
    stat(
      {
        id: 103,
        title: "Configuration age",
        about: "Time since the configuration was last loaded successfully.",
        width: 6,
        height: 8,
        unit: Seconds,
        decimals: 1,
        alerts: ["AvaxExporterReloadFailed"],
      },
      [[`time() - min(${reloadAt.name})`, "ago"]],
    ),
  ],
} as const;
