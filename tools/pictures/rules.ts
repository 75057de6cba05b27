import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import type { Prometheus } from "./prometheus.ts";

/**
 * What Prometheus would have written of our rules. It evaluates rules by the clock on the wall only, and the history here is
 * made faster than that: so it is asked what each expression was at every step, and what it would have recorded of it is put
 * beside the rest.
 */

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [name: string, labels: Labels, time: number, value: number];
/** Unix seconds, and the seconds between two evaluations. */
export type Evaluations = { readonly from: number; readonly to: number; readonly step: number };

/**
 * `ALERTS` and `ALERTS_FOR_STATE` of the alerting rules, in the text format that promtool makes blocks from. Recordings read the nodes' own
 * series, which the history lacks.
 */
export async function alertSeries(prometheus: Prometheus, when: Evaluations): Promise<string> {
  const samples: Sample[] = [];
  for (const { name, expr, severity, for: patience } of ALERTS)
    for (const { labels, values } of await prometheus.range(expr, when)) {
      const named = { ...labels, alertname: name, severity };
      samples.push(...states(values, when.step, secondsOf(patience), named));
    }
  return textOf(samples);
}

/** A condition must hold at each evaluation; where it does not, its time begins anew. */
function states(
  values: ReadonlyArray<readonly [time: number, value: number]>,
  step: number,
  patience: number,
  labels: Labels,
): readonly Sample[] {
  let since = 0;
  let last = -Infinity;
  return values.flatMap(([time]): readonly Sample[] => {
    if (time - last > step) since = time;
    last = time;
    const alertstate = time - since >= patience ? "firing" : "pending";
    return [
      ["ALERTS", { ...labels, alertstate }, time, 1],
      ["ALERTS_FOR_STATE", labels, time, since],
    ];
  });
}

function secondsOf(duration: string): number {
  const [, count = "0", unit = "s"] = /^(\d+)([smh])$/.exec(duration) ?? [];
  return Number(count) * { s: 1, m: 60, h: 3600 }[unit as "s" | "m" | "h"];
}

function textOf(samples: readonly Sample[]): string {
  const lines = samples.map(([name, labels, time, value]) => {
    const inside = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
    return { series: `${name}{${inside.join(",")}}`, time, value };
  });
  // A series at a time, its samples one after the other.
  lines.sort((a, b) => (a.series < b.series ? -1 : a.series > b.series ? 1 : a.time - b.time));
  return [...lines.map(({ series, time, value }) => `${series} ${value} ${time}`), "# EOF", ""].join("\n");
}

/** Puts series beside those of a Prometheus that does not run. */
export async function addSeries(folder: string, text: string): Promise<void> {
  const file = join(folder, "series.txt");
  await writeFile(file, text);
  const child = spawn("promtool", ["tsdb", "create-blocks-from", "openmetrics", file, join(folder, "data")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise((resolve) => child.on("exit", resolve));
  if (code !== 0) throw new Error(`promtool ended with ${String(code)}: ${errors.slice(-500)}`);
}
