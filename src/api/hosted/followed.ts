import { newest } from "./data-fields.ts";
import { listing, PAGE_SIZE, type Dated, type HostedApi, type Page, type Query } from "./hosted.ts";
import type { Resource } from "../endpoint.ts";
import { positionAfter, type Position } from "../position.ts";

/** What happens on a chain, counted from the first answer on: the counts are counters, and one small page per poll is enough. */

export type Followed = Dated & {
  /** Only later events are counted. Unix seconds. */
  readonly since: number;
  readonly lastBlock: number | undefined;
  /** Time of the newest event. Unix seconds. */
  readonly lastAt: number | undefined;
  readonly position?: Position | undefined;
  readonly startsOver?: boolean;
  /** There was no later event: the next answer is asked for without a bound, and shows whether the position is wrong. */
  readonly isQuiet?: boolean;
};

type Event = { readonly blockNumber: number; readonly blockTimestamp: number };

/**
 * Reads the events after those of the previous answer: those that count, and the new position after them. Of the first answer, which
 * is one page, and of one that starts over, none counts.
 * @param after the query for later events; servers differ in whether its bound is inclusive
 */
export async function newEvents<E extends Event>(
  api: HostedApi,
  resource: Resource<Page<E>>,
  parts: Readonly<Record<string, string>>,
  maxPages: number,
  previous: Followed | undefined,
  after: (previous: Followed | undefined) => Query,
) {
  const most = previous === undefined ? 1 : maxPages;
  const last = previous?.lastBlock ?? -1;
  const bound = after(previous?.isQuiet === true ? undefined : previous);
  const isReached = (pages: ReadonlyArray<Page<E>>): boolean =>
    previous?.isQuiet === true && pages.some(({ rows }) => rows.some(({ blockNumber }) => blockNumber <= last));
  const { rows, dated } = await listing(api, resource, parts, most, [PAGE_SIZE, ...bound], isReached);
  const since = previous?.since ?? dated.at;
  const [top] = rows.toSorted((a, b) => b.blockTimestamp - a.blockTimestamp);
  const seen =
    top && positionAfter(previous?.position, { height: top.blockNumber, time: top.blockTimestamp }, dated.at);
  const isFirst = previous === undefined || seen?.startsOver === true;
  const fresh = isFirst ? rows : rows.filter(({ blockNumber }) => blockNumber > last);
  const counted = isFirst ? [] : fresh.filter(({ blockTimestamp }) => blockTimestamp >= since);
  const before = isFirst ? undefined : previous;
  const position: Followed = {
    ...dated,
    ...(seen ?? { position: previous?.position }),
    truncated: previous !== undefined && dated.truncated,
    since,
    lastBlock: newest([before?.lastBlock, ...fresh.map(({ blockNumber }) => blockNumber)]),
    lastAt: newest([before?.lastAt, ...fresh.map(({ blockTimestamp }) => blockTimestamp)]),
    isQuiet: fresh.length === 0,
  };
  return { counted, position };
}
