import { promisify } from "node:util";
import { constants, gzip as gzipWith } from "node:zlib";
import { renderHeader, reservedNames, type Format } from "./format.ts";
import type { Family } from "./sample.ts";

/** Keeps the rendered lines of all families and targets, and joins and compresses them for a scrape. */

type ExtraFamily = { readonly family: Family; readonly text: string };

export type ScrapeOptions = {
  readonly format: Format;
  readonly gzip: boolean;
  /** Names of the families to export; all when omitted. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Families that the caller rendered for this scrape. They are appended. */
  readonly extra?: readonly ExtraFamily[];
};

export type Exposition = ReturnType<typeof createExposition>;

type Block = { readonly text: string; readonly series: number };
type Held = { readonly family: Family; targets: Map<string, Block>; sorted: boolean };

const compress = promisify(gzipWith);

/**
 * Creates an empty exposition of these families in this order.
 * @throws Error when two families claim a name, in either format
 */
export function createExposition(families: readonly Family[]) {
  checkNames(families);
  const held = new Map<string, Held>(
    families.map((family) => [family.name, { family, targets: new Map(), sorted: true }]),
  );
  let series = 0;

  /** The lines of a family in the order of their targets, so that the order does not depend on who answered first. */
  function linesOf(family: Held): readonly string[] {
    if (!family.sorted) family.targets = new Map([...family.targets].sort(([a], [b]) => (a < b ? -1 : 1)));
    family.sorted = true;
    return [...family.targets.values()].map(({ text }) => text);
  }

  function join({ format, only, extra = [] }: ScrapeOptions): string {
    const isWanted = ({ name }: Family): boolean => only === undefined || only.has(name);
    const parts: string[] = [];
    for (const each of held.values())
      if (each.targets.size > 0 && isWanted(each.family))
        parts.push(renderHeader(each.family, format), ...linesOf(each));
    for (const { family, text } of extra)
      if (text !== "" && isWanted(family)) parts.push(renderHeader(family, format), text);
    if (format === "openmetrics") parts.push("# EOF\n");
    return parts.join("");
  }

  return {
    /**
     * Replaces the lines of one family and target; "" removes them.
     * @throws RangeError for an unknown family, TypeError when the text does not end with a line break
     */
    set(name: string, target: string, text: string, count: number): void {
      const family = held.get(name);
      if (family === undefined) throw new RangeError(`${name} is not a family of this exposition`);
      const before = family.targets.get(target);
      series += (text === "" ? 0 : count) - (before?.series ?? 0);
      if (text === "") {
        family.targets.delete(target);
        return;
      }
      if (!text.endsWith("\n")) throw new TypeError(`the lines of ${name} do not end in a line break`);
      if (before === undefined) family.sorted = false;
      family.targets.set(target, { text, series: count });
    },
    /** Number of series. */
    series: () => series,
    /** The present lines of one family, one text for each target. */
    lines: (name: string): readonly string[] => {
      const family = held.get(name);
      return family === undefined ? [] : linesOf(family);
    },
    /** The bytes of one consistent snapshot, taken before the call returns. */
    async scrape(options: ScrapeOptions): Promise<Buffer> {
      const whole = Buffer.from(join(options));
      // The fastest level: a scraper in the same network is not helped by a few per cent fewer bytes.
      return options.gzip ? compress(whole, { level: constants.Z_BEST_SPEED }) : whole;
    },
  };
}

function checkNames(families: readonly Family[]): void {
  const owners = new Map<string, string>();
  for (const family of families) {
    for (const name of reservedNames(family)) {
      const owner = owners.get(name);
      if (owner !== undefined) throw new Error(`the families ${owner} and ${family.name} both claim the name ${name}`);
      owners.set(name, family.name);
    }
  }
}
