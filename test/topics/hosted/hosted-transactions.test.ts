import { describe, expect, it } from "vitest";
import { ACCOUNT, ALL_DATA, hostedBench, hostedConfig } from "../../support/hosted.ts";
import { NOW } from "./case.ts";

const CONFIG = hostedConfig({ data: { ...ALL_DATA, maxPages: 3 }, perMinute: 100_000, perDay: 10_000_000 });
const A = `evm_chain_id="43114",address="${ACCOUNT}"`;
const PATH = `/v1/chains/43114/addresses/${ACCOUNT}/transactions`;
const STRANGER = "0x0000000000000000000000000000000000000001";
const party = { from: { address: ACCOUNT }, to: { address: STRANGER } };

describe("the status of a transaction", () => {
  const sent = async (txStatus: string) => {
    const bench = hostedBench();
    bench.instead.set(PATH, { transactions: [] });
    bench.poller.apply(CONFIG);
    await bench.run(60);
    const value = "9000000000000000000";
    const nativeTransaction = { ...party, blockNumber: "5", blockTimestamp: NOW + 300, value, txStatus };
    bench.instead.set(PATH, { transactions: [{ nativeTransaction }] });
    await bench.run(2000);
    const series = await bench.series();
    const failed = series.get(`avax_hosted_address_transactions_failed_total{${A}}`);
    return [failed, series.get(`avax_hosted_address_coins_total{${A},direction="out"}`)];
  };

  it.each([
    ["1", 0, 9],
    ["0x1", 0, 9],
    ["0", 1, 0],
    ["0x0", 1, 0],
    ["FAILED", undefined, undefined],
    ["", undefined, undefined],
  ])("%j: %j failed, %j coins moved", async (status, failed, coins) => {
    expect(await sent(status)).toEqual([failed, coins]);
  });
});

describe("a listing whose oldest events come first", () => {
  const path = `${PATH}:listErc20`;
  const labels = `${A},standard="erc20"`;
  const total = `avax_hosted_address_token_transfers_total{${labels},direction="out"}`;
  const last = `avax_hosted_address_last_token_transfer_timestamp_seconds{${labels}}`;
  const cut = `avax_hosted_answer_truncated{api="data",api_endpoint="data.erc20",query="43114 ${ACCOUNT}"}`;
  const row = (block: number) => ({
    ...party,
    value: "1",
    erc20Token: { address: STRANGER, decimals: 6 },
    blockNumber: String(block),
    blockTimestamp: NOW - 1000 + block,
  });
  /** Pages of two blocks each. */
  const pages =
    (count: number) =>
    (token = "0") => {
      const from = Number(token);
      const next = from + 2 < count ? { nextPageToken: String(from + 2) } : {};
      return {
        transactions: [from, from + 1].filter((block) => block < count).map((block) => row(block + 1)),
        ...next,
      };
    };

  it("is read to its end, for the time of the last event", async () => {
    const bench = hostedBench();
    bench.instead.set(path, pages(5));
    bench.poller.apply(CONFIG);
    await bench.run(60);
    expect([await bench.value(last), await bench.value(total), await bench.value(cut)]).toEqual([NOW - 995, 0, 0]);
  });

  it("that is too long has no last event, and is read on from there", async () => {
    const bench = hostedBench();
    bench.instead.set(path, pages(8));
    bench.poller.apply(CONFIG);
    await bench.run(60);
    expect([await bench.value(last), await bench.value(total), await bench.value(cut)]).toEqual([undefined, 0, 1]);
    bench.instead.set(path, { transactions: [row(7), row(8), row(1400)] });
    await bench.run(2000);
    expect([await bench.value(last), await bench.value(total), await bench.value(cut)]).toEqual([NOW + 400, 1, 0]);
  });
});

describe("a position that was wrong", () => {
  const total = `avax_hosted_address_transactions_total{${A},direction="out"}`;
  const sent = (blockNumber: number, blockTimestamp: number) => ({
    nativeTransaction: { ...party, blockNumber: String(blockNumber), blockTimestamp, value: "1", txStatus: "1" },
  });

  it.each([
    ["the time is later than the answer", 7e9],
    ["the time can be", NOW + 300],
  ])("after one page with block 9e11, where %s: counting goes on after three answers without it", async (_, time) => {
    const bench = hostedBench();
    const answered = async (...transactions: readonly object[]): Promise<number | undefined> => {
      bench.instead.set(PATH, { transactions });
      await bench.run(950);
      return bench.value(total);
    };
    bench.instead.set(PATH, { transactions: [] });
    bench.poller.apply(CONFIG);
    await bench.run(60);
    const before = (await answered(sent(9e11, time))) ?? 0;
    for (const block of [10, 11, 12, 13]) await answered(sent(block, bench.clock.now()));
    expect(await answered(sent(14, bench.clock.now()), sent(15, bench.clock.now()))).toBeGreaterThan(before);
  });
});
