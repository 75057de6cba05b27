import { describe, expect, it } from "vitest";
import { ApiError } from "../../../src/api/endpoint.ts";
import { benchOf, configOf } from "../../support/engines.ts";
import { ACCOUNT, ALL_DATA, hostedBench, hostedConfig, NODE, WALLET, type HostedBench } from "../../support/hosted.ts";

const DATA = hostedConfig({ data: ALL_DATA });
const VALIDATOR = `network="mainnet",node_id="${NODE}"`;
const STAKE = `avax_hosted_validator_stake_avax{${VALIDATOR}}`;

async function started(config = DATA, seconds = 120): Promise<HostedBench> {
  const bench = hostedBench();
  bench.poller.apply(config);
  await bench.run(seconds);
  return bench;
}

describe("the first round", () => {
  it("polls everything once and exports it", async () => {
    const bench = hostedBench();
    bench.poller.apply(hostedConfig({ data: ALL_DATA, metrics: { metricChains: ["43114"], intervals: ["day"] } }));
    let complete = false;
    void bench.poller.wholeRound().then(() => (complete = true));
    await bench.run(60);
    expect(complete).toBe(true);
    expect(await bench.value(STAKE)).toBe(2000);
    expect(await bench.value('avax_hosted_up{api="data"}')).toBe(1);
    expect(await bench.value('avax_hosted_up{api="metrics"}')).toBe(1);
    expect(bench.counted).toMatchObject({ defects: [], duplicates: 0 });
    expect(bench.services.requests().filter(({ status }) => status !== 200)).toEqual([]);
  });

  it("sends the highest priority first", async () => {
    const bench = await started(hostedConfig({ data: ALL_DATA, perMinute: 400, perDay: 200_000 }), 60);
    const paths = bench.services.requests().map(({ url }) => url.replace(/\?.*/, ""));
    const rewards = "/v1/networks/mainnet/rewards";
    expect(paths.slice(0, 3)).toEqual([`/v1/networks/mainnet/validators/${NODE}`, rewards, rewards]);
  });
});

describe("a service", () => {
  it.each([
    ["real", "x-glacier-api-key", 0],
    ["spec", "x-service-api-key", 2],
    ["real", undefined, 0],
    ["spec", undefined, 2],
  ] as const)("of the dialect %s, with its key in %s, answers everything", async (dialect, keyHeader, unsupported) => {
    const bench = hostedBench({ dialect, key: "k-1" });
    bench.poller.apply(
      hostedConfig({
        data: ALL_DATA,
        metrics: { metricChains: ["43114", "total"], intervals: ["hour", "day", "week", "month"] },
        key: "k-1",
        ...(keyHeader === undefined ? {} : { keyHeader }),
        perMinute: 20_000,
        perDay: 3_000_000,
      }),
    );
    await bench.run(60);
    const states = bench.poller.status().targets.flatMap(({ endpoints }) => endpoints.map(({ state }) => state));
    expect(states.filter((state) => state !== "ok" && state !== "unsupported")).toEqual([]);
    // The specification has no pending rewards.
    expect(states.filter((state) => state === "unsupported")).toHaveLength(unsupported);
    expect(await bench.value('avax_hosted_key_accepted{api="data"}')).toBe(1);
    expect(await bench.value(STAKE)).toBe(2000);
    expect(bench.counted).toMatchObject({ defects: [], duplicates: 0 });
  });
});

describe("a service that limits the rate", () => {
  it("is not polled for the time of its Retry-After, and then again", async () => {
    const bench = await started();
    bench.services.set("data", "rate-limited");
    await bench.run(600);
    const first = bench.services.requests().findIndex(({ status }) => status === 429);
    const limited = bench.services.requests().slice(first);
    // Pauses of half a minute, in which only the up to four running polls end.
    const times = [...new Set(limited.map(({ at }) => Math.floor(at)))];
    for (let i = 1; i < times.length; i++) {
      const gap = (times[i] ?? 0) - (times[i - 1] ?? 0);
      expect(gap <= 1 || gap >= 29, `${gap} s`).toBe(true);
    }
    bench.services.set("data", undefined);
    await bench.run(1300);
    expect(await bench.value('avax_hosted_up{api="data"}')).toBe(1);
    expect(await bench.value('avax_hosted_paused_until_timestamp_seconds{api="data"}')).toBeUndefined();
    expect(await bench.value('avax_hosted_poll_failures_total{api="data",reason="rate_limited"}')).toBeGreaterThan(0);
  });

  it("without Retry-After is polled less and less often", async () => {
    const bench = await started();
    bench.services.set("data", "rate-limited-bare");
    await bench.run(7200);
    const limited = bench.services.requests().filter(({ status }) => status === 429);
    expect(limited.length).toBeLessThan(60);
  });
});

describe("a service that fails", () => {
  it.each(["server-error", "bad-gateway", "bad-gateway-page", "unavailable", "forbidden-page"] as const)(
    "with %s keeps its series for three intervals, not longer",
    async (fault) => {
      const bench = await started();
      bench.services.set("data", fault);
      await bench.run(1500);
      expect(await bench.value(STAKE)).toBe(2000);
      expect(await bench.value('avax_hosted_endpoint_up{api="data",api_endpoint="data.validators"}')).toBe(0);
      await bench.run(500);
      expect(await bench.value(STAKE)).toBeUndefined();
      bench.services.set("data", undefined);
      await bench.run(1600);
      expect(await bench.value(STAKE)).toBe(2000);
    },
  );

  it("for one question does not affect the others", async () => {
    const config = hostedConfig({ data: { ...ALL_DATA, chains: ["43114", "123456"] } });
    const bench = await started(config);
    expect(await bench.value('avax_hosted_chain_state{evm_chain_id="43114",state="OK"}')).toBe(1);
    expect(await bench.value('avax_hosted_endpoint_failing_questions{api="data",api_endpoint="data.chain"}')).toBe(1);
    const error = bench.poller.status().targets[0]?.endpoints.find(({ state }) => state === "failing")?.error;
    expect(error?.message).toContain("Unsupported chainId 123456");
  });
});

describe("the log of a service", () => {
  const linesOf = ({ logged }: HostedBench) => logged.filter((line) => line.includes("hosted service"));

  it.each([
    ["unauthorized", 401],
    ["redirect", 307],
    ["rate_limited", 429],
  ] as const)("has one line when polls begin to fail as %s, and one when they succeed", async (reason, status) => {
    const bench = await started();
    for (const path of ["/v1/networks/mainnet/rewards", `/v1/networks/mainnet/validators/${NODE}`])
      bench.instead.set(path, () => {
        throw new ApiError({ reason, status, message: `HTTP ${status}` });
      });
    await bench.run(4000);
    const fails = `polls of a hosted service fail {"api":"data","reason":"${reason}"`;
    expect(linesOf(bench)).toEqual([expect.stringContaining(fails)]);
    expect(linesOf(bench)[0]).toContain(`"error":"HTTP ${status}`);
    bench.instead.clear();
    await bench.run(8000);
    const again = `polls of a hosted service succeed again {"api":"data","reason":"${reason}"`;
    expect(linesOf(bench).slice(1)).toEqual([expect.stringContaining(again)]);
  });
});

describe("pages", () => {
  const collection = 'evm_chain_id="43114",collection="0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC"';
  const TOKENS = `avax_hosted_collection_tokens{${collection},state="INDEXED"}`;
  const slow = hostedConfig({ data: { ...ALL_DATA, accounts: [], wallets: [] }, perMinute: 200, perDay: 200_000 });

  it("are complete before any of them is exported", async () => {
    const whole = await (await started()).value(TOKENS);
    expect(whole).toBeGreaterThan(100);
    const bench = hostedBench();
    bench.poller.apply(slow);
    const shown = new Set<number | undefined>();
    const isPage = ({ url }: { readonly url: string }) => url.includes("/tokens?");
    for (let second = 0; second < 200; second++) {
      await bench.run(1);
      shown.add(await bench.value(TOKENS));
    }
    const [first, second] = bench.services.requests().filter(isPage);
    // The second page had to wait for the budget.
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(5);
    expect(shown).toEqual(new Set([undefined, whole]));
    expect(
      await bench.value(
        `avax_hosted_answer_truncated{api="data",api_endpoint="data.collections",query="43114 0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC"}`,
      ),
    ).toBe(0);
  });

  it("with a failed one leave the last answer", async () => {
    const bench = hostedBench();
    bench.poller.apply(hostedConfig({ data: ALL_DATA, endpoints: { "data.collections": { every: 300 } } }));
    await bench.run(120);
    const whole = await bench.value(TOKENS);
    const path = "/v1/chains/43114/nfts/collections/0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC/tokens";
    bench.instead.set(path, (token) => (token === undefined ? { nextPageToken: "t", tokens: [{}] } : { tokens: 1 }));
    await bench.run(600);
    expect(
      await bench.value('avax_hosted_endpoint_failing_questions{api="data",api_endpoint="data.collections"}'),
    ).toBe(1);
    expect(await bench.value(TOKENS)).toBe(whole);
  });

  it("with an expired token are read again from the first one", async () => {
    const reference = await (await started()).value(TOKENS);
    const bench = hostedBench();
    bench.poller.apply(slow);
    const isPaging = () => bench.services.requests().some(({ url }) => url.includes("/tokens?pageSize"));
    while (!isPaging()) await bench.run(1);
    bench.services.expireTokens();
    await bench.run(120);
    expect(bench.services.requests().filter(({ status }) => status === 400)).toHaveLength(1);
    expect(await bench.value(TOKENS)).toBe(reference);
  });

  it("beyond the configured number are left out, with a series that shows it", async () => {
    const bench = await started(hostedConfig({ data: { ...ALL_DATA, maxPages: 1 } }));
    expect(
      await bench.value(
        `avax_hosted_answer_truncated{api="data",api_endpoint="data.collections",query="43114 0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC"}`,
      ),
    ).toBe(1);
    expect(
      await bench.value('avax_hosted_endpoint_truncated_answers{api="data",api_endpoint="data.collections"}'),
    ).toBe(1);
  });
});

describe("another configuration", () => {
  it("leaves unchanged polls alone", async () => {
    const bench = await started();
    const before = bench.services.requests().length;
    bench.poller.apply(DATA);
    await bench.run(5);
    expect(bench.services.requests().length - before).toBeLessThan(3);
    expect(await bench.value(STAKE)).toBe(2000);
  });

  it("removes series at once that it no longer asks for", async () => {
    const bench = await started();
    bench.poller.apply(hostedConfig({ data: { ...ALL_DATA, validators: [] } }));
    expect(await bench.value(STAKE)).toBeUndefined();
    bench.poller.apply(hostedConfig({}));
    expect(await bench.series()).toEqual(new Map());
  });

  it("never sends a question twice at once when it is removed and added again while it runs", async () => {
    const bench = hostedBench();
    bench.latency = 5;
    bench.poller.apply(DATA);
    await bench.run(1);
    const without = hostedConfig({ data: { ...ALL_DATA, validators: [], chains: [] } });
    for (const config of [without, DATA, without, DATA]) {
      bench.poller.apply(config);
      await bench.run(1);
    }
    expect(bench.overlaps).toBe(0);
    await bench.run(60);
    expect(bench.overlaps).toBe(0);
    expect(await bench.value(STAKE)).toBe(2000);
  });

  it("is reached by way of its proxy, and by way of another one as soon as that is configured", async () => {
    const bench = hostedBench();
    for (const proxyUrl of ["http://proxy-1:3128", "http://proxy-2:3128", "http://proxy-2:3128"]) {
      const { dataApi, ...rest } = DATA;
      bench.poller.apply({ ...rest, ...(dataApi && { dataApi: { ...dataApi, proxyUrl, noProxy: "internal" } }) });
      await bench.run(1);
    }
    expect(bench.connections.map(({ proxyUrl, noProxy }) => `${proxyUrl} ${noProxy}`)).toEqual([
      "http://proxy-1:3128 internal",
      "http://proxy-2:3128 internal",
    ]);
  });

  it("with another network exports nothing of the previous one", async () => {
    const bench = await started();
    bench.poller.apply(hostedConfig({ data: { ...ALL_DATA, network: "fuji" } }));
    expect([...(await bench.series()).keys()].filter((name) => name.includes("mainnet"))).toEqual([]);
    await bench.run(120);
    expect(await bench.value(`avax_hosted_validator_stake_avax{network="fuji",node_id="${NODE}"}`)).toBe(2000);
  });
});

describe("a key", () => {
  it("that some endpoints need does not hold back the others", async () => {
    const bench = hostedBench();
    bench.instead.set("/v1/networks/mainnet/rewards", () => {
      throw new ApiError({ reason: "unauthorized", status: 401, message: "HTTP 401" });
    });
    bench.poller.apply(hostedConfig({ data: ALL_DATA, key: "k" }));
    await bench.run(40);
    const polls = bench.poller.status().targets.flatMap(({ endpoints }) => endpoints);
    expect(new Set(polls.map(({ state }) => state))).toEqual(new Set(["ok", "failing"]));
  });

  it("that is refused is reported, polled with seldom, and printed nowhere", async () => {
    const bench = hostedBench({ key: "the-right-key" });
    bench.poller.apply(hostedConfig({ data: ALL_DATA, key: "a-wrong-key" }));
    await bench.run(1800);
    expect(await bench.value('avax_hosted_key_accepted{api="data"}')).toBe(0);
    expect(bench.services.requests().length).toBeLessThan(40);
    const shown = [await bench.text(), ...bench.logged, JSON.stringify(bench.poller.status())].join("\n");
    expect(shown).not.toContain("a-wrong-key");
    expect(shown).toContain("<secret>");
    bench.poller.apply(hostedConfig({ data: ALL_DATA, key: "the-right-key" }));
    await bench.run(1000);
    expect(await bench.value('avax_hosted_key_accepted{api="data"}')).toBe(1);
    expect(await bench.value(STAKE)).toBe(2000);
  });
});

describe("followers", () => {
  it("count only events after the first answer", async () => {
    const bench = await started(DATA, 60);
    const account = 'evm_chain_id="43114",address="0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC"';
    const out = `avax_hosted_address_transactions_total{${account},direction="out"}`;
    const blocks = `avax_hosted_proposed_blocks_total{network="mainnet",chain="P",node_id="${NODE}"}`;
    expect([await bench.value(out), await bench.value(blocks)]).toEqual([0, 0]);
    await bench.run(4 * 3600);
    const all =
      ((await bench.value(out)) ?? 0) +
      ((await bench.value(`avax_hosted_address_transactions_total{${account},direction="in"}`)) ?? 0);
    // Over four hours one transaction in 15 minutes and one block in 20; the last quarter of an hour may not be polled yet.
    expect(all).toBeGreaterThanOrEqual(15);
    expect(all).toBeLessThanOrEqual(16);
    expect(await bench.value(blocks)).toBeGreaterThanOrEqual(11);
    expect(await bench.value(blocks)).toBeLessThanOrEqual(12);
    expect(await bench.value(`avax_hosted_address_fees_coins_total{${account}}`)).toBeCloseTo(
      0.001 * ((await bench.value(out)) ?? 0),
      9,
    );
  });
});

describe("the names of addresses", () => {
  const info = (address: string, name: string) => `avax_hosted_address_info{address="${address}",wallet="${name}"}`;
  const named = (names: ReadonlyArray<readonly [string, string]>) =>
    hostedConfig({ data: { ...ALL_DATA, names: new Map(names) } });

  it("can be joined with every series of an address, and change with the configuration", async () => {
    const bench = await started(
      named([
        [WALLET, "treasury"],
        [ACCOUNT, "hot"],
      ]),
    );
    const series = [...(await bench.series()).keys()];
    const own = series.filter((name) => /^avax_hosted_address_(?!info)/.test(name));
    expect(own).not.toEqual([]);
    const known = new Set([WALLET, ACCOUNT]);
    expect(own.filter((name) => !known.has(/address="([^"]*)"/.exec(name)?.[1] ?? ""))).toEqual([]);
    expect(series.filter((name) => name.startsWith("avax_hosted_address_info"))).toEqual([
      info(WALLET, "treasury"),
      info(ACCOUNT, "hot"),
    ]);
    bench.poller.apply(named([[WALLET, "savings"]]));
    expect([...(await bench.series()).keys()].filter((name) => name.startsWith("avax_hosted_address_info"))).toEqual([
      info(WALLET, "savings"),
    ]);
  });
});

it("sends no request after close", async () => {
  const bench = await started(DATA, 20);
  await bench.poller.close();
  const asked = bench.services.requests().length;
  await bench.run(300);
  expect(bench.services.requests()).toHaveLength(asked);
});

it("exports nothing of a service that is not configured", async () => {
  const bench = await started(hostedConfig({}), 30);
  expect(await bench.series()).toEqual(new Map());
  expect(bench.poller.status().targets).toEqual([]);
});

it("without subjects asks about the validators of the polled nodes of its network, once their IDs are known", async () => {
  const bench = benchOf(["a", "b"]);
  bench.node("a").networkName = "Main";
  bench.node("a").instead.set("info.getNetworkID", { networkID: "1" });
  bench.poller.apply({ ...configOf(["a", "b"]), ...hostedConfig({ data: {} }), nodes: configOf(["a", "b"]).nodes });
  await bench.run(30);
  const hosted = bench.poller.status().targets.find((target) => target.hosted === true);
  expect([...new Set(hosted?.endpoints.map(({ key }) => key))].join()).toBe(bench.node("a").nodeId);
});

it("the first round has what is asked about nodes that were unknown before", async () => {
  const bench = benchOf(["a"]);
  bench.node("a").instead.set("info.getNetworkID", { networkID: "1" });
  bench.poller.apply({ ...configOf(["a"]), ...hostedConfig({ data: {} }), nodes: configOf(["a"]).nodes });
  const untried: unknown[] = [];
  void bench.poller.wholeRound().then(() => {
    const { targets } = bench.poller.status();
    untried.push(...targets.flatMap(({ endpoints }) => endpoints.filter(({ state }) => state === "waiting")));
    untried.push(targets.filter(({ hosted }) => hosted === true).length);
  });
  await bench.run(30, 0.1);
  expect(untried).toEqual([1]);
});
