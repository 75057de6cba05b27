import { labelOf, labelValue, type Labels, type Labelled } from "./render-samples.ts";
import type { Reading } from "./sample.ts";

/** The series of one family and target with their values; those of histograms and summaries are left out. */
export function readingsOf(
  name: string,
  base: Labels,
  { sets: { labels }, values }: Pick<Labelled, "sets" | "values">,
): readonly Reading[] {
  return values.flatMap((value, index) =>
    typeof value === "object" ? [] : [new SeriesReading(name, value, base, labels[index] ?? {})],
  );
}

/**
 * A series whose labels are put together when they are read: a diagnosis reads the value alone of most series, and with their labels
 * those of a thousand nodes are 17 MB.
 */
class SeriesReading implements Reading {
  readonly name: string;
  readonly value: number;
  readonly #base: Labels;
  readonly #own: Labels;
  #labels: Labels | undefined;

  constructor(name: string, value: number, base: Labels, own: Labels) {
    this.name = name;
    this.value = value;
    this.#base = base;
    this.#own = own;
  }

  get labels(): Labels {
    this.#labels ??= exportedLabels(this.#own, this.#base);
    return this.#labels;
  }
}

function exportedLabels(own: Labels, base: Labels): Labels {
  const labels: Record<string, string> = {};
  for (const name in { ...base, ...own }) {
    const text = labelOf(name, own, base);
    if (text !== undefined && text !== "") labels[name] = labelValue(text);
  }
  return labels;
}
