import { SecondFeeState, type ValidatorFee, ValidatorFeeState } from "../../api/node/platform-state.ts";
import { SecondValidators, Validators } from "../../api/node/platform.ts";
import { gauge, gauges, infos, perRow, type Context } from "../define/metric.ts";
import { optional, type Data } from "../define/needs.ts";
import { reducer } from "../define/topic.ts";
import type { ValidatorSets } from "../stakes.ts";
import { SUBNET_NAME } from "../define/alert-texts.ts";
import { RUNWAY_CONFIRM, runwayAlerts, shortRunway } from "./runway-alerts.ts";

/** Maximum number of members of one L1 with series: an L1's own manager decides how many there are. */
const MOST_MEMBERS = 500;
const SOURCE_OF_SET = "(platform.getCurrentValidators,";
/** By more the P-Chain clocks of two nodes that follow it do not differ. Seconds. */
const CLOCKS_APART = 300;
/** Accepted lead of a block's timestamp over the local clock. Seconds. */
const CLOCK_TOLERANCE = 10;
const SOURCE = "(platform.getCurrentValidators, `balance`; platform.getValidatorFeeState, `price`, `timestamp`).";

type State = {
  /** The P-Chain's clock when the balances were read, where the server reports the price. */
  readonly clock: number | undefined;
  /** By validation ID; only while no server reports the price. */
  readonly falls: ReadonlyMap<string, Falls>;
};
type Price = { readonly price: number; readonly asOf: number; readonly source: "live" | "observed" };

const LABELS = ["subnet", "node_id", "validation_id"] as const;
const ofMember = perRow({ labels: LABELS, of: ({ sets }: { readonly sets: ValidatorSets }) => l1Members(sets) });

const needs = {
  ...{ sets: Validators, fee: optional(ValidatorFeeState) },
  ...{ second: optional(SecondValidators), secondFee: optional(SecondFeeState) },
};
type Answers = Data<typeof needs>;

/** How the price is followed. */
const FOLLOWING = {
  scope: "network",
  needs,
  start: (): State => ({ clock: undefined, falls: new Map() }),
  next: (state: State, { sets, fee }: Answers, { times, time }: Context): State => {
    const readAt = times["sets"] ?? time;
    if (fee === undefined) return { clock: undefined, falls: fallsOf(state, sets, readAt) };
    // Balances that were read before the last block are of an earlier clock.
    const isLater = fee.timestamp !== undefined && fee.timestamp > readAt + CLOCK_TOLERANCE;
    return { clock: isLater ? (state.clock ?? fee.timestamp) : (fee.timestamp ?? state.clock), falls: new Map() };
  },
} as const;

/** The runway of each validation with its labels: the longer one, where a second node reports another balance or price. */
function runways(
  { state, sets, fee, second, secondFee }: Answers & { readonly state: State },
  { times, time }: Context,
) {
  const price = cheaper(priceOf(state, fee), secondFee);
  const at = Math.max(times["sets"] ?? time, times["fee"] ?? time);
  const balances = new Map(
    l1Members(second ?? new Map()).map(([labels, each]) => [labels.validation_id, each.balance]),
  );
  return l1Members(sets).map(([labels, { balance }]) => {
    const other = balances.get(labels.validation_id) ?? balance;
    return [labels, left(balance === undefined ? undefined : Math.max(balance, other ?? 0), price, at)] as const;
  });
}

function cheaper(price: Price | undefined, fee: ValidatorFee | undefined): Price | undefined {
  if (price === undefined || fee === undefined) return price;
  const { timestamp: clock = 0 } = fee;
  // Balances are those of the first node's clock, unless that is wrong.
  const asOf = clock - price.asOf > CLOCKS_APART ? clock : price.asOf;
  return { ...price, price: Math.min(price.price, fee.price), asOf };
}

export const l1Validator = reducer(
  {
    id: "l1-validator",
    about: "Which validators of each configured L1 are active, and how long does their balance last?",
    ...FOLLOWING,
    formulas: [
      {
        metric: "avax_l1_validator_runway_seconds",
        formula: "balance / price - (time of the answer - P-Chain clock), at least 0",
        example: "1,043 nAVAX at 1 nAVAX a second; the P-Chain's last block was 473 s before the answer: 1,043 - 473.",
        result: 570,
      },
    ],
  },
  {
    balance: ofMember.gauge(
      "avax_l1_validator_balance_avax",
      `Balance left for the continuous fee, as of the P-Chain's last block ${SOURCE_OF_SET} \`balance\`).`,
      ({ balance }) => balance,
    ),
    active: ofMember.gauge(
      "avax_l1_validator_active",
      `1 while the validation has a balance left, 0 after it ran out: its weight then stays in the total but does not sign ${SOURCE_OF_SET} \`balance\`).`,
      ({ balance }) => (balance === undefined ? undefined : balance > 0),
    ),
    weight: ofMember.gauge(
      "avax_l1_validator_weight",
      `Weight of the validation, in the L1's own unit ${SOURCE_OF_SET} \`weight\`).`,
      ({ weight }) => Number(weight),
    ),
    minNonce: ofMember.gauge(
      "avax_l1_validator_min_nonce",
      `Smallest valid nonce of a weight change ${SOURCE_OF_SET} \`minNonce\`).`,
      ({ minNonce }) => minNonce,
    ),
    start: ofMember.gauge(
      "avax_l1_validator_start_timestamp_seconds",
      `When the validation began ${SOURCE_OF_SET} \`startTime\`).`,
      ({ startTime }) => startTime,
    ),
    runway: gauges(
      "avax_l1_validator_runway_seconds",
      `Time until the balance of the validation is used up at the current price, counted from the P-Chain's own clock; 0 when it is used up ${SOURCE}`,
      LABELS,
      runways,
    ),
    othersRunway: gauges(
      "avax_l1_others_runway_seconds",
      `Time until the first balance of an L1 validator that is not watched is used up; 0 when one is ${SOURCE}`,
      ["subnet"],
      (data, context) => {
        const watched = new Set(context.watchNetwork);
        const others = runways(data, context).filter(([labels]) => !watched.has(labels.node_id));
        return [...Map.groupBy(others, ([{ subnet }]) => subnet)].map(([subnet, rows]) => {
          const known = rows.flatMap(([, runway]) => runway ?? []);
          return [{ subnet }, known.length === 0 ? undefined : Math.min(...known)] as const;
        });
      },
    ),
    price: gauge(
      "avax_l1_validator_fee_avax_per_second",
      "Fee per second of each L1 validator, in AVAX; where the server does not report it, estimated from how fast balances fell (platform.getValidatorFeeState, `price`).",
      ({ state, fee }) => priceOf(state, fee)?.price,
    ),
    clock: gauge(
      "avax_l1_validator_fee_clock_timestamp_seconds",
      "The P-Chain's own clock, by which fees are counted, from the network's reference node; it advances only with blocks (platform.getValidatorFeeState, `timestamp`).",
      ({ fee }) => fee?.timestamp,
    ),
    source: infos(
      "avax_l1_validator_fee_source_info",
      "Source of the price: `live` from the P-Chain, or `observed` from how fast balances fell (platform.getValidatorFeeState; platform.getCurrentValidators, `balance`).",
      ["source"],
      ({ state, fee }) => {
        const price = priceOf(state, fee);
        return price === undefined ? [] : [{ source: price.source }];
      },
    ),
  },
  ({ othersRunway }) => ({
    AvaxL1BalancesShort: {
      severity: "warning",
      when: { of: othersRunway, below: shortRunway },
      labels: ["network", "subnet"],
      for: "10m",
      noPage: "The validators belong to others; AvaxSubnetQuorumLost pages when too much weight is inactive.",
      summary: `${SUBNET_NAME}: another's balance {{ if gt $value 0.0 }}lasts {{ $value | humanizeDuration }}{{ else }}has run out{{ end }}`,
      over: "has no other validator that is short",
      description: "The validator is not yours ({{ $labels.network }}).",
      meaning:
        "Members of the L1 are inactive or will be: they neither vote nor sign, and their weight counts against the quorum of the L1.",
      confirm: `${RUNWAY_CONFIRM} \`avax_subnet_active_weight_ratio\` is the share of the weight that has a balance.`,
      commands: {
        [`call <any-node> platform.getCurrentValidators '{"subnetID": "<subnet>"}'`]:
          "`balance` of each validator, in nAVAX.",
      },
      action: "Inform the operators, or increase the balances. Or let the validator manager of the L1 remove them.",
      falsePositives:
        "The validators were given up, and the L1's quorum does not need their weight: silence the alert.",
    },
  }),
);

/** For the operator of L1 validators: of a watched one each process exports the series. */
export const l1Own = reducer(
  {
    id: "l1-own",
    about: "How long does the balance of each watched L1 validator last, and what is its weight?",
    watched: true,
    ...FOLLOWING,
  },
  {
    runway: gauges(
      "avax_l1_own_runway_seconds",
      `Time until the balance of a watched validator's validation is used up at the current price; 0 when it is used up: the validation is inactive ${SOURCE}`,
      LABELS,
      (data, context) => ofWatched(runways(data, context), context),
    ),
    weight: gauges(
      "avax_l1_own_weight",
      `Weight of a watched validator's validation, in the L1's own unit ${SOURCE_OF_SET} \`weight\`).`,
      LABELS,
      ({ sets }, context) =>
        ofWatched(
          l1Members(sets).map(([labels, { weight }]) => [labels, Number(weight)] as const),
          context,
        ),
    ),
  },
  ({ runway }) => runwayAlerts(runway),
);

function ofWatched<V>(
  rows: ReadonlyArray<readonly [labels: Readonly<Record<(typeof LABELS)[number], string>>, value: V]>,
  { watchNetwork }: Context,
) {
  const watched = new Set(watchNetwork);
  return rows.filter(([{ node_id: id }]) => watched.has(id));
}

/**
 * Seconds until the balance is used up. The time since the P-Chain's clock last moved is subtracted, because the fee accrues
 * between blocks. 0 when the next block will use the balance up; `undefined` without a price.
 */
function left(balance: number | undefined, price: Price | undefined, at: number): number | undefined {
  if (balance === undefined || balance === 0) return balance;
  if (price === undefined || price.price <= 0) return undefined;
  return Math.max(0, Number((balance / price.price - (at - price.asOf)).toFixed(3)));
}

/** The live price where the server reports it, else the fastest fall: all validators pay the same price. */
function priceOf({ clock, falls }: State, fee: ValidatorFee | undefined): Price | undefined {
  if (fee !== undefined) return clock === undefined ? undefined : { price: fee.price, asOf: clock, source: "live" };
  const prices = [...falls.values()].map(observedPrice).filter((price) => price !== undefined);
  if (prices.length === 0) return undefined;
  // Every block changes every balance, so the latest fall of any balance is the time of the P-Chain's last block.
  const asOf = Math.max(...[...falls.values()].map(({ points }) => points.at(-1)?.at ?? 0));
  return { price: Math.max(...prices), asOf, source: "observed" };
}

/** A balance and the time of the first answer with it: a block, with an error of one poll interval. */
type Point = { readonly balance: number; readonly at: number };
/** Selected falls of one balance, oldest first; the last is the latest. `balance` is the present one. */
type Falls = { readonly balance: number; readonly points: readonly Point[] };

/** Over a shorter span the error of the poll interval dominates the price. Seconds. */
const LEAST_SPAN = 600;
const MOST_POINTS = 24;

function fallsOf({ falls }: State, sets: ValidatorSets, at: number): State["falls"] {
  return new Map(
    l1Members(sets).flatMap(([, { validationID = "", balance }]) =>
      balance === undefined ? [] : [[validationID, fell(falls.get(validationID), balance, at)] as const],
    ),
  );
}

/**
 * Adds a balance. Balances only change with the P-Chain's blocks, so only the times right after a change can be compared. A
 * balance that grew was topped up, which invalidates the earlier falls.
 */
function fell(falls: Falls | undefined, balance: number, at: number): Falls {
  if (falls === undefined || balance > falls.balance) return { balance, points: [] };
  if (balance === falls.balance) return falls;
  const [last, before] = [falls.points.at(-1), falls.points.at(-2)];
  const tooNear = last !== undefined && before !== undefined && last.at - before.at < LEAST_SPAN;
  const kept = tooNear ? falls.points.slice(0, -1) : falls.points;
  return { balance, points: [...kept, { balance, at }].slice(-MOST_POINTS) };
}

/** AVAX per second by which a balance fell; `undefined` until the falls span `LEAST_SPAN`. */
function observedPrice({ points }: Falls): number | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || last.at - first.at < LEAST_SPAN) return undefined;
  return (first.balance - last.balance) / (last.at - first.at);
}

/** The validations of each L1 with their labels. A node ID can have several in the same L1. */
function l1Members(sets: ValidatorSets) {
  return [...sets].flatMap(([subnet, { validators }]) =>
    validators
      .filter(({ validationID }) => validationID !== undefined)
      .slice(0, MOST_MEMBERS)
      .map((each) => [{ subnet, node_id: each.nodeID, validation_id: each.validationID ?? "" }, each] as const),
  );
}
