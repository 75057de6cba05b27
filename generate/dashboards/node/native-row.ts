import { BytesIEC, PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { NATIVE_FAMILIES as own } from "../../../src/topics/node/native-families.ts";
import { lines, type Panel, type PanelOptions, type Row } from "../parts/panels.ts";
import type { PanelQueries } from "../parts/targets.ts";
import { ofNode } from "../parts/selectors.ts";

const CHAIN = "{{node}} {{chain}}";
const NANOSECONDS = 1_000_000_000;

type Family = (typeof own)[keyof typeof own];

export const now = (family: Family): string => ofNode(family);
export const rate = (family: Family): string => `rate(${ofNode(family)}[$__rate_interval])`;
/** The part of two rates; absent while both are 0. */
const part = (some: Family, others: Family) => `${rate(some)} / (${rate(some)} + ${rate(others)} > 0)`;

/** These panels are empty without the second scrape job, so each of them names it. */
export function native(title: string, about: string, figures: PanelQueries, options: PanelOptions = {}): Panel {
  const from = `${about} From the node's own /ext/metrics: needs the second scrape job, of /sd.`;
  return lines(title, from, figures, { ...options, noValue: "needs the scrape job of /sd" });
}

export const nativeRow: Row = {
  title: "Node's own metrics (second scrape job)",
  collapsed: true,
  legend: CHAIN,
  panels: [
    native(
      "Throttled inbound messages",
      "Do messages wait before the node reads them? Messages of peers that wait to be read, by the throttler that holds them: buffer bytes, buffer slots, bandwidth, CPU and disk. Lasting waits delay consensus.",
      [
        [now(own.waitingForBytes), "{{node}} bytes"],
        [now(own.waitingForBuffer), "{{node}} slots"],
        [now(own.waitingForBandwidth), "{{node}} bandwidth"],
        [now(own.waitingForCpu), "{{node}} CPU"],
        [now(own.waitingForDisk), "{{node}} disk"],
      ],
      { decimals: 0 },
    ),
    native(
      "Throttled messages (share)",
      "How many messages does the node delay or drop? Share of inbound messages that waited because their sender had used too much CPU or disk, and of outbound messages that were dropped.",
      [
        [part(own.cpuWaits, own.cpuPasses), "{{node}} CPU"],
        [part(own.diskWaits, own.diskPasses), "{{node}} disk"],
        [part(own.outboundDropped, own.outboundSent), "{{node}} dropped outbound"],
      ],
      { unit: PercentUnit, softMax: 0.1, alerts: ["AvaxNodeMessagesThrottled"] },
    ),
    native(
      "Consensus polls per minute",
      "Does consensus make progress? Polls of validators that succeeded, by chain: enough of them preferred the same block.",
      `60 * ${rate(own.pollsSuccessful)}`,
    ),
    native(
      "Failed consensus polls",
      "Do enough validators answer the node? Share of the polls of validators that failed, by chain. A few fail always; many: too little stake answers.",
      part(own.pollsFailed, own.pollsSuccessful),
      { unit: PercentUnit, softMax: 0.1, alerts: ["AvaxNodeQueriesFailing", "AvaxNodeQueriesLost"] },
    ),
    native(
      "Consensus poll duration",
      "How fast do the validators answer? Average time until a poll of validators ended, by chain.",
      `${rate(own.pollTime)} / (${rate(own.pollTimes)} > 0) / ${NANOSECONDS}`,
      { unit: Seconds, softMax: 0.1 },
    ),
    native(
      "Database calls",
      "Which chain keeps the database busy? Share of the time that each chain spends in calls of its database; the ten that spend most.",
      `topk(10, sum by (node, chain) (${rate(own.databaseTime)})) / ${NANOSECONDS}`,
      { unit: PercentUnit, softMax: 0.1 },
    ),
    native(
      "Database call duration",
      "Which calls of the database are slow? Average time of a call of the database by kind; the ten that take longest.",
      [
        `topk(10, sum by (node, method) (${rate(own.databaseTime)}) / (sum by (node, method) (${rate(own.databaseCalls)}) > 0)) / ${NANOSECONDS}`,
        "{{node}} {{method}}",
      ],
      { unit: Seconds, softMax: 0.001 },
    ),
    native(
      "Database size",
      "How large is the database? Bytes in the database's tables. LevelDB alone reports it.",
      [`sum by (node) (${now(own.databaseSize)})`, "{{node}}"],
      { unit: BytesIEC },
    ),
    native(
      "Compaction stalls",
      "Does the database delay writes? Share of the time for which the database delayed writes because compaction could not keep up. LevelDB alone reports it.",
      [`${rate(own.delayedTime)} / ${NANOSECONDS}`, "{{node}}"],
      { unit: PercentUnit, softMax: 0.1, alerts: ["AvaxNodeDatabaseStalls"] },
    ),
  ],
};
