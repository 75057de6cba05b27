import { createHash } from "node:crypto";

/** Page tokens of the simulated services: UUIDs for one listing and offset, with an expiry time. */

type Held = { readonly listing: string; readonly offset: number; readonly until: number };

export type Pages = {
  /** The offset for a token; `undefined` if it is unknown, of another listing, or expired. */
  readonly offset: (token: string, listing: string, now: number) => number | undefined;
  readonly issue: (listing: string, offset: number, now: number) => string;
  /** Expires every token. */
  readonly expireAll: () => void;
};

/** @param lifetime seconds */
export function createPages(lifetime: number): Pages {
  const held = new Map<string, Held>();
  let issued = 0;
  return {
    offset(token, listing, now) {
      const found = held.get(token);
      return found !== undefined && found.listing === listing && found.until > now ? found.offset : undefined;
    },
    issue(listing, offset, now) {
      if (held.size > 10_000) for (const [token, { until }] of held) if (until <= now) held.delete(token);
      const bytes = createHash("sha256").update(`${listing} ${offset} ${issued++}`).digest("hex");
      const token = `${bytes.slice(0, 8)}-${bytes.slice(8, 12)}-4${bytes.slice(13, 16)}-8${bytes.slice(17, 20)}-${bytes.slice(20, 32)}`;
      held.set(token, { listing, offset, until: now + lifetime });
      return token;
    },
    expireAll: () => held.clear(),
  };
}
