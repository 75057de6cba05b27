import { PRIMARY, WatchedValidators, type Validator } from "../../api/node/platform.ts";
import { perRow } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";
import { threshold } from "../define/threshold.ts";

/** Uptimes that differ by more than this share of a staking period cannot all be right about a reward. */
export const DISAGREEMENT_RATIO = 0.1;

const apart = threshold(
  "uptime-disagreement",
  "share",
  "when the observed uptimes of a validator differ by more than this",
  { standard: DISAGREEMENT_RATIO, least: 0.005, most: 1 },
);

const needs = { answers: WatchedValidators };
const SOURCE = "(platform.getCurrentValidators with nodeIDs,";
const OTHERS = "its own view left out; absent with fewer than two views";

/** By node ID, the records of a Primary Network validator that the other polled nodes have. */
type State = ReadonlyMap<string, readonly Validator[]>;

const ofValidator = perRow({
  labels: ["node_id"],
  of: ({ state }: { readonly state: State }) =>
    [...state].map(([nodeId, records]) => [{ node_id: nodeId }, records] as const),
});

export const disagreement = comparingTopic(
  {
    id: "disagreement",
    about: "Do the polled nodes agree on the uptime and connection of each watched validator?",
    needs,
    start: (): State => new Map(),
    compare: (_state: State, data: ComparedData<typeof needs>) => viewsOf(data),
    formulas: [
      {
        metric: "avax_validator_uptime_spread_ratio",
        formula: "largest uptime - smallest uptime",
        example: "Three nodes observe 0.9987, 0.9991 and 0.4512.",
        result: 0.5479,
      },
    ],
  },
  {
    uptime: ofValidator.gauge(
      "avax_validator_uptime_spread_ratio",
      `Highest minus lowest uptime of a validator as observed by the polled nodes, ${OTHERS} ${SOURCE} \`uptime\`).`,
      (records) => spreadOf(uptimesOf(records)),
    ),
    connected: ofValidator.gauge(
      "avax_validator_connected_disagreement",
      `1 while some polled nodes are connected to a validator and others are not, ${OTHERS} ${SOURCE} \`connected\`).`,
      (records) => {
        const views = records.map(({ connected }) => connected).filter((connected) => connected !== undefined);
        return views.length < 2 ? undefined : views.includes(true) && views.includes(false);
      },
    ),
    views: ofValidator.gauge(
      "avax_validator_observers",
      `Polled nodes that observe the uptime of a watched validator, the validator itself left out ${SOURCE} \`uptime\`).`,
      (records) => uptimesOf(records).length,
    ),
  },
  ({ uptime }) => ({
    AvaxValidatorViewsDisagree: {
      severity: "warning",
      when: { of: uptime, above: apart },
      labels: ["network", "node_id"],
      for: "15m",
      summary: '{{ or $labels.name $labels.node_id }}: uptimes differ by {{ $value | printf "%.1f" }} points',
      over: "has one uptime on the polled nodes",
      description: "Polled nodes of {{ $labels.network }} observe different uptimes.",
      meaning:
        "Validators vote on the reward by their own observation. Either one polled node has a network problem, or only a part of the network can reach the validator.",
      confirm:
        "`avax_validator_uptime_ratio` and `avax_validator_connected` of this node ID, by node; `avax_chain_connected_stake_ratio` of the node that observes the lowest uptime.",
      commands: {
        [`call <any-node> platform.getCurrentValidators '{"nodeIDs": ["<node_id>"]}'`]:
          "`uptime` and `connected` as this node observes them. Query each polled node: one that differs from all others has a problem of its own.",
      },
      action:
        "One node observes all as low: fix its network. One validator is low: fix that one's. Check its public IP, firewall and inbound connections.",
      falsePositives:
        "A node that was offline credits all validators with full uptime for that time, so its figures stay higher until the period ends. Or the period has just begun.",
    },
  }),
);

function viewsOf({ members }: ComparedData<typeof needs>): State {
  const records = members.flatMap(({ facts: { nodeId }, answers }) =>
    (answers.answers?.get(PRIMARY)?.value.validators ?? [])
      // Without the node's ID its own record cannot be left out.
      .filter(({ nodeID }) => nodeId !== undefined && nodeID !== nodeId),
  );
  return Map.groupBy(records, ({ nodeID }) => nodeID);
}

const uptimesOf = (records: readonly Validator[]): readonly number[] =>
  records.map(({ uptime }) => uptime).filter((uptime) => uptime !== undefined);

/** Largest less smallest, 0 to 1; `undefined` with fewer than two. */
function spreadOf(values: readonly number[]): number | undefined {
  return values.length < 2 ? undefined : Number((Math.max(...values) - Math.min(...values)).toFixed(12));
}
