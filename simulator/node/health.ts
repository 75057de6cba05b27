import { bootstrapped, runChecks, type Check } from "./checks.ts";
import { goJson, goTime } from "../encoding/gotime.ts";
import { digest, pairChance } from "../encoding/ids.ts";
import { behaviourAt, remember, segmentAt, versionAt } from "../world/network.ts";
import { answerRpc, type RpcService } from "../world/rpc.ts";
import {
  BAD_ARGUMENT,
  fail,
  ok,
  plain,
  textsParam,
  type Interface,
  type MethodOutcome,
  type Params,
  type SimulatedReply,
  type View,
} from "../world/wire.ts";

/**
 * Health API. Answers are cached results of a worker that runs every check every 30 simulated seconds, and at every change of the
 * scenario.
 */

const ROUND_MS = 30_000;

type Kind = "health" | "readiness" | "liveness";
type Report = { readonly checks: Record<string, unknown>; readonly healthy: boolean };

/** Time of the last round. */
function roundOf({ network, index, at }: View): number {
  const { from, behaviour } = segmentAt(network, index, at);
  return behaviour.healthFrozen ? from : from + Math.floor((at - from) / ROUND_MS) * ROUND_MS;
}

function checksOf(view: View, kind: "health" | "readiness"): Check[] {
  return kind === "readiness" ? [bootstrapped(view)] : runChecks(view);
}

type Streak = { readonly count: number; readonly first: number };

/**
 * Number of consecutive rounds in which a check failed, and the time of the first. Between two scenario changes a check does not
 * recover, so that a binary search finds the first failure.
 */
function streakOf(view: View, failed: (at: number) => ReadonlySet<string>, name: string): Streak {
  const fails = (at: number): boolean => failed(at).has(name);
  let count = 0;
  let last = view.at;
  for (;;) {
    const { from, behaviour } = segmentAt(view.network, view.index, last);
    const lastSwitch = Math.max(from, ...view.network.switches.filter((moment) => moment <= last));
    const lowest = behaviour.healthFrozen ? from : from + Math.ceil((lastSwitch - from) / ROUND_MS) * ROUND_MS;
    let [low, high] = [0, Math.max(0, (last - lowest) / ROUND_MS)];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (fails(lowest + middle * ROUND_MS)) high = middle;
      else low = middle + 1;
    }
    const first = Math.min(last, lowest + low * ROUND_MS);
    count += (last - first) / ROUND_MS + 1;
    const before = roundOf({ ...view, at: first - 1 });
    if (low > 0 || before >= first || before < view.network.world.settings.start || !fails(before))
      return { count, first };
    last = before;
  }
}

/** Names of the failed checks of a round, cached: several streaks need the same rounds. */
function failures(view: View, kind: "health" | "readiness"): (at: number) => ReadonlySet<string> {
  const known = new Map<number, ReadonlySet<string>>();
  return (at) => {
    const past = { ...view, at, version: versionAt(view.network, view.index, at) };
    const found =
      known.get(at) ??
      new Set(checksOf(past, kind).flatMap((check) => (check.error === undefined ? [] : [check.name])));
    known.set(at, found);
    return found;
  };
}

/** The checks of the last round, with the entry of each in the report. */
function report(view: View, kind: "health" | "readiness"): ReadonlyArray<Check & { readonly entry: unknown }> {
  const round = roundOf(view);
  return remember(view.network, `${kind}:${view.index}`, round, () => {
    const roundView = { ...view, at: round };
    const failed = failures(roundView, kind);
    return checksOf(roundView, kind).map((check) => {
      const salt = digest(check.name).readUInt16BE(0);
      const streak = check.error === undefined ? undefined : streakOf(roundView, failed, check.name);
      const nanos = pairChance(salt, round / 1000) * 1_000_000;
      const entry = {
        message: check.message,
        error: check.error,
        timestamp: goTime(round, nanos),
        duration: 2_000 + Math.floor(pairChance(view.index, salt) * 50_000),
        contiguousFailures: streak?.count,
        timeOfFirstFailure: streak === undefined ? undefined : goTime(streak.first, nanos),
      };
      return { ...check, entry };
    });
  });
}

/** Checks without a tag and those of the requested tags; all without a requested tag. */
function reportFor(view: View, kind: Kind, tags: ReadonlyArray<string>): Report {
  if (kind === "liveness") return { checks: {}, healthy: true };
  const chosen = report(view, kind).filter(({ tag }) => tags.length === 0 || tag === undefined || tags.includes(tag));
  return {
    checks: Object.fromEntries(chosen.map(({ name, entry }) => [name, entry])),
    healthy: chosen.every(({ error }) => error === undefined),
  };
}

function call(kind: Kind): (view: View, params: Params) => MethodOutcome {
  return (view, params) => {
    const tags = textsParam(params, "tags");
    return tags === undefined ? fail(BAD_ARGUMENT) : ok(reportFor(view, kind, tags));
  };
}

const service: RpcService = {
  name: "health",
  methods: { health: call("health"), readiness: call("readiness"), liveness: call("liveness") },
};

const PATHS: Readonly<Record<string, Kind>> = {
  "/ext/health": "health",
  "/ext/health/health": "health",
  "/ext/health/readiness": "readiness",
  "/ext/health/liveness": "liveness",
};

/** Serves /ext/health: GET answers 200 or 503, JSON-RPC always 200. The three sub-paths take any method. */
export const health: Interface = (request, view): SimulatedReply | undefined => {
  const kind = PATHS[request.path];
  if (kind === undefined || behaviourAt(view.network, view.index, view.at).healthOff) return undefined;
  if (request.path === "/ext/health" && request.method !== "GET") {
    return request.method === "POST"
      ? answerRpc(service, request, view)
      : plain(405, `rpc: POST method required, received ${request.method}`);
  }
  const result = reportFor(view, kind, request.query.getAll("tag"));
  return { status: result.healthy ? 200 : 503, type: "application/json", body: `${goJson(result)}\n` };
};
