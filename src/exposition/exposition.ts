import { constants, gzipSync } from "node:zlib";
import { readingsOf } from "./readings-of.ts";
import {
  exportedValue,
  linesOf,
  renderHeader,
  renderSamples,
  type Exported,
  type ExpositionFormat,
  type Labels,
  type LabelSets,
  type Rendered,
  type Samples,
} from "./render-samples.ts";
import type { Family, Reading } from "./sample.ts";

/** Keeps the rendered lines of all families and targets, and joins and compresses them for a scrape. */

type ExtraFamily = { readonly family: Family; readonly text: string };

export type ScrapeOptions = {
  readonly format: ExpositionFormat;
  readonly gzip: boolean;
  /** Names of the families to export; all when omitted. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Families that the caller rendered for this scrape. They are appended. */
  readonly extra?: readonly ExtraFamily[];
};

/** The present lines of all families and targets. */
export type Exposition = {
  /**
   * Replaces the series of one family and target; none removes them.
   * @param base labels that all of them have
   * @returns how many label sets were repeated @throws RangeError for an unknown family
   */
  readonly set: (name: string, target: string, base: Labels, samples: Samples) => number;
  /** Number of series. */
  readonly series: () => number;
  /** The present series of one family with their values. */
  readonly readings: (name: string) => readonly Reading[];
  /** The bytes of one consistent snapshot. */
  readonly scrape: (options: ScrapeOptions) => Buffer;
};

type Block = Rendered & { readonly base: Labels };
type Held = {
  readonly family: Family;
  targets: Map<string, Block>;
  sorted: boolean;
  /** The label sets that were rendered last: most targets of a family have the same. */
  sets: LabelSets;
};

const NO_SETS: LabelSets = { labels: [], written: [] };
/** Of a target without series in a family. */
const NOTHING: Block = { base: {}, prefix: "", sets: NO_SETS, values: [], duplicates: 0, text: "", series: 0 };

/** Bytes of a part of what is compressed: that of a hundred nodes is one. */
const PART = 512 * 1024;

/** Creates an empty exposition of these families in this order. @throws Error when two have one name */
export function createExposition(families: readonly Family[]): Exposition {
  const held = new Map<string, Held>(
    families.map((family) => [family.name, { family, targets: new Map(), sorted: true, sets: NO_SETS }]),
  );
  if (held.size < families.length) throw new Error("two families have one name");
  let series = 0;

  /** The lines of a family in the order of their targets, so that the order does not depend on who answered first. */
  function textsInOrder(family: Held): readonly string[] {
    if (!family.sorted) family.targets = new Map([...family.targets].sort(([a], [b]) => (a < b ? -1 : 1)));
    family.sorted = true;
    return [...family.targets.values()].map(({ text }) => text);
  }

  /** The texts in their order: of each family its header, then that of each target. */
  function textsOf({ format, only, extra = [] }: ScrapeOptions): readonly string[] {
    const isWanted = ({ name }: Family): boolean => only === undefined || only.has(name);
    const texts: string[] = [];
    for (const each of held.values())
      if (each.targets.size > 0 && isWanted(each.family))
        texts.push(renderHeader(each.family, format), ...textsInOrder(each));
    for (const { family, text } of extra)
      if (text !== "" && isWanted(family)) texts.push(renderHeader(family, format), text);
    if (format === "openmetrics") texts.push("# EOF\n");
    return texts;
  }

  return {
    set(name, target, base, samples) {
      const family = held.get(name);
      if (family === undefined) throw new RangeError(`${name} is not a family of this exposition`);
      const before = family.targets.get(target) ?? NOTHING;
      const isSameBase = isSameLabels(before.base, base);
      const change = isSameBase ? changeOf(before, samples) : "labels";
      // Most answers repeat the last one: nine of ten lines of a fleet stay as they are.
      if (change === "none") return 0;
      // The text of the labels that all lines begin with is known of the same object.
      const kept = isSameBase ? before.base : base;
      const now = change === "values" ? revalued(name, before, samples) : renderSamples(family.family, kept, samples);
      series += now.series - before.series;
      if (now.series === 0) family.targets.delete(target);
      else {
        const sets = shared(now, before.sets, family.sets);
        family.sets = sets;
        family.targets.set(target, newBlock(kept, sets, now));
        family.sorted &&= before !== NOTHING;
      }
      return now.duplicates;
    },
    series: () => series,
    readings(name) {
      const blocks = held.get(name)?.targets.values() ?? [];
      return [...blocks].flatMap((block) => readingsOf(name, block.base, block));
    },
    scrape(options) {
      const bytes = bytesOf(textsOf(options));
      return options.gzip ? compressed(bytes) : bytes;
    },
  };
}

/**
 * Samples are not kept: as pairs with labels of their own, those of a thousand nodes are half a million objects, through which each
 * collection of the heap goes. Written out: made with a spread each block would be two.
 */
function newBlock(base: Labels, sets: LabelSets, now: Rendered): Block {
  const { prefix, values, duplicates, text, series } = now;
  return { base, prefix, sets, values, duplicates, text, series };
}

/** A block with the values of these samples: to write the labels again is half of the work. */
function revalued(name: string, { prefix, sets }: Block, samples: Samples): Rendered {
  const values: Exported[] = [];
  for (const [, value] of samples) if (value !== undefined) values.push(exportedValue(value));
  const { text, series } = linesOf(name, prefix, sets.written, values);
  return { prefix, sets, values, duplicates: 0, text, series };
}

/** Of equal label sets those that are kept already. */
function shared({ sets }: Rendered, ...kept: readonly LabelSets[]): LabelSets {
  return kept.find((each) => each === sets || areSameSets(each, sets)) ?? sets;
}

/**
 * At once: the texts of a thousand nodes take a twentieth of a second, and beside the answers that came meanwhile half a second. At the
 * fastest level: a scraper in the same network is not helped by a few per cent fewer bytes.
 */
function compressed(bytes: Buffer): Buffer {
  return gzipSync(bytes, { level: constants.Z_BEST_SPEED, chunkSize: PART });
}

/** Written one by one: joined first, the texts would be in memory twice. */
function bytesOf(texts: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
  let length = 0;
  for (const text of texts) length += bytes.write(text, length);
  return bytes;
}

/** What of these samples differs from those of a block; labels, too, where the block was given some twice. */
function changeOf({ sets: { labels }, values, duplicates }: Block, samples: Samples): "none" | "values" | "labels" {
  if (duplicates > 0) return "labels";
  let index = 0;
  let isSame = true;
  // By index: the iterators of two hundred thousand samples are a fifth of the comparison.
  for (let at = 0; at < samples.length; at++) {
    const sample = samples[at];
    const value = sample?.[1];
    if (sample === undefined || value === undefined) continue;
    const before = labels[index];
    if (before === undefined || !isSameLabels(before, sample[0])) return "labels";
    isSame &&= exportedValue(value) === values[index];
    index++;
  }
  return index < values.length ? "labels" : isSame ? "none" : "values";
}

/** As they were given and as they are written: an empty label hides one of the base and is not written, and a text can have labels of the base. */
function areSameSets(before: LabelSets, now: LabelSets): boolean {
  if (before.written.length !== now.written.length) return false;
  return before.written.every(
    (text, index) => text === now.written[index] && isSameLabels(before.labels[index] ?? {}, now.labels[index] ?? {}),
  );
}

function isSameLabels(before: Labels, now: Labels): boolean {
  if (before === now) return true;
  let count = 0;
  for (const name in now) {
    if (now[name] !== before[name]) return false;
    count++;
  }
  for (const _ in before) count--;
  return count === 0;
}
