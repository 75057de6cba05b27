/**
 * The lines of all families and targets in the order of the exposition, divided into pieces like the leaves of a B-tree. A
 * change affects only its piece; a large piece is halved, and a small one is joined to a neighbour. Other boundaries stay, so
 * the compressed forms of other pieces stay valid.
 */

/**
 * A text that never changes: the original string, and after the first read a part of a piece's body, from `at` on, so that it
 * is stored only once.
 */
export type Content = { source: string | Buffer; at: number; readonly bytes: number };

/** The lines of one family and target. */
export type Block = {
  /** Position of the family in the exposition. */
  readonly family: number;
  readonly target: string;
  content: Content;
  series: number;
  piece: Piece | undefined;
};

/** The lines of a piece. They are joined at the first read, so that a snapshot is fast. */
type Lines = { contents: readonly Content[]; body: Buffer | undefined; readonly bytes: number };

/** Lines of one family inside a body. */
type Run = { readonly family: number; readonly start: number; readonly end: number };

/** A piece as part of a snapshot. Never changed. */
export type Rendition<Extra> = {
  /** Unique among the renditions of these pieces; at least 1. */
  readonly version: number;
  readonly lines: Lines;
  readonly runs: readonly Run[];
  /** Whether the first run is the first of its family, so that the header precedes it. */
  readonly opens: boolean;
  /** A cache for data that readers derive from it. */
  readonly derived: Extra;
};

type Piece = { blocks: Block[]; bytes: number; rendition: Rendition<unknown> | undefined };

type Limits = { readonly split: number; readonly join: number };

export type Pieces<Extra> = {
  insert(block: Block): void;
  change(block: Block, content: Content, series: number): void;
  remove(block: Block): void;
  /** A consistent snapshot. Renditions of unchanged pieces are the same objects as before. */
  snapshot(): ReadonlyArray<Rendition<Extra>>;
};

/** Pieces above `split` bytes are halved; those below `join` bytes are joined to a neighbour. */
export function createPieces<Extra>(limits: Limits, derive: () => Extra): Pieces<Extra> {
  const pieces: Piece[] = [];
  let version = 0;

  /** Index of the last piece that starts at or before a block; 0 when there is none. */
  function find(block: Block): number {
    const after = firstIndex(pieces, (piece) => compare(firstOf(piece), block) > 0);
    return Math.max(0, after - 1);
  }

  function balance(piece: Piece, index: number): void {
    if (piece.blocks.length === 0) pieces.splice(index, 1);
    else if (piece.bytes > limits.split && piece.blocks.length > 1) {
      const [left, right] = halve(piece);
      pieces.splice(index, 1, left, right);
      balance(right, index + 1);
      balance(left, index);
    } else if (piece.bytes < limits.join) join(index);
  }

  /** Joins the piece to its smaller neighbour, unless the result would soon be halved again. */
  function join(index: number): void {
    const starts = [index - 1, index].filter((start) => start >= 0 && start + 1 < pieces.length);
    const pairs = starts.map((start) => {
      const pair = pieces.slice(start, start + 2);
      return { start, pair, bytes: pair.reduce((sum, each) => sum + each.bytes, 0) };
    });
    const [best] = pairs.sort((a, b) => a.bytes - b.bytes);
    if (best === undefined || best.bytes > limits.split * 0.75) return;
    pieces.splice(best.start, 2, pieceOf(best.pair.flatMap(({ blocks }) => blocks)));
  }

  return {
    insert(block) {
      const index = find(block);
      const piece = pieces[index] ?? pieceOf([]);
      if (pieces.length === 0) pieces.push(piece);
      piece.blocks.splice(
        firstIndex(piece.blocks, (each) => compare(each, block) > 0),
        0,
        block,
      );
      block.piece = piece;
      piece.bytes += block.content.bytes;
      piece.rendition = undefined;
      if (piece.bytes > limits.split) balance(piece, index);
    },

    change(block, content, series) {
      const { piece } = block;
      if (piece === undefined) return;
      piece.bytes += content.bytes - block.content.bytes;
      piece.rendition = undefined;
      block.content = content;
      block.series = series;
      if (piece.bytes > limits.split || piece.bytes < limits.join) balance(piece, find(block));
    },

    remove(block) {
      const { piece } = block;
      if (piece === undefined) return;
      const index = find(block);
      piece.blocks.splice(piece.blocks.indexOf(block), 1);
      block.piece = undefined;
      piece.bytes -= block.content.bytes;
      piece.rendition = undefined;
      if (piece.bytes < limits.join) balance(piece, index);
    },

    snapshot() {
      let previous = -1;
      return pieces.map((piece) => {
        const opens = firstOf(piece).family !== previous;
        previous = piece.blocks.at(-1)?.family ?? previous;
        const kept = piece.rendition as Rendition<Extra> | undefined;
        const rendition =
          kept?.opens === opens ? kept : { ...(kept ?? capture(piece)), version: ++version, opens, derived: derive() };
        piece.rendition = rendition;
        return rendition;
      });
    },
  };
}

function firstOf({ blocks }: Pick<Piece, "blocks">): Block {
  const [first] = blocks;
  if (first === undefined) throw new Error("a piece without blocks");
  return first;
}

function compare(a: Block, b: Block): number {
  if (a.family !== b.family) return a.family - b.family;
  return a.target < b.target ? -1 : a.target > b.target ? 1 : 0;
}

/** Index of the first item for which `holds` is true; it must be true for all later ones. */
function firstIndex<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(items[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function pieceOf(blocks: Block[]): Piece {
  const piece: Piece = { blocks, bytes: 0, rendition: undefined };
  for (const block of blocks) {
    block.piece = piece;
    piece.bytes += block.content.bytes;
  }
  return piece;
}

/** Two pieces of similar size, with at least one block each. */
function halve({ blocks, bytes }: Piece): [Piece, Piece] {
  let cut = 0;
  let left = 0;
  while (cut < blocks.length - 1 && (cut === 0 || left + (blocks[cut] as Block).content.bytes / 2 <= bytes / 2)) {
    left += (blocks[cut++] as Block).content.bytes;
  }
  return [pieceOf(blocks.slice(0, cut)), pieceOf(blocks.slice(cut))];
}

/** The current contents of a piece. */
function capture({ blocks, bytes }: Piece): { lines: Lines; runs: readonly Run[] } {
  const contents: Content[] = [];
  const runs: Run[] = [];
  let family = firstOf({ blocks }).family;
  let at = 0;
  let start = 0;
  for (const block of blocks) {
    if (block.family !== family) {
      runs.push({ family, start, end: at });
      family = block.family;
      start = at;
    }
    contents.push(block.content);
    at += block.content.bytes;
  }
  runs.push({ family, start, end: at });
  return { lines: { contents, body: undefined, bytes }, runs };
}

/** The lines as bytes. The first call joins them; then the contents refer to the joined body. */
export function bodyOf(lines: Lines): Buffer {
  if (lines.body !== undefined) return lines.body;
  const body = Buffer.allocUnsafeSlow(lines.bytes);
  let at = 0;
  for (const content of lines.contents) {
    const { source, bytes } = content;
    if (typeof source === "string") body.write(source, at);
    else source.copy(body, at, content.at, content.at + bytes);
    content.source = body;
    content.at = at;
    at += bytes;
  }
  lines.body = body;
  lines.contents = [];
  return body;
}

export function textOf({ source, at, bytes }: Content): string {
  return typeof source === "string" ? source : source.toString("utf8", at, at + bytes);
}

export function holds(content: Content, text: string): boolean {
  return textOf(content) === text;
}
