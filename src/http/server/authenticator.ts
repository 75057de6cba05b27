import { createHmac, randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { compare as bcrypt, hash } from "bcryptjs";
import { clientOf } from "../client-places.ts";

/** `busy`: the queue of unverified credentials is full. */
type Verdict = "granted" | "denied" | "busy";

/** bcrypt hashes by user name. */
type Users = Readonly<Record<string, string>>;

/** A password as a web configuration has it. */
export function hashed(password: string): Promise<string> {
  return hash(password, 10);
}

/**
 * The verdict on an `Authorization` header. Rejects when the hash of a user is invalid.
 * @param gone resolves when the client has left: its check is then not made
 */
export type Authenticator = (
  users: Users,
  authorization: string | undefined,
  address?: string,
  gone?: Promise<unknown>,
) => Promise<Verdict>;

/**
 * Checks of one client that wait. They run one at a time: bcrypt is slow by design, and holds the event loop for 0.1 s a step. One check
 * of each client is in the queue, and the others wait for it alone: who waits, waits for his own. A client that has guessed wrong gives
 * precedence to one that has not, so that strangers hold up a scraper elsewhere, whose credentials are not known yet after a start, for
 * the check that runs.
 */
const CLIENT_LIMIT = 64;
/**
 * Credentials that were turned away because too many waited: those that come again have a lane of their own in the line of their client.
 * A scraper repeats its credentials and a stranger changes his guess, so that strangers behind the scraper's own address, that of a
 * proxy, cannot keep it out after a start. The number is that of guesses between two scrapes, 1,000 a second for a minute.
 */
const TURNED_AWAY_LIMIT = 65_536;
/** As many as there are connections: strangers who repeat their guesses too must not fill it. */
const AGAIN_LIMIT = 1_024;
/** Checks that wait together, which bounds their memory. The first one of a client has a place in any case. */
const WAITING_LIMIT = 4_096;
/** Right credentials that are cached, and wrong ones, of which a misconfigured scraper costs one check and not one per scrape; clients that guessed wrong. */
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
  /** Digests of credentials that were checked, and of those that were refused a check. */
  const granted = new Set<string>();
  const denied = new Set<string>();
  const turnedAway = new Set<string>();
  /** Clients whose last guess was wrong. */
  const guessers = new Set<string>();
  const queue = createQueue((client) => guessers.has(client));

  return async (users, authorization, address = "", gone = undefined) => {
    const client = clientOf(address);
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
        guessers.delete(client);
        return "granted";
      }
      addBounded(denied, digest, KNOWN_LIMIT);
      addBounded(guessers, client, KNOWN_LIMIT);
      // Guesses get half of the event loop at the most.
      await pause(performance.now() - began);
      return "denied";
    };
    const verdict = known();
    if (verdict !== undefined) return verdict;
    // The cache is read again after the wait, because requests with the same credentials can be queued.
    const checked = await queue({ client, isAgain: turnedAway.delete(digest), gone }, async () => known() ?? check());
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

type Place = { readonly client: string; readonly isAgain: boolean; readonly gone: Promise<unknown> | undefined };
type Check = () => Promise<void>;
/** The checks of a client that wait, in two lanes that take turns. */
type Line = { readonly again: Set<Check>; readonly first: Set<Check>; wasAgain: boolean };

/**
 * Runs checks one at a time, of each client in turn. `undefined` when too many are queued, or the client is gone.
 * @param isLater whether the other clients come before this one
 */
function createQueue(isLater: (client: string) => boolean) {
  const lines = new Map<string, Line>();
  let size = 0;
  let working = false;

  function next(): Check | undefined {
    const found = lines.entries().find(([each]) => !isLater(each)) ?? lines.entries().next().value;
    if (found === undefined) return undefined;
    const [client, line] = found;
    const lanes = line.wasAgain ? [line.first, line.again] : [line.again, line.first];
    const lane = lanes.find((each) => each.size > 0);
    line.wasAgain = lane === line.again;
    // To the end of the turn.
    lines.delete(client);
    lines.set(client, line);
    return lane?.values().next().value;
  }

  async function work(): Promise<void> {
    working = true;
    for (let check = next(); check !== undefined; check = next()) await check();
    working = false;
  }

  return async <A>({ client, isAgain, gone }: Place, job: () => Promise<A>): Promise<A | undefined> => {
    const line = lines.get(client) ?? { again: new Set<Check>(), first: new Set<Check>(), wasAgain: false };
    const lane = isAgain ? line.again : line.first;
    if (lane.size >= (isAgain ? AGAIN_LIMIT : CLIENT_LIMIT)) return undefined;
    if (size >= WAITING_LIMIT && lines.has(client)) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers<A | undefined>();
    const leave = (): void => {
      if (!lane.delete(check)) return;
      size--;
      if (line.again.size + line.first.size === 0) lines.delete(client);
    };
    const check = (): Promise<void> => {
      leave();
      return job().then(resolve, reject);
    };
    lane.add(check);
    lines.set(client, line);
    size++;
    void gone?.then(leave).then(() => resolve(undefined));
    if (!working) void work();
    return promise;
  };
}
