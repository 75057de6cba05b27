import { labelOf, labelValue } from "./render-samples.ts";
import type { HistogramValue, Reading, Sample, SummaryValue, Value } from "./sample.ts";

type Samples = ReadonlyArray<Sample<string, Value | HistogramValue | SummaryValue>>;

/** The series of exported samples with their values, their labels in the order of their names; those of histograms and summaries are left out. */
export function readingsOf(
  name: string,
  base: Readonly<Record<string, string>>,
  exported: Samples,
): readonly Reading[] {
  const names = [...new Set([base, ...exported.map(([own]) => own)].flatMap((each) => Object.keys(each)))].sort();
  return exported.flatMap(([own, value]): readonly Reading[] => {
    if (typeof value === "object") return [];
    const labels: Record<string, string> = {};
    for (const label of names) {
      const text = labelOf(label, own, base);
      if (text !== undefined && text !== "") labels[label] = labelValue(text);
    }
    return [{ name, labels, value: Number(value) }];
  });
}
