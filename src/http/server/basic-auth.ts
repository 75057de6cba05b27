import { createHmac, randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { compare as bcrypt, hash } from "bcryptjs";
import { clientOf } from "../places.ts";

/** `busy`: the queue of unverified credentials is full. */
type Verdict = "granted" | "denied" | "busy";

/** bcrypt hashes by user name. */
type Users = Readonly<Record<string, string>>;

/** A password as a web configuration has it. */
export function hashed(password: string): Promise<string> {
  return hash(password, 10);
}

/** The verdict on an `Authorization` header. Rejects when the hash of a user is invalid. */
export type Authenticator = (users: Users, authorization: string | undefined, address?: string) => Promise<Verdict>;

/**
 * Limits of queued checks, together and of each client. They run one at a time: bcrypt is slow by design, and holds the event loop
 * for 0.1 s a step. The clients take turns, so that strangers who guess hold up a scraper, whose credentials are not known yet after a
 * start, for one check each.
 */
const WAITING_LIMIT = 256;
const CLIENT_LIMIT = 64;
/**
 * Credentials that were turned away because too many waited: those that come again have a turn of their own. A scraper repeats its
 * credentials and a stranger changes his guess, so that strangers behind the scraper's own address, that of a proxy, cannot keep it out
 * after a start. The number is that of guesses between two scrapes, 1,000 a second for a minute.
 */
const TURNED_AWAY_LIMIT = 65_536;
const AGAIN = "again";
/** As many as there are connections: strangers who repeat their guesses too must not fill it. */
const AGAIN_LIMIT = 1_024;
/** Right credentials that are cached, and wrong ones: a misconfigured scraper costs one check and not one per scrape. */
const KNOWN_LIMIT = 1_024;

/**
 * Checks `Authorization: Basic` headers against bcrypt hashes. Without users every request is accepted. Verified credentials are
 * cached as keyed hashes: they never wait behind guesses, nor after a reload that
 * keeps the hash of their user. An unknown user costs the same check as a wrong password. `compare(password, hash)` is bcrypt's.
 */
export function createAuthenticator(
  compare: (password: string, hash: string) => Promise<boolean> = bcrypt,
): Authenticator {
  // The key exists only in this process: without it a digest reveals nothing about the password, nor does the search for it.
  const key = randomBytes(32);
  const granted = new Set<string>();
  const denied = new Set<string>();
  const turnedAway = new Set<string>();
  const queue = createQueue();

  return async (users, authorization, address = "") => {
    const [anyHash] = Object.values(users);
    if (anyHash === undefined) return "granted";
    const credentials = readCredentials(authorization);
    if (credentials === undefined) return "denied";
    const { user, password } = credentials;
    const hash = Object.hasOwn(users, user) ? users[user] : undefined;
    // The user's hash is part of it: a changed password is checked again.
    const digest = createHmac("sha256", key)
      .update(`${hash ?? ""}:${user}:${password}`)
      .digest("hex");
    const known = (): Verdict | undefined => {
      if (granted.has(digest)) return "granted";
      return denied.has(digest) ? "denied" : undefined;
    };
    const check = async (): Promise<Verdict> => {
      const began = performance.now();
      if ((await compare(password, hash ?? anyHash)) && hash !== undefined) {
        addBounded(granted, digest, KNOWN_LIMIT);
        return "granted";
      }
      addBounded(denied, digest, KNOWN_LIMIT);
      // Guesses get half of the event loop at the most.
      await pause(performance.now() - began);
      return "denied";
    };
    const verdict = known();
    if (verdict !== undefined) return verdict;
    // The cache is read again after the wait, because requests with the same credentials can be queued.
    const checked = await queue(turnedAway.delete(digest) ? AGAIN : clientOf(address), async () => known() ?? check());
    if (checked === undefined) addBounded(turnedAway, digest, TURNED_AWAY_LIMIT);
    return checked ?? "busy";
  };
}

/** User and password of a Basic header. `undefined` when it is missing or malformed. */
function readCredentials(authorization = "") {
  const encoded = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  return colon < 0 ? undefined : { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** Adds to a set, from which the oldest member falls out. */
function addBounded(members: Set<string>, member: string, most: number): void {
  members.add(member);
  const [oldest] = members;
  if (oldest !== undefined && members.size > most) members.delete(oldest);
}

/** Runs jobs one at a time, of each client in turn. `undefined` when too many are queued, of all clients (but `AGAIN`) or of this one. */
function createQueue() {
  const waiting = new Map<string, Array<() => Promise<void>>>();
  let size = 0;
  let working = false;

  async function work(): Promise<void> {
    working = true;
    for (let [first] = waiting; first !== undefined; [first] = waiting) {
      const [client, [job, ...others]] = first;
      // To the end of the turn.
      waiting.delete(client);
      if (others.length > 0) waiting.set(client, others);
      await job?.();
      size -= 1;
    }
    working = false;
  }

  return async <A>(client: string, job: () => Promise<A>): Promise<A | undefined> => {
    const own = waiting.get(client) ?? [];
    if (own.length >= (client === AGAIN ? AGAIN_LIMIT : CLIENT_LIMIT)) return undefined;
    if (client !== AGAIN && size >= WAITING_LIMIT) return undefined;
    size += 1;
    const { promise, resolve, reject } = Promise.withResolvers<A>();
    waiting.set(client, [...own, () => job().then(resolve, reject)]);
    if (!working) void work();
    return promise;
  };
}
