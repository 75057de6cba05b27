import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** `busy`: the queue of unverified credentials is full. */
type Verdict = "granted" | "denied" | "busy";

export type Authenticator = (authorization: string | undefined) => Promise<Verdict>;

/** Limit of queued checks. They run one at a time, because bcrypt is slow by design and guesses must not use more than one core. */
const WAITING_LIMIT = 16;
/** Wrong credentials that are cached, so that a misconfigured scraper costs one check and not one per scrape. */
const REJECTED_LIMIT = 256;

/**
 * Checks `Authorization: Basic` headers against bcrypt hashes by user name. Without users every request is accepted. Verified
 * credentials are cached as keyed hashes and compared in constant time, without bcrypt. An unknown user costs the same check as
 * a wrong password. `compare(password, hash)` is bcrypt's.
 */
export function createAuthenticator(
  users: Readonly<Record<string, string>>,
  compare: (password: string, hash: string) => Promise<boolean>,
): Authenticator {
  const hashes = new Map(Object.entries(users));
  const [anyHash] = hashes.values();
  if (anyHash === undefined) return () => Promise.resolve("granted");
  const cache = createCache();
  const queue = createQueue(WAITING_LIMIT);

  const check = async ({ user, password }: Credentials): Promise<Verdict> => {
    const cached = cache.get(user, password);
    if (cached !== undefined) return cached;
    const hash = hashes.get(user);
    const matches = await compare(password, hash ?? anyHash);
    return cache.set(user, password, matches && hash !== undefined ? "granted" : "denied");
  };

  return async (authorization) => {
    const credentials = readCredentials(authorization);
    if (credentials === undefined) return "denied";
    const cached = cache.get(credentials.user, credentials.password);
    // `check` reads the cache again, because requests with the same credentials can be queued.
    return cached ?? (await queue(() => check(credentials))) ?? "busy";
  };
}

type Credentials = { readonly user: string; readonly password: string };

/** User and password of a Basic header. `undefined` when it is missing or malformed. */
export function readCredentials(authorization: string | undefined): Credentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  return colon < 0 ? undefined : { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

function createCache() {
  // The key exists only in this process: without it a digest reveals nothing about the password.
  const key = randomBytes(32);
  const granted = new Map<string, Buffer>();
  const rejected = new Set<string>();
  const digest = (user: string, password: string) => createHmac("sha256", key).update(`${user}:${password}`).digest();
  return {
    get(user: string, password: string): Verdict | undefined {
      const hash = digest(user, password);
      const known = granted.get(user);
      if (known !== undefined && timingSafeEqual(known, hash)) return "granted";
      return rejected.has(hash.toString("hex")) ? "denied" : undefined;
    },
    set(user: string, password: string, verdict: "granted" | "denied"): Verdict {
      const hash = digest(user, password);
      if (verdict === "granted") granted.set(user, hash);
      else rejected.add(hash.toString("hex"));
      const [oldest] = rejected;
      if (oldest !== undefined && rejected.size > REJECTED_LIMIT) rejected.delete(oldest);
      return verdict;
    },
  };
}

/** Runs jobs sequentially. `undefined` when `limit` jobs are queued. */
function createQueue(limit: number) {
  let tail: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async <A>(job: () => Promise<A>): Promise<A | undefined> => {
    if (waiting >= limit) return undefined;
    waiting += 1;
    const turn = tail.then(job).finally(() => (waiting -= 1));
    tail = turn.catch(() => undefined);
    return turn;
  };
}
