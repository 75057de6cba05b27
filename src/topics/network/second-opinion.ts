import { SecondFeeState, ValidatorFeeState } from "../../api/node/platform-state.ts";
import { SecondValidators, Validators, type Validator } from "../../api/node/platform.ts";
import type { Answer } from "../../api/endpoint.ts";
import { gauges, type Context } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";
import { totalWeight, type ValidatorSet } from "../stakes.ts";

const needs = { sets: Validators, second: SecondValidators, fee: ValidatorFeeState, secondFee: SecondFeeState };

/** What two nodes of a network report differently. */
type Dispute = {
  readonly subnet: string;
  readonly about: "members" | "keys" | "balances" | "weights" | "price";
  readonly a: string;
  readonly b: string;
};

/** Shares by which figures of two answers differ, which are up to a minute apart. */
const APART = { balance: 0.1, weight: 0.05, price: 0.5 } as const;

/** For whoever would be paged for what one node alone reports: pages rest on what both report, and this is the finding. */
export const secondOpinion = comparingTopic(
  {
    id: "second-opinion",
    about: "Do two nodes of the network report the same validators?",
    needs,
    start: (): readonly Dispute[] => [],
    compare: (_before: readonly Dispute[], { members }: ComparedData<typeof needs>, context: Context) => {
      const { sets, second, fee, secondFee } = members[0]?.answers ?? {};
      const found = [...(sets ?? [])].flatMap(([subnet, first]) => {
        const other = second?.get(subnet);
        const watched = new Set(context.watchNetwork);
        return other === undefined
          ? []
          : disputed(first, other, watched).map((about) => ({ subnet, about, ...named(first, other) }));
      });
      const isPriced =
        fee !== undefined && secondFee !== undefined && isApart(fee.value.price, secondFee.value.price, APART.price);
      return isPriced ? [...found, { subnet: "", about: "price" as const, ...named(fee, secondFee) }] : found;
    },
  },
  {
    disputes: gauges(
      "avax_network_nodes_disagree",
      "1 while the node that is asked about a network and a second one, `a` and `b`, report something else of its validators; `about` is members (watched ones), keys, balances, weights or price (of L1 validators); absent while they agree (platform.getCurrentValidators, `nodeID`, `publicKey`, `balance`, `weight`; platform.getValidatorFeeState, `price`).",
      ["subnet", "about", "a", "b"],
      ({ state }) => state.map((dispute) => [dispute, 1] as const),
    ),
  },
  ({ disputes }) => ({
    AvaxNetworkNodesDisagree: {
      severity: "warning",
      when: { of: disputes, equals: 1 },
      labels: ["network", "subnet", "about", "a", "b"],
      for: "5m",
      noPage: "Which of the two is right is unknown; what both report pages.",
      summary: "{{ $labels.a }} and {{ $labels.b }} disagree about {{ $labels.about }}",
      over: "Nodes of {{ $labels.network }} agree about {{ $labels.about }}",
      description: "They report different validators of {{ $labels.network }}.",
      meaning:
        "One of the nodes is corrupt, on another chain, or behind. What is exported about the network is that of the first one; pages need both.",
      confirm: "The answers of both, and of a third node.",
      commands: {
        "call <any-node> platform.getCurrentValidators":
          "Members, keys, balances and weights, by node; add `subnetID` for an L1.",
      },
      action: "Find the node that differs from a third one; resync it, or remove it.",
      falsePositives: "One of the two is some minutes behind the P-Chain.",
    },
  }),
);

const named = (first: Answer, second: Answer) => ({ a: first.by ?? "", b: second.by ?? "" });

/** What two answers about one set differ in, of what pages rest on. */
function disputed(
  first: Answer<ValidatorSet>,
  second: Answer<ValidatorSet>,
  watched: ReadonlySet<string>,
): ReadonlyArray<Dispute["about"]> {
  const [a, b] = [byId(first.value), byId(second.value)];
  const pairs = [...a].flatMap(([id, each]) => {
    const other = b.get(id);
    return other === undefined ? [] : [[each, other] as const];
  });
  const isOwn = ([, { nodeID }]: readonly [string, Validator]): boolean => watched.has(nodeID);
  const isMissing = [...a].filter(isOwn).some(([id]) => !b.has(id)) || [...b].filter(isOwn).some(([id]) => !a.has(id));
  const keyOf = ({ publicKey, signer }: Validator) => (publicKey ?? signer?.publicKey)?.toLowerCase();
  const [weight, other] = [totalWeight(first.value.validators), totalWeight(second.value.validators)].map(Number);
  return [
    ...(isMissing ? (["members"] as const) : []),
    ...(pairs.some(([x, y]) => keyOf(x) !== keyOf(y)) ? (["keys"] as const) : []),
    ...(pairs.some(([x, y]) => isApart(x.balance ?? 0, y.balance ?? 0, APART.balance)) ? (["balances"] as const) : []),
    ...(isApart(weight ?? 0, other ?? 0, APART.weight) ? (["weights"] as const) : []),
  ];
}

const byId = ({ validators }: ValidatorSet): ReadonlyMap<string, Validator> =>
  new Map(validators.map((each) => [each.validationID ?? each.nodeID, each]));

const isApart = (a: number, b: number, share: number): boolean => Math.abs(a - b) > share * Math.max(a, b);
