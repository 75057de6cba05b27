import type { TargetFacts } from "../../api/endpoint.ts";
import type { HealthReport } from "../../api/node/health.ts";
import {
  countOf,
  tallyOf,
  fieldAt,
  parseGoDuration,
  parseTimestamp,
  percentOf,
  ratioOf,
  ratioOfPercent,
  setTime,
} from "../../api/wire.ts";
import { checkLabel, type ChainIds } from "../chain-ids.ts";
import { isChainCheck } from "../labels.ts";
import { perAnswer } from "../per-answer.ts";

/**
 * The `message` of health checks ("Message contents seen"). The specification types it as "any", so a message in another
 * format is valid: fields that cannot be read are absent.
 */

/** Seconds of a Go duration; `undefined` where it is negative or none. */
function durationOf(value: unknown): number | undefined {
  const seconds = typeof value === "string" ? parseGoDuration(value) : undefined;
  return seconds !== undefined && seconds >= 0 ? seconds : undefined;
}

/** A height below 2^53. */
function heightOf(value: unknown): number | undefined {
  const found = countOf(value);
  return Number.isSafeInteger(found) ? found : undefined;
}

/** Unix seconds of an announced upgrade; `undefined` where none is. It may be after 2200. */
function announcedOf(value: unknown): number | undefined {
  const seconds = typeof value === "string" ? parseTimestamp(value) : undefined;
  return seconds === undefined ? undefined : setTime(seconds);
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;
}

/** Chain checks list the inactive members of an L1, whose weight has no owner, under this ID. */
const EMPTY_NODE_ID = "NodeID-111111111111111111116DBWJs";

/** The validators that are not connected; none where the list is null. */
function disconnectedOf(networking: unknown): number | undefined {
  const found = fieldAt(networking, "disconnectedValidators");
  return found === null ? 0 : textsOf(found)?.filter((id) => id !== EMPTY_NODE_ID).length;
}

/** "not connected to enough stake: connected to 75.000000%; required at least 80.000000%" */
const REQUIRED = /required at least (\d+(?:\.\d+)?)%/;
function requiredBy({ error, message }: HealthReport["checks"][string]): number | undefined {
  // Releases before 1.8, and servers that follow them, have an object as the error.
  for (const text of [error, fieldAt(error, "message"), message]) {
    const required = typeof text === "string" ? Number(REQUIRED.exec(text)?.[1]) : NaN;
    if (required > 0 && required <= 100) return ratioOfPercent(required);
  }
  return undefined;
}

/** Maximum of tracked chains with series; a node has a few, an archive of L1s perhaps a hundred. */
const MOST_CHAINS = 100;

type CheckedChain = Readonly<
  Record<"acceptanceTime" | "checkedAt" | "longestProcessing" | "took", number | undefined> &
    Record<"connectedRatio" | "disconnected" | "height" | "processing" | "requiredRatio", number | undefined>
> & {
  /** The chain's alias or blockchain ID: the name of its check. */
  readonly check: string;
  /** ID of the last accepted block. */
  readonly lastId: string | undefined;
};
type LabelledChain = readonly [label: string, chain: CheckedChain];

/** The chains of a health report, in seconds and ratios; figures that a message lacks are `undefined`. Heights are those of the check's last run, up to 30 s before the answer. */
export const chainsOf = perAnswer((report: HealthReport): readonly CheckedChain[] =>
  Object.entries(report.checks)
    .filter(([name]) => isChainCheck(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, MOST_CHAINS)
    .map(([check, result]) => {
      const { message, timestamp: checkedAt, duration: took } = result;
      const consensus = fieldAt(message, "engine", "consensus");
      return {
        check,
        /** Unix seconds of the node's own clock. */
        checkedAt,
        /** Duration of the check's last run. */
        took,
        height: heightOf(fieldAt(consensus, "lastAcceptedHeight")),
        lastId: textOf(fieldAt(consensus, "lastAcceptedID")),
        processing: tallyOf(fieldAt(consensus, "processingBlocks")),
        longestProcessing: durationOf(fieldAt(consensus, "longestProcessingBlock")),
        acceptanceTime: durationOf(fieldAt(consensus, "avgAcceptanceTime")),
        connectedRatio: ratioOf(fieldAt(message, "networking", "percentConnected")),
        disconnected: disconnectedOf(fieldAt(message, "networking")),
        /** Share of the weight that consensus needs, which a check names while it fails. */
        requiredRatio: requiredBy(result),
      };
    }),
);

const labelled = perAnswer(
  (report: HealthReport, knownChains: TargetFacts["knownChains"], ids: ChainIds): readonly LabelledChain[] =>
    chainsOf(report).map((chain) => [checkLabel({ knownChains }, ids, chain.check), chain]),
);

/** The same with their labels. */
export function labelledChains(facts: TargetFacts, report: HealthReport, ids: ChainIds): readonly LabelledChain[] {
  return labelled(report, facts.knownChains, ids);
}

/** Figures of the node-wide checks, in seconds, bytes and ratios; `undefined` where the messages lack them. */
export const nodeHealthOf = perAnswer(({ checks }: HealthReport) => {
  const of = (check: string, ...path: readonly string[]) => fieldAt(checks[check]?.message, ...path);
  const at = checks["network"]?.timestamp;
  const modeUpgradeTime = announcedOf(of("futureupgrade", "modeUpgradeTime"));
  return {
    connectedPeers: tallyOf(of("network", "connectedPeers")),
    sendFailRatio: ratioOf(of("network", "sendFailRate")),
    lastReceivedAt: before(at, durationOf(of("network", "timeSinceLastMsgReceived"))),
    lastSentAt: before(at, durationOf(of("network", "timeSinceLastMsgSent"))),
    ingressConnections: tallyOf(of("network", "primary network validator health", "ingressConnectionCount")),
    diskBytes: countOf(of("diskspace", "availableDiskBytes")),
    diskRatio: percentOf(of("diskspace", "availableDiskPercentage")),
    outstandingRequests: tallyOf(of("router", "outstandingRequests")),
    longestRequest: durationOf(of("router", "longestRunningRequest")),
    localUpgradeTime: announcedOf(of("futureupgrade", "localUpgradeTime")),
    modeUpgradeTime,
    // Without peers the node reports 0 %, which has no meaning.
    modeUpgradeRatio:
      modeUpgradeTime === undefined ? undefined : percentOf(of("futureupgrade", "modeUpgradeWeightPercentage")),
    bootstrapping: textsOf(of("bootstrapped")),
    bls: blsState(checks["bls"]),
  };
});

/** Rounded to microseconds, the precision of a Unix time in a double. */
function before(at: number | undefined, seconds: number | undefined): number | undefined {
  return at === undefined || seconds === undefined ? undefined : setTime(Math.round((at - seconds) * 1e6) / 1e6);
}

export const BLS_STATES = ["correct", "not_a_validator", "no_key", "mismatch", "failing"] as const;

/** State of the check `bls`. Texts: AvalancheGo. */
function blsState(check: HealthReport["checks"][string] | undefined): string | undefined {
  if (check === undefined || check.timestamp === undefined) return undefined;
  if (typeof check.error === "string")
    return check.error.includes("registered to the validator set") ? "mismatch" : "failing";
  if (check.message === "node has the correct BLS key") return "correct";
  if (check.message === "node is not a validator") return "not_a_validator";
  if (check.message === "validator doesn't have a BLS key") return "no_key";
  return undefined;
}
