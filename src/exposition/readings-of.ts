import { labelValue } from "./exposition.ts";
import type { Reading, Sample, Value } from "./sample.ts";

type Samples = ReadonlyArray<Sample<string, Value>>;

/** Series from a topic's samples, as they are exported: unknown values are left out, and of a repeated label set the first counts. */
export function readingsOf(base: Readonly<Record<string, string>>, samples: Samples): readonly Reading[] {
  const found = new Map<string, Reading>();
  for (const [own, value] of samples) {
    if (value === undefined || typeof value === "object") continue;
    const labels: Record<string, string> = {};
    let key = "";
    for (const [name, text] of Object.entries({ ...base, ...own }).sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (text === "") continue;
      labels[name] = labelValue(text);
      key += `${name}\0${labels[name]}\0`;
    }
    if (!found.has(key)) found.set(key, { labels, value: Number(value) });
  }
  return [...found.values()];
}
