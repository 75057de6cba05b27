import { expect, it } from "vitest";
import { ALL_DATA, hostedBench, hostedConfig, pageOf, type Body } from "../../support/hosted.ts";
import { CASES } from "./cases.ts";

/** A listing in which one field of one row has a wrong type, and one that is longer than the configuration allows. */

const CONFIG = hostedConfig({
  data: { ...ALL_DATA, maxPages: 3 },
  metrics: { metricChains: ["43114"], intervals: ["day"] },
  perMinute: 100_000,
  perDay: 10_000_000,
});
/** After this time everything is polled again. Seconds. */
const NEXT_ANSWER = 2000;

/** The body with another value at a path such as `validators.0.delegationFee`. */
function withOdd(body: Body, path: string, value: unknown = true): Body {
  const odd = pageOf(body) as Record<string, never>;
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  const row = keys.reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, odd);
  row[last] = value;
  return odd;
}

async function seriesOf(path: string, first: Body, later: Body | undefined) {
  const bench = hostedBench();
  bench.instead.set(path, first);
  bench.poller.apply(CONFIG);
  await bench.run(60);
  if (later !== undefined) {
    bench.instead.set(path, later);
    await bench.run(NEXT_ANSWER);
  }
  const lines = bench.logged.filter((line) => line.startsWith("rows of an answer have invalid fields"));
  const failing = bench.poller
    .status()
    .targets.flatMap(({ endpoints }) => endpoints.flatMap(({ error }) => error ?? []));
  const all = [...(await bench.series())].filter(([name]) => !/timestamp.*query=|_requests_|_spent_/.test(name));
  return { series: new Map(all), lines, failing };
}

const INVALID = "avax_hosted_poll_rows_invalid_total";

it.each([
  ["validators of every status", "validators.0.delegationFee", /validator_delegation_fee_ratio/],
  [
    "validators of every status",
    "validators.1.rewards",
    /validator_(earned|unrewarded|last_completed_rewarded|reward_denied)/,
  ],
  ["blocks of a node", "blocks.0.txCount", /proposed_transactions_total/],
  ["blocks of a node", "blocks.0.blockSizeBytes", /proposed_bytes_total/],
  ["rewards that were paid", "historicalRewards.0.reward.amount", /rewards_(paid_avax.*kind="validator"|fiat)/],
  ["rewards that were paid", "historicalRewards.0.reward.historicalPrice", /rewards_fiat/],
  ["rewards that were paid", "historicalRewards.1.endTimestamp", /last_reward_timestamp/],
  ["rewards to come", "pendingRewards.0.estimatedReward.amount", /rewards_pending_avax.*kind="validator"/],
  ["outputs on P", "utxos.0.asset.amount", /address_utxos_avax\{.*chain="P".*state="staked"/],
  ["outputs on P", "utxos.0.blockTimestamp", /newest_utxo.*chain="P"/],
  ["transactions of an account", "transactions.0.nativeTransaction.gasPrice", /fees_coins_total/],
  ["transactions of an account", "transactions.0.nativeTransaction.value", /address_coins_total.*direction="out"/],
  [
    "transactions of an account",
    "transactions.0.nativeTransaction.txStatus",
    /(failed|address_coins.*direction="out").*/,
  ],
  ["ERC-20 transfers", "transactions.0.value", /token_amount_total.*direction="in"/],
  ["ERC-20 transfers", "transactions.0.erc20Token.decimals", /token_amount_total.*direction="in"/],
  ["holdings", "erc721TokenBalances.0.address", /erc721_collections/],
  ["collection", "tokens.0.ownerAddress", /collection_holders/],
] as const)("%s: an odd %s costs its figures, not the answer", async (name, path, lost) => {
  const { path: resource, spec, later } = CASES[name] ?? { path: "", spec: {} };
  const usual = await seriesOf(resource, spec, later?.spec);
  const body = later?.spec ?? spec;
  const odd = await seriesOf(resource, later === undefined ? withOdd(body, path) : spec, later && withOdd(body, path));
  expect(odd.failing).toEqual(usual.failing);
  const left = [...usual.series].filter(([series]) => !lost.test(series) && !series.startsWith(INVALID));
  expect([...odd.series].filter(([series]) => !series.startsWith(INVALID))).toEqual(left);
  expect(left.length).toBeLessThan(usual.series.size);
  const invalid = [...odd.series].filter(([series, value]) => series.startsWith(INVALID) && value > 0);
  expect(odd.lines).toHaveLength(invalid.length);
  expect(invalid).not.toEqual([]);
});

it.each([
  [
    "validators of every status",
    /validator_(periods|next_start|last_removed|earned|unrewarded|last_completed|reward_denied)/,
  ],
  ["rewards that were paid", /rewards?_(paid|fiat|payments)|last_reward/],
  ["rewards to come", /rewards_pending|next_reward/],
  ["outputs on P", /(utxo|unlock).*chain="P"/],
  ["holdings", /address_erc721/],
  ["collection", /collection_(tokens|holders)/],
] as const)("%s: what needs the whole list is absent where it is cut off", async (name, lost) => {
  const { path, spec } = CASES[name] ?? { path: "", spec: {} };
  const longer = (token = "0") => ({ ...(pageOf(spec) as object), nextPageToken: String(Number(token) + 1) });
  const all = [...(await seriesOf(path, spec, undefined)).series.keys()];
  const found = [...(await seriesOf(path, longer, undefined)).series.keys()];
  const left = all.filter((series) => !lost.test(series));
  expect(left.length).toBeLessThan(all.length);
  expect(found).toEqual(left);
});

it.each([
  ["blocks of a node", "blocks.0.blockTimestamp"],
  ["transactions of an account", "transactions.0.nativeTransaction.blockTimestamp"],
  ["ERC-20 transfers", "transactions.0.blockTimestamp"],
  ["ERC-20 transfers", "transactions.0.from"],
  ["ERC-20 transfers", "transactions.0.erc20Token"],
] as const)("%s: without %s nothing can be counted, so that the answer fails", async (name, field) => {
  const { path, spec } = CASES[name] ?? { path: "", spec: {} };
  const { failing } = await seriesOf(path, withOdd(spec, field, field.endsWith("Timestamp") ? 0 : null), undefined);
  expect(failing.map(({ reason }) => reason)).toContain("schema");
});
