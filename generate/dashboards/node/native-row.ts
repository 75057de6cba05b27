import { BytesIEC, BytesPerSecondIEC, PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { where } from "../../../src/topics/define/selector.ts";
import { NATIVE_FAMILIES as native } from "../parts/native-families.ts";
import type { PanelOptions, Row } from "../parts/panel-options.ts";
import { lines } from "../parts/panels.ts";
import { NODE } from "../parts/selectors.ts";

const CHAIN = "{{node}} {{chain}}";
const NANOSECONDS = 1_000_000_000;

type Family = (typeof native)[keyof typeof native];

const now = (family: Family) => where(family, NODE);
const rate = (family: Family) => `rate(${where(family, NODE)}[$__rate_interval])`;
/** The part of two rates; absent while both are 0. */
const part = (some: Family, others: Family) => `${rate(some)} / (${rate(some)} + ${rate(others)} > 0)`;

/** These panels are empty without the second scrape job, so each of them names it. */
function options(own: Omit<PanelOptions, "width" | "noValue">): PanelOptions {
  const about = `${own.about} From the node's own /ext/metrics: needs the second scrape job, of /sd.`;
  return { ...own, about, width: 8, noValue: "needs the scrape job of /sd" };
}

export const nativeRow: Row = {
  id: 800,
  title: "Node's own metrics (second scrape job)",
  collapsed: true,
  panels: [
    lines(
      options({
        id: 801,
        title: "Throttled inbound messages",
        about:
          "Messages of peers that wait to be read, by the throttler that holds them: buffer bytes, buffer slots, bandwidth, CPU and disk. Lasting waits delay consensus.",
        unit: Short,
        decimals: 0,
      }),
      [
        [now(native.waitingForBytes), "{{node}} bytes"],
        [now(native.waitingForBuffer), "{{node}} slots"],
        [now(native.waitingForBandwidth), "{{node}} bandwidth"],
        [now(native.waitingForCpu), "{{node}} CPU"],
        [now(native.waitingForDisk), "{{node}} disk"],
      ],
    ),
    lines(
      options({
        id: 802,
        title: "Throttled messages (share)",
        about:
          "Share of inbound messages that waited because their sender had used too much CPU or disk, and of outbound messages that were dropped.",
        unit: PercentUnit,
        softMax: 0.1,
      }),
      [
        [part(native.cpuWaits, native.cpuPasses), "{{node}} CPU"],
        [part(native.diskWaits, native.diskPasses), "{{node}} disk"],
        [part(native.outboundDropped, native.outboundSent), "{{node}} dropped outbound"],
      ],
    ),
    lines(
      options({
        id: 803,
        title: "Free message buffers",
        about:
          "Bytes left for messages that are being handled, for all peers and for validators alone. At 0 further messages wait or are dropped.",
        unit: BytesIEC,
      }),
      [
        [now(native.inboundFree), "{{node}} inbound"],
        [now(native.inboundFreeOfValidators), "{{node}} inbound, validators"],
        [now(native.outboundFree), "{{node}} outbound"],
        [now(native.outboundFreeOfValidators), "{{node}} outbound, validators"],
      ],
    ),
    lines(
      options({
        id: 804,
        title: "Consensus polls per second",
        about: "Polls of validators that succeeded, by chain: enough of them preferred the same block.",
        unit: Short,
      }),
      [[rate(native.pollsSuccessful), CHAIN]],
    ),
    lines(
      options({
        id: 805,
        title: "Failed consensus polls",
        about:
          "Share of the polls of validators that failed, by chain. A few fail always; many: too little stake answers.",
        unit: PercentUnit,
        softMax: 0.1,
      }),
      [[part(native.pollsFailed, native.pollsSuccessful), CHAIN]],
    ),
    lines(
      options({
        id: 806,
        title: "Consensus poll duration",
        about: "Average time until a poll of validators ended, by chain.",
        unit: Seconds,
        softMax: 0.1,
      }),
      [[`${rate(native.pollTime)} / (${rate(native.pollTimes)} > 0) / ${NANOSECONDS}`, CHAIN]],
    ),
    lines(
      options({
        id: 807,
        title: "Pending consensus polls",
        about: "Polls of validators that have not ended yet, by chain.",
        unit: Short,
        decimals: 0,
      }),
      [[now(native.pollsPending), CHAIN]],
    ),
    lines(
      options({
        id: 808,
        title: "Database calls",
        about: "Share of the time that each chain spends in calls of its database; the ten that spend most.",
        unit: PercentUnit,
        softMax: 0.1,
      }),
      [[`topk(10, sum by (node, chain) (${rate(native.databaseTime)})) / ${NANOSECONDS}`, CHAIN]],
    ),
    lines(
      options({
        id: 809,
        title: "Database call duration",
        about: "Average time of a call of the database by kind; the ten that take longest.",
        unit: Seconds,
        softMax: 0.001,
      }),
      [
        [
          `topk(10, sum by (node, method) (${rate(native.databaseTime)}) / (sum by (node, method) (${rate(native.databaseCalls)}) > 0)) / ${NANOSECONDS}`,
          "{{node}} {{method}}",
        ],
      ],
    ),
    lines(
      options({
        id: 810,
        title: "Database size",
        about: "Bytes in the database's tables. LevelDB alone reports it.",
        unit: BytesIEC,
      }),
      [[`sum by (node) (${now(native.databaseSize)})`, "{{node}}"]],
    ),
    lines(
      options({
        id: 811,
        title: "Compaction stalls",
        about:
          "Share of the time for which the database delayed writes because compaction could not keep up, and delayed writes per second. LevelDB alone reports it.",
        unit: PercentUnit,
        softMax: 0.1,
      }),
      [
        [`${rate(native.delayedTime)} / ${NANOSECONDS}`, "{{node}} time"],
        [rate(native.delayedWrites), "{{node}} writes per second"],
      ],
    ),
    lines(
      options({
        id: 812,
        title: "Compaction traffic",
        about: "Bytes that compaction reads and writes. LevelDB alone reports it.",
        unit: BytesPerSecondIEC,
      }),
      [
        [rate(native.compactionReads), "{{node}} read"],
        [rate(native.compactionWrites), "{{node}} written"],
      ],
    ),
  ],
};
