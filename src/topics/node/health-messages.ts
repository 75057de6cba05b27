import { z } from "zod";
import type { HealthReport } from "../../api/node/health.ts";
import {
  count,
  goDuration,
  height,
  list,
  percent,
  plannedTime,
  ratio,
  ratioOfPercent,
  setTime,
} from "../../api/wire.ts";
import { isChainCheck } from "../labels.ts";
import { perAnswer } from "../per-answer.ts";

/**
 * The `message` of health checks ("Message contents seen"). The specification types it as "any", so a message in another
 * format is valid: fields that cannot be read are absent.
 */

const soft = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

/** What a schema reads of a message, which most checks lack. A failed check of a schema costs more than a successful one. */
function readAs<T>(schema: z.ZodType<T>, message: unknown): T | undefined {
  return typeof message === "object" && message !== null ? schema.safeParse(message).data : undefined;
}

const duration = goDuration.refine((seconds) => seconds >= 0);

const chainMessage = z.object({
  engine: soft(
    z.object({
      consensus: soft(
        z.object({
          lastAcceptedHeight: soft(height),
          lastAcceptedID: soft(z.string()),
          processingBlocks: soft(count),
          longestProcessingBlock: soft(duration),
          avgAcceptanceTime: soft(duration),
        }),
      ),
    }),
  ),
  networking: soft(z.object({ percentConnected: soft(ratio), disconnectedValidators: soft(list(z.string())) })),
});

/** Chain checks list the inactive members of an L1, whose weight has no owner, under this ID. */
const EMPTY_NODE_ID = "NodeID-111111111111111111116DBWJs";

/** Figures of one chain's health check, in seconds and ratios; `undefined` where the message lacks them. */
export type ChainHealth = {
  /** The chain's alias or blockchain ID: the name of its check. */
  readonly check: string;
  /** Unix seconds of the node's own clock. */
  readonly checkedAt: number | undefined;
  /** Duration of the check's last run. */
  readonly took: number | undefined;
  readonly height: number | undefined;
  /** ID of the last accepted block. */
  readonly lastId: string | undefined;
  readonly processing: number | undefined;
  readonly longestProcessing: number | undefined;
  readonly acceptanceTime: number | undefined;
  readonly connectedRatio: number | undefined;
  readonly disconnected: number | undefined;
  /** Share of the weight that consensus needs, which a check names while it fails. */
  readonly requiredRatio: number | undefined;
};

/** "not connected to enough stake: connected to 75.000000%; required at least 80.000000%" */
const REQUIRED = /required at least (\d+(?:\.\d+)?)%/;
/** The error of releases before 1.8, and of servers that follow them. */
const nestedError = z.object({ message: z.string() });

function requiredBy({ error, message }: HealthReport["checks"][string]): number | undefined {
  for (const text of [error, readAs(nestedError, error)?.message, message]) {
    const required = typeof text === "string" ? Number(REQUIRED.exec(text)?.[1]) : NaN;
    if (required > 0 && required <= 100) return ratioOfPercent(required);
  }
  return undefined;
}

/** Maximum of tracked chains with series; a node has a few, an archive of L1s perhaps a hundred. */
const MOST_CHAINS = 100;

/** The chains of a health report. Heights are those of the check's last run, up to 30 s before the answer. */
export const chainsOf = perAnswer((report: HealthReport): readonly ChainHealth[] =>
  Object.entries(report.checks)
    .filter(([name]) => isChainCheck(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, MOST_CHAINS)
    .map(([check, result]) => {
      const { message, timestamp: checkedAt, duration: took } = result;
      const { engine, networking } = readAs(chainMessage, message) ?? {};
      const consensus = engine?.consensus;
      return {
        check,
        checkedAt,
        took,
        height: consensus?.lastAcceptedHeight,
        lastId: consensus?.lastAcceptedID,
        processing: consensus?.processingBlocks,
        longestProcessing: consensus?.longestProcessingBlock,
        acceptanceTime: consensus?.avgAcceptanceTime,
        connectedRatio: networking?.percentConnected,
        disconnected: networking?.disconnectedValidators?.filter((id) => id !== EMPTY_NODE_ID).length,
        requiredRatio: requiredBy(result),
      };
    }),
);

const networkMessage = z.object({
  connectedPeers: soft(count),
  sendFailRate: soft(ratio),
  timeSinceLastMsgReceived: soft(duration),
  timeSinceLastMsgSent: soft(duration),
  "primary network validator health": soft(z.object({ ingressConnectionCount: soft(count) })),
});
const diskMessage = z.object({ availableDiskBytes: soft(count), availableDiskPercentage: soft(percent) });
const routerMessage = z.object({ longestRunningRequest: soft(duration), outstandingRequests: soft(count) });
const bootstrappingMessage = z.array(z.string()).nullable();
/** An announced upgrade; `undefined` where none is. */
const announced = plannedTime.transform((time) => (time === undefined ? undefined : setTime(time)));
const upgradeMessage = z.object({
  localUpgradeTime: soft(announced),
  modeUpgradeTime: soft(announced),
  modeUpgradeWeightPercentage: soft(percent),
});

/** Figures of the node-wide checks, in seconds, bytes and ratios; `undefined` where the messages lack them. */
export const nodeHealthOf = perAnswer(({ checks }: HealthReport) => {
  const network = readAs(networkMessage, checks["network"]?.message);
  const disk = readAs(diskMessage, checks["diskspace"]?.message);
  const router = readAs(routerMessage, checks["router"]?.message);
  const upgrade = readAs(upgradeMessage, checks["futureupgrade"]?.message);
  const at = checks["network"]?.timestamp;
  return {
    connectedPeers: network?.connectedPeers,
    sendFailRatio: network?.sendFailRate,
    lastReceivedAt: before(at, network?.timeSinceLastMsgReceived),
    lastSentAt: before(at, network?.timeSinceLastMsgSent),
    ingressConnections: network?.["primary network validator health"]?.ingressConnectionCount,
    diskBytes: disk?.availableDiskBytes,
    diskRatio: disk?.availableDiskPercentage,
    outstandingRequests: router?.outstandingRequests,
    longestRequest: router?.longestRunningRequest,
    localUpgradeTime: upgrade?.localUpgradeTime,
    modeUpgradeTime: upgrade?.modeUpgradeTime,
    // Without peers the node reports 0 %, which has no meaning.
    modeUpgradeRatio: upgrade?.modeUpgradeTime === undefined ? undefined : upgrade.modeUpgradeWeightPercentage,
    bootstrapping: bootstrappingMessage.safeParse(checks["bootstrapped"]?.message).data,
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
