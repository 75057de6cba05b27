import { PRIMARY, WatchedValidators } from "../../api/node/platform.ts";
import { gauges } from "../define/metric.ts";
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

/** Observations of one Primary Network validator by the polled nodes. */
type Views = { readonly uptimes: readonly number[]; readonly connected: readonly boolean[] };
/** By node ID. */
type State = ReadonlyMap<string, Views>;

export const disagreement = comparingTopic(
  {
    id: "disagreement",
    about: "Do the polled nodes agree on the uptime and connection of each watched validator?",
    needs,
    start: (): State => new Map(),
    compare: (_state: State, data: ComparedData<typeof needs>) => viewsOf(data),
    formulas: [
      {
        metric: "avax_validator_uptime_disagreement_ratio",
        formula: "largest uptime - smallest uptime",
        example: "Three nodes observe 0.9987, 0.9991 and 0.4512.",
        result: 0.5479,
      },
    ],
  },
  {
    uptime: gauges(
      "avax_validator_uptime_disagreement_ratio",
      `Highest minus lowest uptime of a validator as observed by the polled nodes, ${OTHERS} ${SOURCE} \`uptime\`).`,
      ["node_id"],
      ({ state }) => rows(state, ({ uptimes }) => spreadOf(uptimes)),
    ),
    connected: gauges(
      "avax_validator_connected_disagreement",
      `1 while some polled nodes are connected to a validator and others are not, ${OTHERS} ${SOURCE} \`connected\`).`,
      ["node_id"],
      ({ state }) =>
        rows(state, ({ connected }) =>
          connected.length < 2 ? undefined : connected.includes(true) && connected.includes(false),
        ),
    ),
    views: gauges(
      "avax_validator_observers",
      `Polled nodes that observe the uptime of a watched validator, the validator itself left out ${SOURCE} \`uptime\`).`,
      ["node_id"],
      ({ state }) => rows(state, ({ uptimes }) => uptimes.length),
    ),
  },
  ({ uptime }) => ({
    AvaxValidatorViewsDisagree: {
      severity: "warning",
      expr: `100 * (${uptime} > ${apart})`,
      labels: ["network", "node_id"],
      for: "15m",
      thresholds: [apart],
      explainedBy: [],
      summary: '{{ or $labels.name $labels.node_id }}: uptimes differ by {{ $value | printf "%.1f" }} points',
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
        "One node observes low uptimes of all: fix its network. Some observe a low uptime of one: check its public IP, firewall and inbound connections.",
      falseWhen:
        "A node that was offline credits all validators with full uptime for that time, so its figures stay higher until the period ends. Or the period has just begun.",
    },
  }),
);

function viewsOf({ members }: ComparedData<typeof needs>): State {
  const views = new Map<string, { uptimes: number[]; connected: boolean[] }>();
  for (const { facts, answers } of members) {
    // Without the node's ID its own record cannot be left out.
    if (facts.nodeId === undefined) continue;
    for (const { nodeID, uptime, connected } of answers.answers?.get(PRIMARY)?.value.validators ?? []) {
      if (nodeID === facts.nodeId) continue;
      const view = views.get(nodeID) ?? { uptimes: [], connected: [] };
      views.set(nodeID, view);
      if (uptime !== undefined) view.uptimes.push(uptime);
      if (connected !== undefined) view.connected.push(connected);
    }
  }
  return views;
}

/** Largest less smallest, 0 to 1; `undefined` with fewer than two. */
function spreadOf(values: readonly number[]): number | undefined {
  if (values.length < 2) return undefined;
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return Number((most - least).toFixed(12));
}

function rows<V>(state: State, read: (views: Views) => V) {
  return [...state].map(([nodeId, views]) => [{ node_id: nodeId }, read(views)] as const);
}
