/**
 * One copy of texts that many answers repeat: every node of a network sees the same peers, and 100 answers of 1,200 peers would
 * keep 120,000 copies of their node IDs.
 */

/** Texts and lists that are known at once. The main network has some 1,300 validators; a lying node can name any number. */
const MOST = 50_000;
/** UTF-16 units: longer texts are not repeated by others. */
const LONGEST = 200;

const texts = new Map<string, string>();
const lists = new Map<string, readonly string[]>();
const EMPTY: readonly string[] = [];

/** The known copy of a text. */
export function interned(text: string): string {
  if (text.length > LONGEST) return text;
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size >= MOST) texts.clear();
  texts.set(text, text);
  return text;
}

/** The known copy of a list of texts, frozen. */
export function internedList(list: readonly string[]): readonly string[] {
  if (list.length === 0) return EMPTY;
  const key = JSON.stringify(list);
  if (key.length > LONGEST * 10) return list;
  const known = lists.get(key);
  if (known !== undefined) return known;
  if (lists.size >= MOST) lists.clear();
  const copy = Object.freeze(list.map(interned));
  lists.set(key, copy);
  return copy;
}
