import { ValidatorFeeState, type ValidatorFee } from "../../api/node/platform-fee.ts";
import { Validators } from "../../api/node/platform.ts";
import { l1RunwayAlerts } from "./l1-runway-alerts.ts";
import { gauge, gauges, infos, type Context } from "../define/metric.ts";
import { maybe } from "../define/needs.ts";
import { reducer } from "../define/topic.ts";
import { l1Members } from "./l1-validator.ts";
import { fell, observedPrice, runwayOf, type Falls } from "./runway.ts";
import type { ValidatorSets } from "../stake.ts";

/** Accepted lead of a block's timestamp over the local clock. Seconds. */
const CLOCK_TOLERANCE = 10;
const SOURCE = "(platform.getCurrentValidators, `balance`; platform.getValidatorFeeState, `price`, `timestamp`).";

type Data = { readonly sets: ValidatorSets; readonly fee: ValidatorFee | undefined };
type State = {
  /** The P-Chain's clock and its previous value: a balance can be older than the last block. */
  readonly clock: number | undefined;
  readonly clockBefore: number | undefined;
  /** By validation ID; only while no server reports the price. */
  readonly falls: ReadonlyMap<string, Falls>;
};
type Price = { readonly price: number; readonly asOf: number; readonly source: "live" | "observed" };

const START: State = { clock: undefined, clockBefore: undefined, falls: new Map() };

export const l1Runway = reducer(
  {
    id: "l1-runway",
    about: "How long does the balance of each L1 validator last?",
    scope: "network",
    needs: { sets: Validators, fee: maybe(ValidatorFeeState) },
    start: () => START,
    next: (state: State, data: Data, context): State => follow(state, data, context),
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
    runway: gauges(
      "avax_l1_validator_runway_seconds",
      `Time until the balance of the validation is used up at the current price, counted from the P-Chain's own clock; 0 when it is used up ${SOURCE}`,
      ["subnet", "node_id", "validation_id"],
      ({ state, ...data }, context) => {
        const price = priceOf(state, data, context);
        const at = Math.max(context.times["sets"] ?? context.time, context.times["fee"] ?? context.time);
        return l1Members(data.sets).map(([subnet, { nodeID, validationID, balance }]) => [
          { subnet, node_id: nodeID, validation_id: validationID ?? "" },
          left(balance, price, at),
        ]);
      },
    ),
    price: gauge(
      "avax_l1_validator_fee_avax_per_second",
      "Fee per second of each L1 validator, in AVAX; where the server does not report it, estimated from how fast balances fell (platform.getValidatorFeeState, `price`).",
      ({ state, ...data }, context) => priceOf(state, data, context)?.price,
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
      ({ state, ...data }, context) => {
        const price = priceOf(state, data, context);
        return price === undefined ? [] : [{ source: price.source }];
      },
    ),
  },
  l1RunwayAlerts,
);

function left(balance: number | undefined, price: Price | undefined, at: number): number | undefined {
  if (balance === undefined) return undefined;
  if (balance === 0) return 0;
  return price === undefined ? undefined : runwayOf({ balance, at, ...price });
}

function follow(state: State, { sets, fee }: Data, { times, time }: Context): State {
  const moved = fee?.timestamp !== undefined && fee.timestamp !== state.clock;
  const clocks = moved
    ? { clock: fee.timestamp, clockBefore: state.clock }
    : { clock: state.clock, clockBefore: state.clockBefore };
  if (fee !== undefined) return { ...clocks, falls: START.falls };
  const at = times["sets"] ?? time;
  const falls = l1Members(sets).flatMap(([, { validationID, balance }]) =>
    validationID === undefined || balance === undefined
      ? []
      : [[validationID, fell(state.falls.get(validationID), balance, at)] as const],
  );
  return { ...clocks, falls: new Map(falls) };
}

/** The live price where the server reports it, else the fastest fall: all validators pay the same price. */
function priceOf(state: State, { fee }: Data, { times, time }: Context): Price | undefined {
  if (fee !== undefined) {
    const asOf = clockOf(state, fee, times["sets"] ?? time);
    return asOf === undefined ? undefined : { price: fee.price, asOf, source: "live" };
  }
  const falls = [...state.falls.values()];
  const prices = falls.map(observedPrice).filter((price) => price !== undefined);
  if (prices.length === 0) return undefined;
  // Every block changes every balance, so the latest fall of any balance is the time of the P-Chain's last block.
  const asOf = Math.max(...falls.map(({ points }) => points.at(-1)?.at ?? 0));
  return { price: Math.max(...prices), asOf, source: "observed" };
}

/** The P-Chain's clock when the balances were read, which is not the time of a later block. */
function clockOf({ clock, clockBefore }: State, { timestamp }: ValidatorFee, readAt: number): number | undefined {
  const latest = timestamp ?? clock;
  const later = latest !== undefined && latest > readAt + CLOCK_TOLERANCE;
  return later ? (clockBefore ?? latest) : latest;
}
