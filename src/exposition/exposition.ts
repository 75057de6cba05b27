import { renderHeader, reservedNames, type Format } from "./format.ts";
import type { Family } from "./sample.ts";
import {
  deflate,
  deflatePiece,
  gzipWhole,
  joinGzip,
  WINDOW,
  type Compress,
  type Deflated,
  type Effort,
} from "./gzip.ts";
import { setImmediate } from "node:timers/promises";
import { bodyOf, createPieces, holds, textOf, type Block, type Rendition } from "./pieces.ts";

/**
 * Stores the rendered lines of all families and targets, and serves them as bytes. Lines are rendered at polls. A scrape joins
 * them, and compresses only the pieces that changed since the previous scrape.
 */

type ExtraFamily = { readonly family: Family; readonly text: string };

export type ScrapeOptions = {
  readonly format: Format;
  readonly gzip: boolean;
  /** Names of the families to export; all when omitted. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Families that the caller rendered for this scrape. They are appended. */
  readonly extra?: readonly ExtraFamily[];
};

export type Scraped = { readonly chunks: readonly Buffer[]; readonly bytes: number };

export type Exposition = {
  /**
   * Replaces the lines of one family and target; "" removes them. Equal bytes change nothing.
   * @throws RangeError for an unknown family, TypeError when the text does not end with a line break
   */
  set(family: string, target: string, text: string, series: number): void;
  /** Removes all lines of a target. */
  remove(target: string): void;
  /** Number of series. */
  series(): number;
  /** Bytes of the sample lines, uncompressed and without headers. */
  bytes(): number;
  /** The current lines of one family, one text for each target. Later changes do not affect them. */
  lines(family: string): ReadonlyArray<() => string>;
  /** One consistent snapshot, taken before the call returns. Later changes do not affect it. */
  scrape(options: ScrapeOptions): Promise<Scraped>;
};

/** Bytes. Smaller pieces compress worse; larger ones cost more when a line changes. */
const LIMITS = { split: 96 * 1024, join: 24 * 1024 };

/** Pieces compressed concurrently. The rest of the thread pool serves DNS and files. */
const AT_ONCE = 2;

/** Parts above which a piece is concatenated, because each chunk costs the socket more than the copy. */
const MANY_PARTS = 8;

/** Bytes of lines, some 40,000 series: from there on a page is compressed with less effort. */
const LARGE = 4 * 1024 * 1024;

/** Bytes of lines joined in one time slice, which takes about two milliseconds. */
const SLICE = 512 * 1024;

const END = Buffer.from("# EOF\n");
const NOTHING = Buffer.alloc(0);

/**
 * Compressed forms of a piece. The dictionary of each is the end of the previous piece, so it is valid only after that piece.
 * `after` is its version, because a reference would keep its bytes in memory.
 */
type Compressed = { [F in Format]?: { readonly after: number; readonly result: Promise<Deflated> } };
/** Concatenated forms of a piece, for as long as a reply has them: slow readers share them, and one scrape at a time keeps none. */
type Plain = { [F in Format]?: WeakRef<Buffer> };
type Piece = Rendition<Derived>;
type Derived = { readonly compressed: Compressed; readonly plain: Plain };
type Header = { readonly [F in Format]: Buffer };

/**
 * Creates an empty exposition of these families in this order. Tests replace `compress`.
 * @throws Error when two families claim a name, in either format
 */
export function createExposition(families: readonly Family[], compress: Compress = deflatePiece): Exposition {
  checkNames(families);
  const blocks = new Map(families.map(({ name }, index) => [name, { index, targets: new Map<string, Block>() }]));
  const headers = families.map(headerOf);
  const names = families.map(({ name }) => name);
  const pieces = createPieces<Derived>(LIMITS, () => ({ compressed: {}, plain: {} }));
  const enqueue = limited(AT_ONCE);
  let series = 0;
  let bytes = 0;

  function drop(targets: Map<string, Block>, target: string): void {
    const block = targets.get(target);
    if (block === undefined) return;
    targets.delete(target);
    pieces.remove(block);
    series -= block.series;
    bytes -= block.content.bytes;
  }

  function set(name: string, target: string, text: string, count: number): void {
    const family = blocks.get(name);
    if (family === undefined) throw new RangeError(`${name} is not a family of this exposition`);
    if (text === "") return drop(family.targets, target);
    if (!text.endsWith("\n")) throw new TypeError(`the lines of ${name} do not end in a line break`);
    const size = Buffer.byteLength(text);
    const block = family.targets.get(target);
    if (block !== undefined && block.content.bytes === size && holds(block.content, text)) return;
    series += count - (block?.series ?? 0);
    bytes += size - (block?.content.bytes ?? 0);
    const content = { source: text, at: 0, bytes: size };
    if (block !== undefined) return pieces.change(block, content, count);
    const inserted = { family: family.index, target, content, series: count, piece: undefined };
    family.targets.set(target, inserted);
    pieces.insert(inserted);
  }

  /** Of a large page most bytes change between two scrapes, and are compressed for one of them. */
  const effort = (): Effort => (bytes > LARGE ? "fast" : "small");

  /** The compressed form of a piece. Concurrent scrapes share it, and so do both formats when its headers are equal. */
  function deflated(rendition: Piece, before: Piece | undefined, format: Format): Promise<Deflated> {
    const { compressed: derived } = rendition.derived;
    const after = before?.version ?? 0;
    const key = [rendition, before].every((each) => each === undefined || isNeutral(each, headers)) ? "text" : format;
    const known = derived[key];
    if (known?.after === after) return known.result;
    const result = enqueue(() =>
      deflate(joined(partsOf(rendition, headers, format)), compress, effort(), windowOf(before, headers, format)),
    );
    const entry = { after, result };
    derived[key] = entry;
    result.catch(() => {
      if (derived[key] === entry) delete derived[key];
    });
    return result;
  }

  async function scrapeGzip(snapshot: readonly Piece[], tail: Buffer, format: Format): Promise<readonly Buffer[]> {
    const main = snapshot.map((rendition, index) => deflated(rendition, snapshot[index - 1], format));
    const extra =
      tail.length === 0 ? [] : [deflate(tail, compress, effort(), windowOf(snapshot.at(-1), headers, format))];
    return joinGzip(await Promise.all([...main, ...extra]), format === "openmetrics" ? END : NOTHING);
  }

  async function scrape({ format, gzip, only, extra = [] }: ScrapeOptions): Promise<Scraped> {
    const snapshot = pieces.snapshot();
    const tail = tailOf(extra, format, only);
    if (gzip && only === undefined) return scraped(await scrapeGzip(snapshot, tail, format));
    const wanted = only === undefined ? undefined : (family: number) => only.has(names[family] ?? "");
    const parts = await inSlices(snapshot, (rendition) =>
      wanted === undefined ? plain(rendition, headers, format) : partsOf(rendition, headers, format, wanted),
    );
    if (tail.length > 0) parts.push(tail);
    if (format === "openmetrics") parts.push(END);
    return scraped(gzip ? [await gzipWhole(Buffer.concat(parts))] : parts);
  }

  return {
    set,
    remove: (target) => blocks.forEach(({ targets }) => drop(targets, target)),
    series: () => series,
    bytes: () => bytes,
    lines: (name) =>
      [...(blocks.get(name)?.targets.values() ?? [])].map(
        ({ content }) =>
          () =>
            textOf(content),
      ),
    scrape,
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

function headerOf(family: Family): Header {
  const text = Buffer.from(renderHeader(family, "text"));
  const openmetrics = Buffer.from(renderHeader(family, "openmetrics"));
  return { text, openmetrics: openmetrics.equals(text) ? text : openmetrics };
}

/** Whether the headers in the piece are equal in both formats. */
function isNeutral({ runs, opens }: Piece, headers: readonly Header[]): boolean {
  const withHeader = opens ? runs : runs.slice(1);
  return withHeader.every(({ family }) => headers[family]?.text === headers[family]?.openmetrics);
}

/** The last bytes of a piece, up to the maximum distance of a match. */
function windowOf(rendition: Piece | undefined, headers: readonly Header[], format: Format): Buffer {
  if (rendition === undefined) return NOTHING;
  const parts = partsOf(rendition, headers, format);
  let from = parts.length;
  for (let bytes = 0; from > 0 && bytes < WINDOW;) bytes += parts[--from]?.length ?? 0;
  return joined(parts.slice(from)).subarray(-WINDOW);
}

/** Headers and lines of a piece in order, of the wanted families or of all. */
function partsOf(
  { lines, runs, opens }: Piece,
  headers: readonly Header[],
  format: Format,
  wanted?: (family: number) => boolean,
): Buffer[] {
  const parts: Buffer[] = [];
  for (const [index, { family, start, end }] of runs.entries()) {
    if (wanted !== undefined && !wanted(family)) continue;
    const header = headers[family];
    if (header !== undefined && (index > 0 || opens)) parts.push(header[format]);
    parts.push(end - start === lines.bytes ? bodyOf(lines) : bodyOf(lines).subarray(start, end));
  }
  return parts;
}

/** Reads all pieces. Only those that are read for the first time take time. */
async function inSlices(snapshot: readonly Piece[], read: (rendition: Piece) => Buffer[]): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  let work = 0;
  for (const rendition of snapshot) {
    if (rendition.lines.body === undefined) work += rendition.lines.bytes;
    parts.push(...read(rendition));
    if (work < SLICE) continue;
    await setImmediate();
    work = 0;
  }
  return parts;
}

function joined(parts: readonly Buffer[]): Buffer {
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
}

/** All of a piece, uncompressed. Concurrent scrapes share the concatenation, and so do both formats when its headers are equal. */
function plain(rendition: Piece, headers: readonly Header[], format: Format): Buffer[] {
  const key = isNeutral(rendition, headers) ? "text" : format;
  const known = rendition.derived.plain[key]?.deref();
  if (known !== undefined) return [known];
  const parts = partsOf(rendition, headers, format);
  if (parts.length <= MANY_PARTS) return parts;
  const whole = Buffer.concat(parts);
  rendition.derived.plain[key] = new WeakRef(whole);
  return [whole];
}

function tailOf(extra: readonly ExtraFamily[], format: Format, only: ReadonlySet<string> | undefined): Buffer {
  const exported = extra.filter(({ family, text }) => text !== "" && (only === undefined || only.has(family.name)));
  return Buffer.from(exported.map(({ family, text }) => renderHeader(family, format) + text).join(""));
}

function scraped(chunks: readonly Buffer[]): Scraped {
  return { chunks, bytes: chunks.reduce((sum, chunk) => sum + chunk.length, 0) };
}

/** Runs jobs in order, at most `atOnce` concurrently. */
function limited(atOnce: number): <T>(job: () => Promise<T>) => Promise<T> {
  const waiting: Array<() => void> = [];
  let running = 0;
  return async (job) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await job();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
