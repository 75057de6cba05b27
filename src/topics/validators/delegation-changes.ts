import { OwnDelegations, type OwnRecord } from "../../api/node/platform.ts";
import { toAvax } from "../../api/wire.ts";
import { counters } from "../define/metric.ts";
import { reducer } from "../define/topic.ts";

/** Weights in nAVAX by transaction of the delegations in the last answer about a node ID, and what changed since the first one. */
type State = {
  readonly nodeId: string | undefined;
  readonly known: ReadonlyMap<string, bigint> | undefined;
  readonly began: Sum;
  readonly ended: Sum;
};
type Sum = { readonly number: number; readonly weight: bigint };

const NONE: Sum = { number: 0, weight: 0n };
const SINCE = "since the exporter started (platform.getCurrentValidators with the node's own ID, `delegators`:";

/** What an operator asks each morning: who came, and who left? Nothing is saved: the first answer is the one to compare with. */
export const delegationChanges = reducer(
  {
    id: "delegation-changes",
    about: "How much was newly delegated to this node's validator, and how much has ended?",
    scope: "node",
    needs: { own: OwnDelegations },
    start: (): State => ({ nodeId: undefined, known: undefined, began: NONE, ended: NONE }),
    next: (state: State, { own }, { nodeId }): State => {
      const now = delegationsOf(own.validators, nodeId);
      if (now === undefined) return state;
      const known = state.nodeId === nodeId ? (state.known ?? now) : now;
      return {
        nodeId,
        known: now,
        began: added(state.began, now, known),
        ended: added(state.ended, known, now),
      };
    },
  },
  {
    number: counters(
      "avax_node_delegation_changes_total",
      `Delegations to this node's validator that began or ended ${SINCE} \`txID\`).`,
      ["change"],
      ({ state }) => rows(state, ({ number }) => number),
    ),
    stake: counters(
      "avax_node_delegation_changes_avax_total",
      `Stake of the delegations to this node's validator that began or ended ${SINCE} \`txID\`, \`weight\`).`,
      ["change"],
      ({ state }) => rows(state, ({ weight }) => toAvax(weight)),
    ),
  },
);

/** `undefined` where the answer does not list them; none of a node that is not a validator. */
function delegationsOf(
  validators: readonly OwnRecord[],
  nodeId: string | undefined,
): ReadonlyMap<string, bigint> | undefined {
  const own = validators.find(({ nodeID }) => nodeID === nodeId);
  if (own === undefined) return validators.length === 0 ? new Map() : undefined;
  const found = own.delegators?.flatMap(({ txID, weight }) => (txID === undefined ? [] : [[txID, weight] as const]));
  return found === undefined || found.length !== own.delegators?.length ? undefined : new Map(found);
}

/** The sum with what is in the first, but not in the second. */
function added(sum: Sum, these: ReadonlyMap<string, bigint>, others: ReadonlyMap<string, bigint>): Sum {
  const more = [...these].filter(([id]) => !others.has(id));
  return { number: sum.number + more.length, weight: more.reduce((all, [, weight]) => all + weight, sum.weight) };
}

function rows({ known, began, ended }: State, read: (sum: Sum) => number) {
  if (known === undefined) return [];
  return [[{ change: "began" }, read(began)] as const, [{ change: "ended" }, read(ended)] as const];
}
