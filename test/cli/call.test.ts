import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { execute } from "../../src/cli/execute.ts";
import { simulate, type Simulation } from "../../simulator/simulate.ts";
import { startChild } from "../e2e/support/child.ts";
import { serve } from "../support/servers.ts";
import { writtenSystem } from "../support/written-system.ts";

/** The command as a process of its own, against simulated nodes: one with the dialect of real nodes, one of the specification. */

const MAIN = new URL("../../src/main.ts", import.meta.url).pathname;

type Run = { readonly code: number | string; readonly out: string; readonly err: string };

async function call(...args: readonly string[]): Promise<Run> {
  const child = startChild(process.execPath, [MAIN, "call", ...args]);
  const code = await child.exited;
  return { code, out: child.stdout(), err: child.stderr() };
}

/** The command within this process, for the many cases that only differ in their arguments. */
async function here(...args: readonly string[]): Promise<Run> {
  const { system, written } = writtenSystem();
  const code = await execute(["call", ...args], system);
  return { code, ...written };
}

let simulation: Simulation;
let folder: string;
const url = (node: number): string => simulation.nodes[node - 1]?.url ?? "";
const asked = (): readonly string[] => simulation.requests().flatMap(({ rpc }) => (rpc === undefined ? [] : [rpc]));

beforeAll(async () => {
  // The clock stands still some blocks after the start: how many blocks are asked for depends on the height.
  let now = Date.parse("2026-11-21T12:00:00Z");
  simulation = await simulate({
    nodes: 2,
    // Its C-Chain has the admin API.
    version: "1.14.2",
    now: () => now,
    overrides: [{ node: 2, dialect: "spec" }],
    scenario: [
      { node: "all", name: "utxo-waiting" },
      { node: "all", name: "admin-on" },
    ],
  });
  now += 10_000;
  folder = mkdtempSync(join(tmpdir(), "call-"));
  writeFileSync(
    join(folder, "config.yaml"),
    [
      `nodes: [{ name: mine, url: "${url(1)}" }]`,
      `subnets: [{ id: ${simulation.subnets[1]?.id ?? ""}, name: l1, chains: [{ id: ${simulation.subnets[1]?.chainId ?? ""}, name: one, evm: true }] }]`,
    ].join("\n"),
  );
});

afterAll(async () => {
  await simulation.close();
  rmSync(folder, { recursive: true });
});

describe("a result", () => {
  it("is printed as JSON", async () => {
    const { code, out, err } = await call(url(1), "info.getNetworkName");
    expect([code, JSON.parse(out), err]).toEqual([0, { networkName: "local" }, ""]);
  });

  it("is of a configured node by its name, with parameters", async () => {
    const { code, out } = await here(
      ...["mine", "platform.getBlockByHeight", '{"height": 1, "encoding": "json"}'],
      `--config.file=${join(folder, "config.yaml")}`,
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ encoding: "json", block: { height: 1 } });
  });

  it("keeps every digit", async () => {
    const body = '{"jsonrpc":"2.0","result":{"amount":18446744073709551615,"ratio":1.50,"small":7},"id":1}';
    const { url: elsewhere } = await serve((_request, response) => response.end(body));
    const { out } = await here(elsewhere, "platform.getBlock", '{"blockID":"x"}');
    expect(out).toBe('{\n  "amount": 18446744073709551615,\n  "ratio": 1.50,\n  "small": 7\n}\n');
  });

  it("may be a health report, by path, with tags", async () => {
    const { code, out } = await here(url(1), "/ext/health/liveness");
    expect([code, JSON.parse(out)]).toEqual([0, { checks: {}, healthy: true }]);
    const tagged = await here(url(1), "/ext/health", '{"tag":["a","b"]}');
    expect(tagged.code).toBe(0);
    const { received, url: elsewhere } = await serve((_request, response) => response.end("{}"));
    await here(elsewhere, "/ext/health", '{"tag":["a","b"]}');
    expect(received.map(({ url: path }) => path)).toEqual(["/ext/health?tag=a&tag=b"]);
  });

  it("comes from either spelling of the ledger", async () => {
    const parameters = JSON.stringify({ addresses: [simulation.wallets[0]?.c], sourceChain: "X" });
    for (const node of [1, 2]) {
      const { code, out } = await here(url(node), "ledger.getUTXOs", parameters);
      expect(code).toBe(0);
      expect((JSON.parse(out) as { readonly utxos: readonly string[] }).utxos).toHaveLength(1);
    }
  });

  it("comes from the chosen EVM chain", async () => {
    const config = `--config.file=${join(folder, "config.yaml")}`;
    const { received, url: elsewhere } = await serve((_request, response) =>
      response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}'),
    );
    expect((await here(elsewhere, "eth_chainId")).out).toBe('"0x1"\n');
    await here(elsewhere, "eth_gasPrice", "--chain=one", config);
    await here(elsewhere, "web3_clientVersion", "--chain=other", config);
    expect(received.map(({ url: path }) => path)).toEqual([
      "/ext/bc/C/rpc",
      `/ext/bc/${simulation.subnets[1]?.chainId ?? ""}/rpc`,
      "/ext/bc/other/rpc",
    ]);
  });
});

describe("the ID of an endpoint", () => {
  type Exchange = {
    readonly key?: string;
    readonly method: string;
    readonly result?: unknown;
    readonly error?: string;
  };
  const exchanges = (out: string) => JSON.parse(out) as readonly Exchange[];

  it("sends the requests of a poll and prints each with its answer", async () => {
    const { code, out, err } = await here(url(1), "evm.head");
    expect([code, err]).toEqual([0, ""]);
    expect(exchanges(out).map(({ key, method }) => `${key ?? ""} ${method}`)).toEqual([
      "C eth_blockNumber",
      "C eth_getBlockByNumber",
      "C eth_baseFee",
      "C eth_maxPriorityFeePerGas",
      "C txpool_status",
      "C eth_getBlockByNumber",
    ]);
    expect(exchanges(out)[0]?.result).toMatch(/^0x[0-9a-f]+$/);
    expect(exchanges(out)[4]?.error).toContain("the method txpool_status does not exist");
  });

  it("polls each chain, or the one of --chain by its configured name or that of its subnet", async () => {
    const file = `--config.file=${join(folder, "config.yaml")}`;
    const l1 = simulation.subnets[1]?.chainId;
    const keys = async (...args: readonly string[]) =>
      exchanges((await here("mine", "info.isBootstrapped", file, ...args)).out).map(({ key }) => key);
    expect(await keys()).toEqual(["P", "X", "C", l1]);
    for (const name of ["one", "l1", l1 ?? ""]) expect(await keys(`--chain=${name}`)).toEqual([l1]);
  });

  it("prints a list whole, with what its schema does not read", async () => {
    const validators = Array.from({ length: 3 }, (_, index) => ({
      nodeID: `NodeID-${index}`,
      weight: "1",
      startTime: "1",
      rest: "x",
    }));
    const nodeID = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";
    const { url: elsewhere } = await serve(({ body }, response) => {
      const result = body.includes("getNodeID") ? { nodeID } : { validators, networkName: "n" };
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
    });
    const { code, out, err } = await here(elsewhere, "platform.getCurrentValidators.watched");
    expect([code, err]).toEqual([0, ""]);
    expect(exchanges(out)[0]).toMatchObject({ params: { nodeIDs: [nodeID] }, result: { validators } });
  });

  it("fails as the poll does", async () => {
    const { code, out, err } = await here("http://127.0.0.1:1", "health");
    expect([code, err]).toEqual([1, "http://127.0.0.1:1: health: refused: connection refused (ECONNREFUSED)\n"]);
    expect(exchanges(out)).toEqual([
      { method: "GET /ext/health", params: {}, error: "connection refused (ECONNREFUSED)" },
    ]);
  });

  it("has nothing to poll without a subject", async () => {
    expect(await here(url(1), "evm.balances")).toEqual({
      code: 1,
      out: "",
      err: "avax-exporter call: evm.balances has nothing to poll on this node with this configuration\n",
    });
    expect((await here(url(1), "health", "--chain=C")).err).toContain("health is not polled by chain; remove --chain");
  });
});

describe("a configured name", () => {
  it("of a chain or subnet stands for its ID in parameters", async () => {
    const file = `--config.file=${join(folder, "config.yaml")}`;
    const l1 = simulation.subnets[1];
    const { received, url: elsewhere } = await serve((_request, response) =>
      response.end('{"jsonrpc":"2.0","id":1,"result":{}}'),
    );
    await here(elsewhere, "info.isBootstrapped", '{"chain":"one"}', file);
    await here(elsewhere, "platform.getBlockchainStatus", '{"blockchainID":"l1"}', file);
    await here(elsewhere, "platform.getCurrentValidators", '{"subnetID":"l1"}', file);
    await here(elsewhere, "info.isBootstrapped", '{"chain":"C"}', file);
    expect(received.map(({ body }) => (JSON.parse(body) as { params: unknown }).params)).toEqual([
      { chain: l1?.chainId },
      { blockchainID: l1?.chainId },
      { subnetID: l1?.id },
      { chain: "C" },
    ]);
  });
});

describe("an error", () => {
  it("of the node is printed as it is", async () => {
    const { code, out, err } = await here(url(1), "platform.getBlockByHeight", '{"height": 99999999}');
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("couldn't get block at height 99999999: not found");
  });

  it("of the connection is printed", async () => {
    const { code, err } = await here("http://127.0.0.1:1", "info.peers");
    expect(code).toBe(1);
    expect(err).toMatch(
      /^http:\/\/127.0.0.1:1: refused: connection refused \(ECONNREFUSED\); start the node, or .*\n$/,
    );
  });

  it("ends a call that takes too long", async () => {
    const { url: silent } = await serve(() => undefined);
    const { code, err } = await here(silent, "info.peers", "--call.timeout=200ms");
    expect([code, err]).toEqual([1, `${silent}: timeout: no complete answer within 0.2 s\n`]);
  });
});

it("exits as a process with 2 for a call that cannot be understood, and with 1 for a refused one", async () => {
  const wrong = await call(url(1), "platform.getBlockByHeight", '{"hight":1}');
  expect([wrong.code, wrong.out]).toEqual([2, ""]);
  const refused = await call(url(1), "admin_setLogLevel", '{"level":"debug"}');
  expect([refused.code, refused.out]).toEqual([1, ""]);
});

describe("a call that cannot be understood", () => {
  it.each([
    [[], "a node and a method are required"],
    [["nobody", "info.peers"], "neither a URL without credentials nor a configured node"],
    [["http://user:secret@127.0.0.1:1", "info.peers"], "neither a URL without credentials nor a configured node"],
    [["http://127.0.0.1:1", "info.peers", "{"], "invalid JSON"],
    [["http://127.0.0.1:1", "platform.getBlock"], "blockID"],
    [["http://127.0.0.1:1", "info.peeers"], 'unknown method "info.peeers"; did you mean "info.peers"?'],
    [["http://127.0.0.1:1", "eth_blockNumbr"], 'unknown method "eth_blockNumbr"; did you mean "eth_blockNumber"?'],
    [["nobody", "info.peer"], 'unknown method "info.peer"; did you mean "info.peers"?'],
    [["http://127.0.0.1:1", "evm.heads"], 'unknown method "evm.heads"; did you mean "evm.head"?'],
    [["http://127.0.0.1:1", "info.nope"], 'unknown method "info.nope"; call --help lists all methods\n'],
    [["http://127.0.0.1:1", "evm.head", "{}"], "evm.head is an endpoint and takes no parameters"],
    [["http://127.0.0.1:1", "admin_setLogLevl"], 'unknown method "admin_setLogLevl"; call --help lists all methods'],
    [["http://127.0.0.1:1", "admin_setLogLevl", "--allow-write"], 'did you mean "admin_setLogLevel"?'],
    [["http://127.0.0.1:1", "platform.getBlockByHeight", '{"hight":1}'], 'did you mean "height"?'],
    [["http://127.0.0.1:1", "platform.getBlockByHeight", '{"height":1,"encoding":"yaml"}'], "encoding"],
    [["http://127.0.0.1:1", "eth_getBalance", '["0x00"]'], "invalid parameters of eth_getBalance"],
    [["http://127.0.0.1:1", "info.peers", "{}", "{}"], "after the parameters"],
    [["http://127.0.0.1:1", "info.peers", "--chain=C"], "remove --chain"],
    [["data-api", "/v1/chains", "--call.timeout=soon"], '--call.timeout: "soon" is not a duration such as 30s'],
  ])("%j says %s", async (args, words) => {
    const { code, out, err } = await here(...args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(words);
    expect(err).not.toContain("secret");
  });
});

describe("a method that may change something", () => {
  it.each([
    ["admin_setLogLevel", '{"level":"debug"}'],
    ["admin_startCPUProfiler", undefined],
    ["ledger.issueTx", '{"tx":"0x00"}'],
    ["platform.issueTx", '{"tx":"0x00"}'],
    ["eth_sendRawTransaction", '["0x00"]'],
    ["debug_setHead", '["0x00"]'],
  ])("%s is refused without --allow-write, with the request that it would send", async (method, parameters) => {
    const before = asked().length;
    const { code, out, err } = await here(url(1), method, ...(parameters === undefined ? [] : [parameters]));
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(`refused: ${method} can change`);
    expect(err).toContain(`${url(1)}/ext/`);
    expect(err).toContain("--allow-write");
    expect(asked()).toHaveLength(before);
  });

  it.each([
    [1, "admin.setLogLevel", "admin_setLogLevel", '{"level":"debug"}'],
    [2, "admin_setLogLevel", "admin_setLogLevel", '{"level":"debug"}'],
    [2, "admin_memoryProfile", "admin_memoryProfile", "{}"],
  ])("is sent to node %i once as %s, after a probe with a read-only method", async (node, spelt, method, params) => {
    const before = asked().length;
    const { code, out } = await here(url(node), method, params, "--allow-write");
    expect([code, JSON.parse(out)]).toEqual([0, {}]);
    const since = asked().slice(before);
    expect(since.filter((each) => each === spelt)).toEqual([spelt]);
    expect(since.filter((each) => each !== spelt).every((each) => each.endsWith("getVMConfig"))).toBe(true);
  });

  it("is sent once when neither dialect accepts it", async () => {
    const before = asked().length;
    const { code, err } = await here(url(1), "ledger.issueTx", '{"tx":"0x00"}', "--allow-write");
    expect(code).toBe(1);
    expect(err).toContain("invalid input checksum");
    expect(
      asked()
        .slice(before)
        .filter((method) => method.endsWith("issueTx")),
    ).toEqual(["avax.issueTx"]);
  });
});

describe("help", () => {
  it("describes one method, with its parameters", async () => {
    const { code, out } = await here("ledger.getUTXOs", "--help");
    expect(code).toBe(0);
    expect(out).toContain("addresses       list of string\n");
    expect(out).toContain("limit           number, optional\n");
    expect(out).toContain("real nodes: avax.getUTXOs at /ext/bc/C/avax");
  });

  it("describes an endpoint", async () => {
    for (const args of [["evm.proof"], [url(1), "evm.proof"]])
      expect((await here(...args, "--help")).out).toBe(
        "evm.proof: Blocks for which eth_getProof returns a proof.\n\nSends: eth_blockNumber, eth_getProof\n",
      );
  });

  it("fails for an unknown method", async () => {
    expect((await here(url(1), "nothing.here", "--help")).code).toBe(2);
  });
});
