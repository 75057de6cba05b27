import { healthResources } from "../../src/api/node/health.ts";
import { infoMethods, type Uptime } from "../../src/api/node/info.ts";
import { stateMethods } from "../../src/api/node/platform-state.ts";
import { platformMethods } from "../../src/api/node/platform.ts";
import type { Context } from "../../src/topics/define/metric.ts";
import { S1, S2 } from "./local-network.ts";
import { recorded, recordedInfo, recordingOf } from "./recordings.ts";
import { contextOf, type ContextOptions } from "./topics.ts";

/** Recorded answers for tests of derived metrics. Times are Unix seconds of the recordings. */

export const LOCAL_TIME = 1_795_259_208; // 2026-11-21T11:06:48Z
export const DRAINED_TIME = 1_795_260_062; // 2026-11-21T11:21:02Z
export const AHEAD_TIME = 1_795_258_300; // 2026-11-21T10:51:40Z
export const LEFT_TIME = 1_795_259_002; // 2026-11-21T11:03:22Z
export const RENEWED_TIME = 1_795_259_003; // 2026-11-21T11:03:23Z
export const RESTARTED_TIME = 1_795_259_380; // 2026-11-21T11:09:40Z

const setSchema = platformMethods.getCurrentValidators.result;

/** The validator sets of the Primary Network and, if recorded, of both subnets. */
export function recordedSets(recording: string) {
  const { answers } = recordingOf(recording);
  const names = [
    ["primary", "primary"],
    ["s1", S1],
    ["s2", S2],
  ] as const;
  return new Map(
    names
      .map(([name, subnet]) => [`platform.getCurrentValidators.${name}`, subnet] as const)
      .filter(([name]) => answers.some((each) => each.name === name))
      .map(([name, subnet]) => [subnet, recorded(recording, name, setSchema)] as const),
  );
}

export const recordedPeers = (recording: string) => recordedInfo(recording, "peers");
export const recordedUpgrades = (recording: string) => recordedInfo(recording, "upgrades");
export const recordedUptime = (recording: string): Uptime =>
  recorded(recording, "info.uptime", infoMethods.uptime.result);
export const recordedReport = (recording: string) => recorded(recording, "health.get", healthResources.health.result);
export const recordedFee = (recording: string) =>
  recorded(recording, "platform.getValidatorFeeState", stateMethods.getValidatorFeeState.result);
export const recordedNodeId = (recording: string): string => recordedInfo(recording, "getNodeID").nodeID;

/** A context with the same time for every answer. */
export function timed(options: ContextOptions & { readonly time: number }, ...needs: readonly string[]): Context {
  return { ...contextOf(options), times: Object.fromEntries(needs.map((need) => [need, options.time])) };
}

/** An answer for a comparison of nodes. */
export const answered = <V>(value: V, at: number) => ({ value, askedAt: at - 0.1, answeredAt: at });
