/**
 * Parses JSON piece by piece, so that no step takes long and no step needs the whole text: a long list is taken out of the
 * text in groups of elements while the rest of it is still to come, each group is parsed by `JSON.parse`, and what is left
 * in the end, a text with short lists, too. What comes out is what `JSON.parse` makes of the whole text.
 */
export type PiecewiseParser = {
  /** Reads the next piece of the text. @throws SyntaxError */
  readonly push: (piece: string) => void;
  /** The value of the whole text. @throws SyntaxError */
  readonly end: () => unknown;
};

/** UTF-16 units: a list is taken out of the text in groups of at least so many. */
const GROUP = 16_384;

/** No answer is nested like this; what is costs memory. */
const DEEPEST = 1000;

/** An open list or object of the text that is held. */
type Open = {
  readonly isList: boolean;
  /** Where its content begins in the text that is held; in a list that was begun to be taken out, what is left of it. */
  from: number;
  /** Where its last comma is. */
  comma: number;
  /** What was taken out of it. */
  taken: unknown[] | undefined;
};

const [QUOTE, COMMA, LIST, LIST_END, OBJECT, OBJECT_END] = [0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Stands in the text for what was taken out of a list: no server can know it. */
const MARK = `taken out ${crypto.randomUUID()} `;

/** Where a mark is found next, or the end of the text. */
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

  /** Finds where strings of a piece end: behind their quotation mark, or, where that is in a later piece, beyond the piece. */
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

  /** Takes the elements that are complete out of a list; the text keeps a mark in their place. */
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

  /** The elements of a group. One without any is an error: something must stand between two commas. */
  function parsedList(text: string): readonly unknown[] {
    const elements = JSON.parse(`[${text}]`) as unknown[];
    if (elements.length === 0) throw new SyntaxError("a list has no element before a comma");
    return text.includes(MARK) ? elements.map(putBack) : elements;
  }

  /** The value with what was taken out of its lists. */
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
