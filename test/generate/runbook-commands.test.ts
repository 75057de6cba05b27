import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { readArguments } from "../../src/cli/arguments.ts";
import { call } from "../../src/cli/call.ts";
import { callableEndpoints } from "../../src/cli/call/call-endpoint.ts";
import { checkConfig } from "../../src/cli/check-config.ts";
import { casesOf } from "../rule-cases/cases-of.ts";
import { PLACEHOLDERS, placeholdersOf } from "../../src/topics/all/runbook-commands.ts";
import { simulate, type Simulation } from "../../simulator/simulate.ts";
import { createCleanup } from "../support/create-cleanup.ts";
import { writeConfig } from "../e2e/support/daemon.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";
import { writtenSystem } from "../support/written-system.ts";

/** Runs every command of every runbook, as an operator would copy it, against a simulated network. */

const COMMANDS = ALERTS.flatMap((alert) =>
  Object.entries(alert.commands).map(([run, see]) => ({ name: alert.name, labels: casesOf(alert).labels, run, see })),
);
const CALLS = COMMANDS.filter(({ run }) => run.startsWith("call "));
/** The simulated node serves the admin API of the C-Chain alone. */
const OF_CHAINS = CALLS.filter(({ run }) => run.includes("<chain>") && !run.includes("admin_"));
/** Alerts about the exporter itself, which no node can confirm. */
const OF_EXPORTER = [
  "AvaxWatchdog",
  "AvaxExporterAbsent",
  "AvaxExporterShardMissing",
  "AvaxLabelsOverwritten",
  "AvaxExporterReloadFailed",
  "AvaxExporterOverloaded",
  "AvaxExporterDefect",
];
const RELAYER = "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC";

const cleanup = createCleanup();
let simulation: Simulation;
let config: string;

beforeAll(async () => {
  simulation = await simulate({
    nodes: 2,
    validators: 8,
    hosted: true,
    network: { id: 1, name: "mainnet" },
    // Its C-Chain has the admin API.
    version: "1.14.2",
    scenario: [
      { node: "all", name: "admin-on" },
      { node: "all", name: "utxo-waiting" },
    ],
  });
  cleanup.add(() => simulation.close());
  const folder = await temporaryFolder();
  cleanup.add(folder.remove);
  const [l1, wallet] = [simulation.subnets[1], simulation.wallets[0]];
  config = await writeConfig(folder.path, {
    nodes: simulation.nodes.map(({ name, url }) => ({ name, url, network: "mainnet" })),
    subnets: [{ id: l1?.id, name: "my-l1", chains: [{ id: l1?.chainId, name: "my-chain" }] }],
    watch: {
      addresses: [wallet?.p, wallet?.c, RELAYER].map((address, index) => ({ address, name: `wallet ${index}` })),
    },
    data_api: { url: simulation.hosted?.dataUrl, network: "mainnet", chains: ["43114"] },
    metrics_api: { url: simulation.hosted?.metricsUrl, chains: ["43114"] },
  });
});
afterAll(cleanup.run);

/** Values of the placeholders. */
function filled(run: string, over: Readonly<Record<string, string>> = {}): string {
  const wallet = simulation.wallets[0];
  const values: Readonly<Record<string, string | undefined>> = {
    node: simulation.nodes[0]?.name,
    "any-node": simulation.nodes[1]?.url,
    "id-of-node": simulation.nodes[0]?.nodeId,
    node_id: simulation.nodes[0]?.nodeId,
    address: run.includes("eth_") ? RELAYER : wallet?.p,
    "address-on-C": wallet?.c,
    file: config,
    chain: "C",
    evm_chain_id: "43114",
    api_endpoint: "info.peers",
    network: "mainnet",
    source_chain: "P",
    subnet: simulation.subnets[0]?.id,
    validation_id: simulation.state().l1[0]?.validationId,
    ...over,
  };
  return run.replaceAll(/<([\w-]+)>/g, (all, name: string) => values[name] ?? all);
}

/** The words of a line as a shell has them, single quotes taken off. */
function words(line: string): readonly string[] {
  return (line.match(/(?:[^\s']|'[^']*')+/g) ?? []).map((word) => word.replaceAll("'", ""));
}

/** Runs a command; its exit code, and what it wrote. */
async function run(line: string): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const { system, written } = writtenSystem();
  const parsed = readArguments(words(line));
  if ("problem" in parsed) return { code: 2, out: "", err: parsed.problem };
  const command = { call, "check-config": checkConfig }[parsed.command as string];
  const code = (await command?.(parsed.flags, system, parsed.args)) ?? 0;
  return { code, ...written };
}

describe("the commands of the runbooks", () => {
  it.each(CALLS)("$name: $run", async ({ run: line }) => {
    const { code, out, err } = await run(`${filled(line)} --config.file=${config}`);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toBeTruthy();
  });

  it.each(OF_CHAINS)("$name: $run, of an L1 by its name", async (command) => {
    const { code, err } = await run(`${filled(command.run, { chain: "my-chain" })} --config.file=${config}`);
    expect({ code, err }).toEqual({ code: 0, err: "" });
  });

  it.each([...callableEndpoints().keys()])("call <node> %s, an endpoint that an alert can name", async (id) => {
    const { code, err, out } = await run(`call ${simulation.nodes[0]?.name} ${id} --config.file=${config}`);
    // Polled only if the configuration switches it on.
    const isOff = id === "evm.proof";
    if (isOff) expect(err).toBe(`avax-exporter call: ${id} has nothing to poll on this node with this configuration\n`);
    // A real node ignores the subnet.
    else if (id === "info.uptime.subnet") expect(err).toContain("unsupported: info.uptime: ");
    else expect({ code, err }).toEqual({ code: 0, err: "" });
    if (code === 0) expect(JSON.parse(out)).toBeTruthy();
  });

  it.each(COMMANDS.filter((each) => !CALLS.includes(each)))("$name: $run is understood", async ({ run: line }) => {
    expect(await run(filled(line))).toMatchObject({ code: 0, err: "" });
  });

  it("include a call, except for alerts about the exporter itself", () => {
    const without = ALERTS.filter(({ name }) => !CALLS.some((each) => each.name === name));
    expect(without.map(({ name }) => name)).toEqual(OF_EXPORTER);
  });

  it.each(COMMANDS)("$name has only placeholders that the alert or the runbook explains: $run", (command) => {
    const known = ["node", ...Object.keys(PLACEHOLDERS), ...Object.keys(command.labels)];
    const asked = placeholdersOf(command.run);
    expect(asked.filter((name) => !known.includes(name))).toEqual([]);
    if (asked.includes("node")) expect(Object.keys(command.labels)).toContain("node");
    expect(filled(command.run)).not.toMatch(/<|>/);
    expect(command.see).toMatch(/^[^a-z].{10,}\.$/s);
  });

  it("are reported when they are wrong", async () => {
    expect(await run("call sim-1 info.peer")).toMatchObject({ code: 2 });
    expect(await run(`call ${simulation.nodes[0]?.url} info.isBootstrapped '{"chains": "P"}'`)).toMatchObject({
      code: 2,
    });
  });
});
