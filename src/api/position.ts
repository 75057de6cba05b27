/**
 * How far a chain was followed. A head below it is that of a server that is behind, until it shows that the position was wrong, which
 * otherwise would keep counters still until a restart.
 */
export type Position = {
  readonly height: number;
  /** When the answer came with which it was reached, Unix seconds. */
  readonly at: number;
  /** The last head below it, and how often such a head has risen. */
  readonly below?: { readonly height: number; readonly rises: number } | undefined;
};

/** Rises within three polls. */
const STEADY = 2;

type Head = { readonly height: number; readonly time: number | undefined };

/**
 * The position after one more head. It was wrong if lower heads have risen steadily, and the last one was made after it was reached: then
 * counting starts over at that head.
 * @param now time of the answer, Unix seconds
 */
export function positionAfter(before: Position | undefined, head: Head, now: number): Positioned {
  const reached = { height: head.height, at: now };
  if (before === undefined || head.height > before.height) return { position: reached };
  if (head.height === before.height) return { position: { ...before, below: undefined } };
  const { height = Infinity, rises: last = 0 } = before.below ?? {};
  const rises = head.height > height ? last + 1 : head.height < height ? 0 : last;
  if (rises >= STEADY && (head.time ?? 0) > before.at) return { position: reached, startsOver: true };
  return { position: { ...before, below: { height: head.height, rises } } };
}

/** What a followed answer says of its position. */
export type Positioned = { readonly position: Position; readonly startsOver?: boolean };

/** Whether an answer of any endpoint says that counting starts over. */
export const startsOver = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "startsOver" in value && value.startsOver === true;
