import { Seconds } from "@grafana/grafana-foundation-sdk/units";
import { execution } from "../../../src/topics/evm/execution.ts";
import { NATIVE_FAMILIES as own } from "../../../src/topics/node/native-families.ts";
import { lines, type Row } from "../parts/panels.ts";
import { ofNodeChain } from "../parts/selectors.ts";
import { native, now, rate } from "./native-row.ts";

/** Execution after acceptance, as on the C-Chain since Helicon. */
export const executionRow: Row = {
  title: "Execution",
  collapsed: true,
  legend: "{{node}} {{chain}}",
  panels: [
    lines(
      "Wait for execution",
      "Does execution keep up with accepted blocks? How long an accepted block of each EVM chain waits until the node has executed it. It grows while the node executes none.",
      ofNodeChain(execution.metrics.wait),
      { unit: Seconds, softMax: 10, alerts: ["AvaxChainExecutionStalled", "AvaxChainExecutionBacklog"] },
    ),
    lines(
      "Execution backlog",
      "How many accepted blocks wait for their execution? At least so many, at the last run of the chain's check. A node accepts some three at most.",
      ofNodeChain(execution.metrics.blocks),
      { decimals: 0, softMax: 5, alerts: ["AvaxChainExecutionStalled", "AvaxChainExecutionBacklog"] },
    ),
    native(
      "Execution queue",
      "How long is the queue of the executor? Accepted blocks that wait for their execution: 0 within each minute on a node in good order.",
      now(own.executionQueue),
      { decimals: 0, softMax: 5 },
    ),
    native(
      "Block execution time",
      "Why do blocks wait? Average time that the node executes a block, and average time from its acceptance until it is executed.",
      [
        [`${rate(own.executionTime)} / (${rate(own.executedBlocks)} > 0)`, "{{node}} execution"],
        [`${rate(own.queueTime)} / (${rate(own.queuedBlocks)} > 0)`, "{{node}} with its wait"],
      ],
      { unit: Seconds, softMax: 1 },
    ),
    native(
      "Unsettled blocks",
      "Does the chain settle what it has executed? Blocks that the node has executed, without those whose results an accepted block has settled.",
      `${now(own.executedHeight)} - ${now(own.settledHeight)}`,
      { decimals: 0, softMax: 10 },
    ),
    native(
      "Gas time ahead of the clock",
      "Is the chain busier than it can be for long? Gas time less the time of the clock, when the last block was executed. Near 0 on a quiet chain; below it, execution lags.",
      now(own.gasTimeGap),
      { unit: Seconds, signed: true },
    ),
    native(
      "Refused blocks per second",
      "Does the node refuse the blocks of its peers? Blocks that it cannot read, because it lacks an upgrade, and that it cannot verify, because its execution stands; by chain.",
      [
        [rate(own.unreadBlocks), "{{node}} {{chain}} unread"],
        [rate(own.unverifiedBlocks), "{{node}} {{chain}} unverified"],
      ],
      { softMax: 5, alerts: ["AvaxNodeBlocksUnreadable", "AvaxNodeBlocksUnverified"] },
    ),
  ],
};
