import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** `busy`: too many unknown credentials wait to be checked already. */
export type Verdict = "granted" | "denied" | "busy";

export type Authenticator = (authorization: string | undefined) => Promise<Verdict>;

/** bcrypt is slow by design: one check at a time, so that guesses cost one core at most, and this many waiting. */
const WAITING_LIMIT = 16;
/** Wrong credentials remembered, so that a misconfigured scraper costs one check and not one a scrape. */
const REJECTED_LIMIT = 256;

/**
 * Checks `Authorization: Basic` headers against bcrypt hashes by user name; everybody is granted when there are no users.
 * Credentials seen before are recognised by a keyed hash, compared in constant time, without running bcrypt again. An
 * unknown user costs as much as a wrong password. `compare(password, hash)` is bcrypt's.
 */
export function createAuthenticator(
  users: Readonly<Record<string, string>>,
  compare: (password: string, hash: string) => Promise<boolean>,
): Authenticator {
  const hashes = new Map(Object.entries(users));
  const [standIn] = hashes.values();
  if (standIn === undefined) return () => Promise.resolve("granted");
  const memory = createMemory();
  const queue = createQueue(WAITING_LIMIT);

  const check = async ({ user, password }: Credentials): Promise<Verdict> => {
    const remembered = memory.recall(user, password);
    if (remembered !== undefined) return remembered;
    const hash = hashes.get(user);
    const matches = await compare(password, hash ?? standIn);
    return memory.remember(user, password, matches && hash !== undefined ? "granted" : "denied");
  };

  return async (authorization) => {
    const credentials = readCredentials(authorization);
    if (credentials === undefined) return "denied";
    const remembered = memory.recall(credentials.user, credentials.password);
    // Asked again inside the queue: the same scraper may have several requests under way.
    return remembered ?? (await queue(() => check(credentials))) ?? "busy";
  };
}

type Credentials = { readonly user: string; readonly password: string };

/** User and password of a Basic header; undefined when it is missing or malformed. */
export function readCredentials(authorization: string | undefined): Credentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  return colon < 0 ? undefined : { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

function createMemory() {
  // The key lives and dies with this process: a remembered digest says nothing about the password.
  const key = randomBytes(32);
  const granted = new Map<string, Buffer>();
  const rejected = new Set<string>();
  const digest = (user: string, password: string) => createHmac("sha256", key).update(`${user}:${password}`).digest();
  return {
    recall(user: string, password: string): Verdict | undefined {
      const asked = digest(user, password);
      const known = granted.get(user);
      if (known !== undefined && timingSafeEqual(known, asked)) return "granted";
      return rejected.has(asked.toString("hex")) ? "denied" : undefined;
    },
    remember(user: string, password: string, verdict: "granted" | "denied"): Verdict {
      const seen = digest(user, password);
      if (verdict === "granted") granted.set(user, seen);
      else rejected.add(seen.toString("hex"));
      const [oldest] = rejected;
      if (oldest !== undefined && rejected.size > REJECTED_LIMIT) rejected.delete(oldest);
      return verdict;
    },
  };
}

/** Runs jobs one after the other; undefined when `limit` of them wait already. */
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
