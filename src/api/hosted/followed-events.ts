import { newest } from "./data-fields.ts";
import { listing, PAGE_SIZE, type Dated, type HostedApi, type Page, type SearchParameters } from "./hosted-endpoint.ts";
import type { Resource } from "../endpoint.ts";

/** What happens on a chain, counted from the first answer on: the counts are counters, and one small page per poll is enough. */

export type FollowedEvents = Dated & {
  /** Only later events are counted. Unix seconds. */
  readonly since: number;
  readonly lastBlock: number | undefined;
  /** Time of the newest event that was read. Unix seconds. */
  readonly lastAt: number | undefined;
  /** Later events were not read: the service lists the oldest first, and there were too many. */
  readonly behind: boolean;
  /** Answers in a row without the newest event that is known: after three it was none, and a new count starts. */
  readonly missing?: number;
  readonly startsOver?: boolean;
};

const MOST_MISSING = 3;

type Event = { readonly blockNumber: number; readonly blockTimestamp: number };

/**
 * Reads the events after those of the previous answer: those that count, and the new position after them. Of the first answer, which
 * is one page where the newest come first, none counts.
 * @param after the query for the newest known event and later ones; servers differ in whether its bound is inclusive
 */
export async function newEvents<E extends Event>(
  api: HostedApi,
  resource: Resource<Page<E>>,
  parts: Readonly<Record<string, string>>,
  maxPages: number,
  previous: FollowedEvents | undefined,
  after: (previous: FollowedEvents | undefined) => SearchParameters,
): Promise<{ readonly counted: readonly E[]; readonly position: FollowedEvents }> {
  // The order of a listing is that of the server where it does not know `sortOrder`.
  const isFirst = previous === undefined || previous.startsOver === true;
  const isEnough = (pages: ReadonlyArray<Page<E>>): boolean => isFirst && !isOldestFirst(pages);
  const query = [PAGE_SIZE, ...after(previous)];
  const { pages, rows, dated } = await listing(api, resource, parts, maxPages, query, isEnough);
  const since = previous?.since ?? dated.at;
  const last = previous?.lastBlock ?? -1;
  const fresh = rows.filter(({ blockNumber }) => blockNumber > last);
  const counted = isFirst ? [] : fresh.filter(({ blockTimestamp }) => blockTimestamp >= since);
  const isMissing = last >= 0 && !rows.some(({ blockNumber }) => blockNumber >= last);
  const missing = isMissing ? (previous?.missing ?? 0) + 1 : 0;
  if (missing >= MOST_MISSING)
    return {
      counted,
      position: { ...dated, since, lastBlock: undefined, lastAt: undefined, behind: false, startsOver: true },
    };
  const position: FollowedEvents = {
    ...dated,
    since,
    lastBlock: newest([previous?.lastBlock, ...fresh.map(({ blockNumber }) => blockNumber)]),
    lastAt: newest([previous?.lastAt, ...fresh.map(({ blockTimestamp }) => blockTimestamp)]),
    missing,
    behind: dated.truncated === true && isOldestFirst(pages),
  };
  return { counted, position };
}

function isOldestFirst(pages: ReadonlyArray<Page<Event>>): boolean {
  const rows = pages.flatMap((page) => page.rows);
  return (rows.at(-1)?.blockNumber ?? 0) > (rows[0]?.blockNumber ?? 0);
}
