/**
 * Parses JSON piece by piece, so that no step takes long and no step needs the whole text. While the text is read, each long
 * list is cut out of it in groups of elements, and `JSON.parse` reads each group; at the end it reads the rest, a text with
 * short lists. The result is what `JSON.parse` makes of the whole text.
 *
 * Parsed whole, an answer of 2,000 validators (1.9 MB) was one block of 5 ms at best, and `bench set` missed its line in six
 * of nine runs on a busy machine; in pieces the longest block was 0.4 ms at best.
 */
export type PiecewiseParser = {
  /** Reads the next piece of the text. @throws SyntaxError */
  readonly push: (piece: string) => void;
  /** The value of the whole text. @throws SyntaxError */
  readonly end: () => unknown;
};

/** UTF-16 units. A group that is cut out of a list has at least this size. */
const GROUP = 16_384;

/** The deepest nesting that is accepted: no answer comes near it, and each level costs memory. */
const DEEPEST = 1000;

/** A list or object of the held text whose end was not read yet. */
type Open = {
  readonly isList: boolean;
  /** Where its content begins in the held text, after the elements that were cut out. */
  from: number;
  /** Position of its last comma, or -1. */
  comma: number;
  /** The elements that were cut out of it. */
  taken: unknown[] | undefined;
};

const [QUOTE, COMMA, LIST, LIST_END, OBJECT, OBJECT_END] = [0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Stands in the text for the elements that were cut out of a list. It is random: no answer contains it by intent. */
const MARK = `taken out ${crypto.randomUUID()} `;

/** The next position of a mark, or the end of the text. */
function found(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at;
}

/** @param group Size of a group in UTF-16 units, for tests. */
export function createPiecewiseParser(group = GROUP): PiecewiseParser {
  const open: Open[] = [];
  const lists: unknown[][] = [];
  let held = "";
  let inString = false;
  let escaped = false;

  function scan(piece: string, before: number): void {
    const endOfString = stringsOf(piece);
    for (let at = inString ? endOfString(escaped ? 1 : 0) : 0; at < piece.length; at++) {
      const unit = piece.charCodeAt(at);
      if (unit === QUOTE) at = endOfString(at + 1) - 1;
      else if (unit === COMMA) {
        const inner = open.at(-1);
        if (inner !== undefined) inner.comma = before + at;
      } else if (unit === LIST || unit === OBJECT) {
        if (open.length === DEEPEST) throw new SyntaxError(`more than ${DEEPEST} lists and objects within one another`);
        open.push({ isList: unit === LIST, from: before + at + 1, comma: -1, taken: undefined });
      } else if (unit === LIST_END || unit === OBJECT_END) open.pop();
    }
  }

  /** Finds the end of a string: after its quotation mark, or beyond the piece where the mark is in a later piece. */
  function stringsOf(piece: string): (from: number) => number {
    let backslash = -1;
    return (from) => {
      let at = from;
      for (;;) {
        const quote = found(piece, '"', at);
        if (backslash < at) backslash = found(piece, "\\", at);
        if (quote <= backslash) {
          inString = quote === piece.length;
          escaped = inString && at > piece.length;
          return quote + 1;
        }
        at = backslash + 2;
      }
    };
  }

  /** Cuts the complete elements out of a list; the text keeps a mark in their place. */
  function takeOut(list: Open, inside: readonly Open[]): void {
    const elements = parsedList(held.slice(list.from, list.comma));
    let mark = "";
    if (list.taken === undefined) {
      mark = `"${MARK}${lists.length}",`;
      list.taken = [];
      lists.push(list.taken);
    }
    for (const element of elements) list.taken.push(element);
    held = held.slice(0, list.from) + mark + held.slice(list.comma + 1);
    const moved = mark.length - (list.comma + 1 - list.from);
    list.from += mark.length;
    list.comma = -1;
    for (const each of inside) {
      each.from += moved;
      if (each.comma !== -1) each.comma += moved;
    }
  }

  /** The elements of a group. An empty group is an error: an element must stand before each comma. */
  function parsedList(text: string): readonly unknown[] {
    const elements = JSON.parse(`[${text}]`) as unknown[];
    if (elements.length === 0) throw new SyntaxError("a list has no element before a comma");
    return text.includes(MARK) ? elements.map(putBack) : elements;
  }

  /** The value, with its marks replaced by the elements that were cut out. */
  function putBack(value: unknown): unknown {
    if (Array.isArray(value)) {
      const elements = value.map(putBack);
      const [first] = elements;
      if (typeof first !== "string" || !first.startsWith(MARK)) return elements;
      return (lists[Number(first.slice(MARK.length))] ?? []).concat(elements.slice(1));
    }
    if (typeof value === "object" && value !== null) {
      const fields = value as Record<string, unknown>;
      for (const name of Object.keys(fields)) fields[name] = putBack(fields[name]);
    }
    return value;
  }

  return {
    push(piece) {
      scan(piece, held.length);
      held += piece;
      const index = open.findIndex(({ isList, from, comma }) => isList && comma - from >= group);
      const list = open[index];
      if (list !== undefined) takeOut(list, open.slice(index + 1));
    },
    end() {
      const value = JSON.parse(held) as unknown;
      return lists.length === 0 ? value : putBack(value);
    },
  };
}
