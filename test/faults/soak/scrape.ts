/** A scrape, read without its labels being taken apart: a soak reads tens of millions of samples. */
export type Scrape = {
  /** Values by series, as written. */
  readonly values: ReadonlyMap<string, number>;
  /** Families that only grow. */
  readonly counters: ReadonlySet<string>;
};

/** @throws Error for a line that is no sample */
export function readScrape(text: string): Scrape {
  const values = new Map<string, number>();
  const counters = new Set<string>();
  for (const line of text.split("\n")) {
    if (line === "") continue;
    if (line.startsWith("#")) {
      const [, kind, family = "", type] = line.split(" ", 4);
      if (kind === "TYPE" && type === "counter") counters.add(family);
      if (kind === "TYPE" && (type === "histogram" || type === "summary"))
        for (const suffix of ["_count", "_sum", ...(type === "histogram" ? ["_bucket"] : [])])
          counters.add(family + suffix);
      continue;
    }
    const space = line.lastIndexOf(" ");
    const value = Number(line.slice(space + 1).replace("Inf", "Infinity"));
    if (space < 1 || (Number.isNaN(value) && !line.endsWith("NaN"))) throw new Error(`no sample: ${line}`);
    values.set(line.slice(0, space), value);
  }
  return { values, counters };
}

/** Name of the family of a series. */
export function familyOf(series: string): string {
  const brace = series.indexOf("{");
  return brace < 0 ? series : series.slice(0, brace);
}

/** The value of a label that has no characters to escape. */
export function labelOf(series: string, label: string): string | undefined {
  return new RegExp(`[{,]${label}="([^"\\\\]*)"`).exec(series)?.[1];
}

/** Sum of a family over all series. */
export function sumOf({ values }: Scrape, family: string): number {
  let sum = 0;
  for (const [series, value] of values) if (familyOf(series) === family) sum += value;
  return sum;
}

/** Sums of a family by the label `node`. */
export function byNode({ values }: Scrape, family: string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [series, value] of values) {
    if (!series.startsWith(`${family}{`)) continue;
    const node = labelOf(series, "node") ?? "";
    sums.set(node, (sums.get(node) ?? 0) + value);
  }
  return sums;
}

/** Counters of a family that grew since the scrape before, of one node. */
export function grownOf(before: Scrape, now: Scrape, family: string, node: string): readonly string[] {
  return [...now.values].flatMap(([series, value]) => {
    if (familyOf(series) !== family || labelOf(series, "node") !== node) return [];
    const more = value - (before.values.get(series) ?? 0);
    return more > 0 ? [`${series.slice(family.length)} +${more}`] : [];
  });
}

/** Counters that are smaller than in the scrape before. A series that was absent between is not compared. */
export function shrunk(before: Scrape, now: Scrape): readonly string[] {
  const found: string[] = [];
  for (const [series, value] of now.values) {
    const was = before.values.get(series);
    if (was === undefined || value >= was || !now.counters.has(familyOf(series))) continue;
    found.push(`${series} from ${was} to ${value}`);
  }
  return found;
}
