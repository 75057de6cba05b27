import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { execute } from "../../src/cli/execute.ts";
import { simulate, type Simulation } from "../../src/simulator/simulate.ts";
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
  simulation = await simulate({
    nodes: 2,
    overrides: [{ node: 2, dialect: "spec" }],
    scenario: [
      { node: "all", name: "utxo-waiting" },
      { node: "all", name: "admin-on" },
    ],
  });
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
    const { code, out } = await call(
      ...["mine", "platform.getBlockByHeight", '{"height": 1, "encoding": "json"}'],
      `--config.file=${join(folder, "config.yaml")}`,
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ encoding: "json", block: { height: 1 } });
  });

  it("keeps every digit", async () => {
    const body = '{"jsonrpc":"2.0","result":{"amount":18446744073709551615,"ratio":1.50,"small":7},"id":1}';
    const { url: elsewhere } = await serve((_request, response) => response.end(body));
    const { out } = await call(elsewhere, "platform.getBlock", '{"blockID":"x"}');
    expect(out).toBe('{\n  "amount": 18446744073709551615,\n  "ratio": 1.50,\n  "small": 7\n}\n');
  });

  it("may be a health report, by path, in one word or two, with tags", async () => {
    for (const args of [["/ext/health/liveness"], ["GET", "/ext/health/liveness"]]) {
      const { code, out } = await call(url(1), ...args);
      expect([code, JSON.parse(out)]).toEqual([0, { checks: {}, healthy: true }]);
    }
    const tagged = await call(url(1), "/ext/health", '{"tag":["a","b"]}');
    expect(tagged.code).toBe(0);
    const { received, url: elsewhere } = await serve((_request, response) => response.end("{}"));
    await call(elsewhere, "/ext/health", '{"tag":["a","b"]}');
    expect(received.map(({ url: path }) => path)).toEqual(["/ext/health?tag=a&tag=b"]);
  });

  it("comes from either spelling of the ledger", async () => {
    const parameters = JSON.stringify({ addresses: [simulation.wallets[0]?.c], sourceChain: "X" });
    for (const node of [1, 2]) {
      const { code, out } = await call(url(node), "ledger.getUTXOs", parameters);
      expect(code).toBe(0);
      expect((JSON.parse(out) as { readonly utxos: readonly string[] }).utxos).toHaveLength(1);
    }
  });

  it("comes from the chosen EVM chain", async () => {
    const config = `--config.file=${join(folder, "config.yaml")}`;
    const { received, url: elsewhere } = await serve((_request, response) =>
      response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}'),
    );
    expect((await call(elsewhere, "eth_chainId")).out).toBe('"0x1"\n');
    await call(elsewhere, "eth_gasPrice", "--chain=one", config);
    await call(elsewhere, "web3_clientVersion", "--chain=other", config);
    expect(received.map(({ url: path }) => path)).toEqual([
      "/ext/bc/C/rpc",
      `/ext/bc/${simulation.subnets[1]?.chainId ?? ""}/rpc`,
      "/ext/bc/other/rpc",
    ]);
  });
});

describe("an error", () => {
  it("of the node is printed as it is", async () => {
    const { code, out, err } = await call(url(1), "platform.getBlockByHeight", '{"height": 99999999}');
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("couldn't get block at height 99999999: not found");
  });

  it("of the connection is printed", async () => {
    const { code, err } = await call("http://127.0.0.1:1", "info.peers");
    expect([code, err]).toEqual([1, "http://127.0.0.1:1: refused: connection refused (ECONNREFUSED)\n"]);
  });

  it("ends a call that takes too long", async () => {
    const { url: silent } = await serve(() => undefined);
    const { code, err } = await call(silent, "info.peers", "--call.timeout=200ms");
    expect([code, err]).toEqual([1, `${silent}: timeout: no complete answer within 0.2 s\n`]);
  });
});

describe("the process", () => {
  it("exits with 2 for a call that cannot be understood, and with 1 for a refused one", async () => {
    const wrong = await call(url(1), "platform.getBlockByHeight", '{"hight":1}');
    expect([wrong.code, wrong.out]).toEqual([2, ""]);
    expect(wrong.err).toContain('did you mean "height"?');
    expect((await call(url(1), "info.peers", "--what")).code).toBe(2);
    const refused = await call(url(1), "admin_setLogLevel", '{"level":"debug"}');
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain("--allow-write");
  });
});

describe("a call that cannot be understood", () => {
  it.each([
    [[], "a node and a method are required"],
    [["http://127.0.0.1:1"], "a node and a method are required"],
    [["nobody", "info.peers"], "neither a URL nor a configured node"],
    [["http://user:secret@127.0.0.1:1", "info.peers"], "the URL contains credentials"],
    [["http://127.0.0.1:1", "infopeers"], 'did you mean "info.peers"?'],
    [["http://127.0.0.1:1", "info.peers", "{"], "invalid JSON"],
    [["http://127.0.0.1:1", "platform.getBlockByHeight"], "height"],
    [["http://127.0.0.1:1", "platform.getBlockByHeight", '{"hight":1}'], 'did you mean "height"?'],
    [["http://127.0.0.1:1", "platform.getBlockByHeight", '{"height":1,"encoding":"yaml"}'], "encoding"],
    [["http://127.0.0.1:1", "eth_getBalance", '["0x00"]'], "invalid parameters of eth_getBalance"],
    [["http://127.0.0.1:1", "eth_gasPrice", "{}"], "invalid parameters of eth_gasPrice"],
    [["http://127.0.0.1:1", "info.peers", "{}", "{}"], "after the parameters"],
    [["http://127.0.0.1:1", "info.peers", "--chain=C"], "remove --chain"],
    [["http://127.0.0.1:1", "info.peers", "--call.timeout=soon"], "is not a duration such as 30s"],
    [["http://127.0.0.1:1", "info.peers", "--call.timeout=0s"], "is not a duration such as 30s"],
    [["data-api", "GET", "/v1/chains", "--call.timeout=soon"], '--call.timeout: "soon" is not a duration such as 30s'],
    [["http://127.0.0.1:1", "info.peers", "--what"], "--what"],
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
    ["admin.lockProfile", undefined],
    ["ledger.issueTx", '{"tx":"0x00"}'],
    ["avax.issueTx", '{"tx":"0x00"}'],
    ["platform.issueTx", '{"tx":"0x00"}'],
    ["eth_sendRawTransaction", '["0x00"]'],
    ["eth_sendTransaction", "[{}]"],
    ["personal_unlockAccount", '["0x00"]'],
    ["personal_listAccounts", undefined],
    ["debug_setHead", '["0x00"]'],
    ["debug_startCPUProfile", '["/tmp/x"]'],
    ["debug_standardTraceBlockToFile", '["0x00"]'],
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
    [1, "admin.setLogLevel"],
    [2, "admin_setLogLevel"],
  ])("is sent to node %i once as %s, after a probe with a read-only method", async (node, spelt) => {
    const before = asked().length;
    const { code, out } = await call(url(node), "admin_setLogLevel", '{"level":"debug"}', "--allow-write");
    expect([code, JSON.parse(out)]).toEqual([0, {}]);
    const since = asked().slice(before);
    expect(since.filter((method) => method.includes("setLogLevel"))).toEqual([spelt]);
    expect(
      since.filter((method) => !method.includes("setLogLevel")).every((method) => method.endsWith("getVMConfig")),
    ).toBe(true);
  });

  it("is sent once when neither dialect accepts it", async () => {
    const before = asked().length;
    const { code, err } = await call(url(1), "ledger.issueTx", '{"tx":"0x00"}', "--allow-write");
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
  it("lists every method", async () => {
    const { code, out } = await call("--help");
    expect(code).toBe(0);
    for (const method of [
      "GET /ext/health",
      "info.peers",
      "platform.getBalance",
      "admin_getVMConfig",
      "ledger.issueTx",
      "eth_baseFee",
    ])
      expect(out).toContain(`  ${method} `);
  });

  it("describes one method, with its parameters", async () => {
    const { code, out } = await here("ledger.getUTXOs", "--help");
    expect(code).toBe(0);
    expect(out).toContain("addresses       list of string\n");
    expect(out).toContain("limit           number, optional\n");
    expect(out).toContain("real nodes: avax.getUTXOs at /ext/bc/C/avax");
  });

  it("fails for an unknown method", async () => {
    expect((await here(url(1), "nothing.here", "--help")).code).toBe(2);
  });
});
