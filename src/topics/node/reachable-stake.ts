import type { TargetFacts } from "../../api/endpoint.ts";
import type { Health, HealthReport } from "../../api/node/health.ts";
import { PRIMARY, type Validators } from "../../api/node/platform.ts";
import { comparedIds, type chainIds } from "../chain-ids.ts";
import type { Member } from "../define/needs.ts";
import { downSince, type Reaches } from "../reach.ts";
import { stakesOf } from "../stakes.ts";
import { labelledChains } from "./health-messages.ts";

/** With less of the stake within reach a node is cut off: a network that has lost less still has most of its nodes. */
export const CUT_OFF_RATIO = 0.5;

/** A polled node with what decides whether it is cut off. */
export type Connected = Member<{
  reach: typeof Reaches;
  report: typeof Health;
  ids: typeof chainIds;
  sets: typeof Validators;
}>;

/** Whether a node does not answer the exporter. */
export const isDown = ({ answers: { reach } }: { readonly answers: Pick<Connected["answers"], "reach"> }): boolean =>
  reach !== undefined && downSince(reach.value) !== undefined;

/**
 * The share of stake that each answering node could reach: what it is connected to, with the stake of polled nodes of its network that
 * are down. Without these a network that loses nodes would look as if those that are left were cut off.
 */
export function reachableStake(members: readonly Connected[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [network, nodes] of Map.groupBy(members, ({ facts }) => facts.network ?? "")) {
    const missing = network === "" ? 0 : missingStake(nodes);
    for (const { facts, answers } of nodes) {
      const ratio = answers.report && connectedStake(facts, answers.report.value, answers.ids);
      if (ratio !== undefined) found.set(facts.node, Math.min(1, ratio + missing));
    }
  }
  return found;
}

/** The share of the Primary Network's stake that a node reports as connected (health API, check of the P-Chain). */
function connectedStake(
  facts: TargetFacts,
  report: HealthReport,
  ids: Connected["answers"]["ids"],
): number | undefined {
  const chains = labelledChains(facts, report, comparedIds(ids));
  return chains.find(([chain]) => chain === "P")?.[1].connectedRatio;
}

/** The share of the Primary Network's stake that the polled nodes have which are down. */
function missingStake(nodes: readonly Connected[]): number {
  const down = nodes.filter(isDown);
  if (down.length === 0) return 0;
  const set = nodes.map(({ answers }) => answers.sets?.get(PRIMARY)?.value).find((each) => each !== undefined);
  if (set === undefined) return 0;
  const { byNode, total } = stakesOf(set);
  if (total === 0n) return 0;
  const ids = new Set(down.flatMap(({ facts }) => facts.nodeId ?? []));
  const missing = [...ids].reduce((sum, id) => sum + (byNode.get(id) ?? 0n), 0n);
  return Number((missing * 1_000_000n) / total) / 1_000_000;
}
