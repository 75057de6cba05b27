import { BytesIEC, PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { bucketOf, where } from "../../../src/topics/define/selector.ts";
import { EXPORTER_FAMILIES } from "../../../src/topics/exporter/exporter-families.ts";
import { type Row, lines, stat } from "../parts/panels.ts";
import { PROCESS_FAMILIES } from "../parts/native-families.ts";
import { EXPORTER, ofExporters, top } from "../parts/selectors.ts";

const { build, start, series, scrapeDuration, scrapeSize, reloadAt } = EXPORTER_FAMILIES;

/** One line an exporter, of those with the highest values: there can be a shard for every few hundred nodes. */
const each = (expr: string): string => top(`max by (instance) (${expr})`, { of: "highest", by: "instance" });

export const costRow: Row = {
  title: "Cost of the process",
  collapsed: true,
  legend: "{{instance}}",
  panels: [
    lines(
      "CPU",
      "Share of one core used by the process, by instance.",
      each(
        `rate(${where({ name: PROCESS_FAMILIES.cpu, labels: [] }, EXPORTER)}[$__rate_interval]) and on (job, instance) ${build.name}`,
      ),
      { unit: PercentUnit, softMax: 0.05 },
    ),
    lines(
      "Event loop delay (p99)",
      "Delay of due work in the process: 99 % of all delays are shorter.",
      each(ofExporters(PROCESS_FAMILIES.loopDelay)),
      { unit: Seconds, softMax: 0.05 },
    ),
    lines(
      "Scrape size",
      "Size of the last response to Prometheus as sent, by format.",
      [
        top(`max by (instance, format) (${scrapeSize.name})`, { of: "highest", by: "instance, format" }),
        "{{instance}} {{format}}",
      ],
      { unit: BytesIEC },
    ),
    lines(
      "Scrape duration (p50, p99)",
      "Time to render a response: 50 % and 99 % of the scrapes took at most this long.",
      [
        [`histogram_quantile(0.5, sum by (le) (rate(${bucketOf(scrapeDuration).name}[$__rate_interval]))) > 0`, "p50"],
        [`histogram_quantile(0.99, sum by (le) (rate(${bucketOf(scrapeDuration).name}[$__rate_interval]))) > 0`, "p99"],
      ],
      { width: 6, unit: Seconds, softMax: 0.1 },
    ),
    lines("Series over time", "Series about nodes and networks on /metrics, by instance.", each(series.name), {
      width: 6,
    }),
    lines(
      "Uptime",
      "Time since the exporter started, by instance. A drop is a restart.",
      each(`time() - ${start.name}`),
      { width: 6, unit: Seconds, in: "h" },
    ),
    stat(
      "Configuration age",
      "Time since the configuration was last loaded successfully.",
      [`time() - min(${reloadAt.name})`, "ago"],
      { height: 8, unit: Seconds, decimals: 1, alerts: ["AvaxExporterReloadFailed"] },
    ),
  ],
};
