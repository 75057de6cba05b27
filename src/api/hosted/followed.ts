import { newest } from "./data-fields.ts";
import { listing, PAGE_SIZE, type Dated, type HostedApi, type Page, type Query } from "./hosted.ts";
import type { Resource } from "../endpoint.ts";

/** What happens on a chain, counted from the first answer on: the counts are counters, and one small page per poll is enough. */

export type Followed = Dated & {
  /** Only later events are counted. Unix seconds. */
  readonly since: number;
  readonly lastBlock: number | undefined;
  /** Time of the newest event. Unix seconds. */
  readonly lastAt: number | undefined;
};

type Event = { readonly blockNumber: number; readonly blockTimestamp: number };

/**
 * Reads the events after those of the previous answer: those that count, and the new position after them. Of the first answer, which
 * is one page, none counts.
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
  const { rows, dated } = await listing(api, resource, parts, most, [PAGE_SIZE, ...after(previous)]);
  const since = previous?.since ?? dated.at;
  const last = previous?.lastBlock ?? -1;
  const fresh = rows.filter(({ blockNumber }) => blockNumber > last);
  const counted = previous === undefined ? [] : fresh.filter(({ blockTimestamp }) => blockTimestamp >= since);
  const position: Followed = {
    ...dated,
    truncated: previous !== undefined && dated.truncated,
    since,
    lastBlock: newest([previous?.lastBlock, ...fresh.map(({ blockNumber }) => blockNumber)]),
    lastAt: newest([previous?.lastAt, ...fresh.map(({ blockTimestamp }) => blockTimestamp)]),
  };
  return { counted, position };
}
