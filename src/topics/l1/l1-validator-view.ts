import type { Answer } from "../../api/endpoint.ts";
import type { ChainValidator } from "../../api/node/evm-methods.ts";
import { ChainValidators } from "../../api/node/evm-facts.ts";
import { PRIMARY, Validators, WatchedValidators } from "../../api/node/platform.ts";
import { gauges, perRow, type Context } from "../define/metric.ts";
import type { Sample } from "../../exposition/sample.ts";
import { optional, type ComparedData, type Data } from "../define/needs.ts";
import { comparingTopic, topic } from "../define/topic.ts";
import { SUBNET_NAME } from "../define/alert-texts.ts";
import { DISCONNECTED, DUPLICATED_VALIDATOR } from "../define/causes.ts";
import { threshold } from "../define/threshold.ts";
import { quantile } from "../quantile.ts";

const SOURCE = "(validators.getCurrentValidators of the L1's own chain,";
const ELSE = "else platform.getCurrentValidators {nodeIDs},";
const needs = { chains: optional(ChainValidators), sets: optional(WatchedValidators) };
type Answers = Data<typeof needs>;
const VIEW = "as observed by this node; a node's view of itself does not count";

/** A few minutes offline are much of a younger validation. Seconds. */
const YOUNG = 86_400;

/** No chain states what an L1 requires: 80 % is the Primary Network's, and the default of the staking manager of AvalancheGo's L1s. */
const required = threshold(
  "l1-uptime",
  "share",
  "when the observed uptime of an own L1 validator is below this, a day after its validation began",
  { standard: 0.8, least: 0.01, most: 1 },
);

const LABELS = ["subnet", "node_id", "validation_id"] as const;
type Labels = Readonly<Record<(typeof LABELS)[number], string>>;

/** The validations of the watched validators. */
const ofWatched = perRow({
  labels: LABELS,
  of: (data: Answers, context: Context) =>
    [...seenBy(data, context)].flatMap(([subnet, all]) =>
      all
        .filter(({ nodeID }) => context.watch.includes(nodeID))
        .map(
          (seen) =>
            [
              { subnet, node_id: seen.nodeID, validation_id: seen.validationID },
              // A node is always connected to itself.
              seen.nodeID === context.nodeId ? { ...seen, isConnected: undefined, uptimePercentage: undefined } : seen,
            ] as const,
        ),
    ),
});

/**
 * Uptime and connection of L1 validators. Of real nodes only chains of Subnet-EVM report them; in the specification the P-Chain
 * does. An L1 can pay its rewards by them.
 */
export const l1ValidatorView = topic(
  {
    id: "l1-validator-view",
    about: "Which uptime and connection does each polled node observe for the watched L1 validators?",
    scope: "observer",
    needs,
  },
  {
    uptime: ofWatched.gauge(
      "avax_l1_validator_uptime_ratio",
      `Uptime of a watched validator since the validation began, ${VIEW} ${SOURCE} \`uptimePercentage\`, ${ELSE} \`uptime\`).`,
      ({ uptimePercentage }) => uptimePercentage,
    ),
    connected: ofWatched.gauge(
      "avax_l1_validator_connected",
      `1 while a watched validator is connected, ${VIEW} ${SOURCE} \`isConnected\`, ${ELSE} \`connected\`).`,
      ({ isConnected }) => isConnected,
    ),
    active: ofWatched.gauge(
      "avax_l1_validator_active_on_chain",
      `1 while the chain counts the validation of a watched validator as active, as observed by this node ${SOURCE} \`isActive\`).`,
      ({ isActive }) => isActive,
    ),
  },
);

const comparedNeeds = { chains: ChainValidators, seen: WatchedValidators, sets: Validators };
type Members = ComparedData<typeof comparedNeeds>["members"];
type State = ReadonlyArray<Sample<keyof Labels, number>>;

/** For the operator whose L1 pays by uptime: the others count it, whatever the validator sees of itself. */
export const l1Uptime = comparingTopic(
  {
    id: "l1-uptime",
    about: "Which uptime do the polled nodes observe for each watched L1 validator?",
    needs: comparedNeeds,
    start: (): State => [],
    compare: (_state: State, { members }: ComparedData<typeof comparedNeeds>, { networkSubnets, time }): State =>
      observedUptimes(members, networkSubnets, time),
  },
  {
    uptime: gauges(
      "avax_l1_validator_observed_uptime_ratio",
      `Uptime of a watched validator since the validation began: the median of the other polled nodes; absent in the first day of a validation, of which a few minutes are much ${SOURCE} \`uptimePercentage\`, ${ELSE} \`uptime\`, \`startTime\`).`,
      LABELS,
      ({ state }) => state,
    ),
  },
  ({ uptime }) => ({
    AvaxL1UptimeLow: {
      severity: "warning",
      when: { of: uptime, below: required },
      labels: ["network", "subnet", "node_id", "validation_id"],
      for: "15m",
      noPage:
        "The uptime of an L1 rises and falls by hours; AvaxL1ValidatorOffline pages for a validator that is offline.",
      explainedBy: [
        {
          alert: "AvaxL1ValidatorOffline",
          equal: ["network", "subnet", "node_id"],
          why: "The validator is offline: its uptime falls.",
        },
        { ...DISCONNECTED, sourceMatchers: { subnet: "primary" }, equal: ["network", "node_id"] },
        DUPLICATED_VALIDATOR,
      ],
      summary: `{{ or $labels.name $labels.node_id }} has {{ $value | printf "%.1f" }} % uptime in ${SUBNET_NAME}: rewards at risk`,
      over: "has enough L1 uptime again",
      description: "Its validation is {{ $labels.validation_id }}.",
      meaning:
        "The validators of the L1 count the uptime since the validation began. An L1 that pays rewards asks for a share of it; the default of its staking manager is 80 %.",
      confirm:
        "`avax_l1_validator_observed_uptime_ratio` is the median; `avax_l1_validator_uptime_ratio` and `avax_l1_validator_connected` by node.",
      commands: {
        'call <any-node> info.peers \'{"nodeIDs": ["<node_id>"]}\'':
          "The validator is connected, and has the subnet in `trackedSubnets`.",
      },
      action: "Keep the validator online; its uptime rises slowly. Set `l1-uptime` to what the L1 requires.",
      falsePositives: "The L1 pays no rewards, or requires less.",
    },
  }),
);

/** The median of each validation of a watched validator, its own view left out. */
function observedUptimes(members: Members, subnets: readonly string[], now: number): State {
  const found = new Map<string, { readonly labels: Labels; readonly uptimes: number[] }>();
  for (const { facts, answers } of members) {
    // Without its ID its view of itself cannot be recognized.
    if (facts.nodeId === undefined) continue;
    const watched = new Set(facts.watch);
    const data = { chains: answers.chains && values(answers.chains), sets: answers.seen && values(answers.seen) };
    for (const [subnet, all] of seenBy(data, facts))
      for (const { nodeID, validationID, uptimePercentage } of all) {
        if (!watched.has(nodeID) || nodeID === facts.nodeId || uptimePercentage === undefined) continue;
        const labels = { subnet, node_id: nodeID, validation_id: validationID };
        const { uptimes } = found.get(validationID) ?? { uptimes: [] };
        found.set(validationID, { labels, uptimes: [...uptimes, uptimePercentage] });
      }
  }
  const old = validationsBefore(members, subnets, now - YOUNG);
  return [...found].flatMap(([id, { labels, uptimes }]) =>
    old.has(id) ? [[labels, quantile(0.5, uptimes)] as const] : [],
  );
}

const values = <A>(answers: ReadonlyMap<string, Answer<A>>): ReadonlyMap<string, A> =>
  new Map([...answers].map(([key, { value }]) => [key, value]));

/** The validations that began before a time. Unix seconds. */
function validationsBefore(members: Members, subnets: readonly string[], time: number): ReadonlySet<string> {
  const sets = subnets.map((subnet) =>
    members.map(({ answers }) => answers.sets?.get(subnet)?.value).find((set) => set !== undefined),
  );
  const all = sets.flatMap((set) => set?.validators ?? []);
  return new Set(
    all.flatMap(({ validationID, startTime }) =>
      validationID !== undefined && startTime !== undefined && startTime < time ? [validationID] : [],
    ),
  );
}

/** The validations of each L1. Chains of one subnet have the same validators, so only the first that answers is read. */
function seenBy(
  { chains, sets }: Answers,
  { evmChains }: Pick<Context, "evmChains">,
): ReadonlyMap<string, readonly ChainValidator[]> {
  const found = new Map<string, readonly ChainValidator[]>();
  for (const [id, { validators }] of chains ?? []) {
    const subnet = evmChains.find((chain) => chain.id === id)?.subnet;
    if (subnet !== undefined && !found.has(subnet)) found.set(subnet, validators);
  }
  for (const [subnet, { validators }] of sets ?? []) {
    if (subnet === PRIMARY || found.has(subnet)) continue;
    const seen = validators.map(({ nodeID, validationID, uptime: uptimePercentage, connected: isConnected }) =>
      validationID === undefined ? [] : [{ nodeID, validationID, uptimePercentage, isConnected }],
    );
    found.set(subnet, seen.flat());
  }
  return found;
}
