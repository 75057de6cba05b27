/** What clients of the exporter can do to it; `inbound.long.ts` does it. */
export const INBOUND = [
  {
    id: "scrapers",
    client: "200 scrapers at the same time, five times, of 30 nodes (0.9 MB)",
    outcome:
      "at least 20 are answered, half of `--web.max-requests` for one address, the others get 503; none waits without an end; the process has less than 500 MB after them",
  },
  {
    id: "idle",
    client: "2,000 idle connections",
    outcome:
      "1,000 are kept, the others are closed at once; a scrape that is connected is answered, and a new one once they end",
  },
  {
    id: "descriptors",
    client: "200 idle connections to an exporter of 30 nodes that can open 100 files",
    outcome: "25 are kept at most; no node is down, and a poll that finds no descriptor is not counted as failed",
  },
  { id: "slow-headers", client: "200 clients that send a header byte by byte", outcome: "closed after 10 s with 408" },
  {
    id: "slow-readers",
    client: "200 scrapers that do not read the answer, 20 on each connection, of 30 nodes (0.9 MB)",
    outcome:
      "20 replies count as running scrapes, further ones from this address get 503 with Retry-After; a scrape from another address is answered; the memory grows by less than 150 MB; a scrape is answered when the clients are gone",
  },
  {
    id: "other-sites",
    client:
      "A page of another site asks for `POST /-/reload` and `/probe`, 1,000 times, also as a name that was pointed at the exporter",
    outcome: "403; nothing is reloaded or probed",
  },
  {
    id: "guesses",
    client:
      "After a start, one address with 500 connections, then six with 150, that repeat wrong passwords without a pause",
    outcome:
      "503 or 401; a scraper at another address, whose credentials are new, has its answer within 2 s, during it and after it",
  },
  { id: "headers", client: "Headers of 1 MB, and 5,000 of them", outcome: "431" },
  { id: "url", client: "A URL of 1 MB", outcome: "431" },
  {
    id: "listeners",
    client: "900 listeners of `/api/v1/events`",
    outcome: "50 are served, the others get 503 with Retry-After",
  },
  { id: "pipelining", client: "200 requests in one packet", outcome: "answered in their order" },
  { id: "methods", client: "Methods that a path does not have, and unknown ones", outcome: "405 or 400" },
  { id: "body", client: "A body of 10 MB, with and without its length", outcome: "413, or the connection is closed" },
  { id: "garbage", client: "Bytes that are not HTTP", outcome: "400" },
  { id: "paths", client: "Paths with `..`, NUL, escapes and names of Object.prototype", outcome: "404 or 400" },
] as const;

export type InboundId = (typeof INBOUND)[number]["id"];
