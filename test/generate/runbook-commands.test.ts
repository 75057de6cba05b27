import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Alert } from "../../src/topics/define/alert.ts";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { callableEndpoints } from "../../src/cli/call/call-endpoint.ts";
import { execute } from "../../src/cli/execute.ts";
import type { KnownSubjects } from "../../src/http/runbooks/runbook-commands.ts";
import { renderRunbook } from "../../src/http/runbooks/render-runbook.ts";
import { filledIn, PLACEHOLDERS, placeholdersOf } from "../../src/topics/all/runbook-commands.ts";
import { simulate, type Simulation } from "../../simulator/simulate.ts";
import { ABOUT, diagnosis, problem, status, target } from "../http/fixtures.ts";
import { casesOf } from "../rule-cases/cases-of.ts";
import { createCleanup } from "../support/create-cleanup.ts";
import { writeConfig } from "../e2e/support/daemon.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";
import { writtenSystem } from "../support/written-system.ts";

/**
 * Runs every command of every runbook as it is printed on the exporter's pages for an alert about a simulated node. Where a page
 * prints a command of a machine that has AvalancheGo as a service, the services are stand-ins; curl is real.
 */

const COMMANDS = ALERTS.flatMap((alert) =>
  Object.entries(alert.commands).map(([run, see]) => ({ name: alert.name, labels: casesOf(alert).labels, run, see })),
);
const CALLS = COMMANDS.filter(({ run }) => run.startsWith("call "));
/** The simulated node serves the admin API of the C-Chain alone. */
const OF_L1 = CALLS.filter(({ run }) => run.includes("<chain>") && !run.includes("admin_"));
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
/** By the budget of the public services a round of all hosted polls takes half a minute. */
const AMPLE = { per_minute: 1_000_000, per_day: 1_000_000_000 };
const RELAYER = "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC";

const cleanup = createCleanup();
let simulation: Simulation;
let config: string;
let stands: string;
let known: KnownSubjects;

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
    data_api: { url: simulation.hosted?.dataUrl, network: "mainnet", chains: ["43114"], budget: AMPLE },
    metrics_api: { url: simulation.hosted?.metricsUrl, chains: ["43114"], budget: AMPLE },
  });
  stands = join(folder.path, "bin");
  await mkdir(stands);
  for (const [name, script] of Object.entries(STAND_INS))
    await writeFile(join(stands, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const nodes = simulation.nodes.map(({ name, url, nodeId }) => ({
    ...target(),
    name,
    url,
    nodeId,
    network: "mainnet",
  }));
  known = {
    fleet: () => nodes.map((node) => ({ ...node, reportedNetwork: "mainnet", labels: {}, credentials: [] })),
    status: () => status(nodes),
    wallets: () =>
      new Map([
        ["wallet 0", wallet?.p ?? ""],
        ["relayer", RELAYER],
      ]),
    about: { ...ABOUT, configFile: config },
    diagnosis: undefined,
  };
});
afterAll(cleanup.run);

/** Programs of the machine of a node. AvalancheGo's lines have the priority of all standard output: info. */
const STAND_INS = {
  sudo: 'exec "$@"',
  systemctl: 'echo "$* avalanchego.service"',
  journalctl:
    'case "$*" in *priority*) ;; *) echo "avalanchego[1]: [11-27|03:45:00.000] WARN <P Chain> health/worker.go:252 check started failing" ;; esac',
  avalanche:
    'echo "$@" | grep -E "^validator increaseBalance --mainnet --validation-id [A-Za-z0-9]{40,} --balance [0-9.]+$"',
};

/** The commands on the page of an alert that fires, each once. */
function printed(alert: Alert): readonly string[] {
  const values: Readonly<Record<string, string | undefined>> = {
    node: simulation.nodes[0]?.name,
    node_id: simulation.nodes[0]?.nodeId,
    chain: "C",
    evm_chain_id: "43114",
    api_endpoint: "info.peers",
    network: "mainnet",
    source_chain: "P",
    wallet: Object.keys(alert.commands).some((run) => run.includes("eth_")) ? "relayer" : "wallet 0",
    subnet: simulation.subnets[0]?.id,
    validation_id: simulation.state().l1[0]?.validationId,
  };
  const labels = Object.fromEntries(
    Object.entries(casesOf(alert).labels).map(([name, value]) => [name, values[name] ?? value]),
  );
  const found = diagnosis([problem({ alert: alert.name, labels })], { topUps: { mainnet: 1.327 } });
  const page = renderRunbook(alert, { ...known, diagnosis: found });
  const [commands = ""] = page.split("<h2>What it means</h2>");
  return [...commands.matchAll(/<pre tabindex="0"><code>([^<]*)<\/code>/g)].flatMap(([, block = ""]) =>
    plain(block).split("\n"),
  );
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const plain = (html: string): string => html.replaceAll(/&(#?\w+);/g, (all, name: string) => ENTITIES[name] ?? all);

/** The words of a line as a shell has them, single quotes taken off. */
function words(line: string): readonly string[] {
  return (line.match(/(?:[^\s']|'[^']*')+/g) ?? []).map((word) => word.replaceAll("'", ""));
}

/** Runs a command of the exporter; its exit code, and what it wrote. */
async function run(line: string): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const { system, written } = writtenSystem();
  const [program, ...args] = words(line);
  expect(program).toBe("avax-exporter");
  return { code: await execute(args, system), ...written };
}

const done = new Map<string, Promise<void>>();

/** Runs a printed command, each once. */
function succeeds(line: string): Promise<void> {
  const known = done.get(line) ?? (line.startsWith("avax-exporter ") ? ofExporter(line) : ofMachine(line));
  done.set(line, known);
  return known;
}

async function ofExporter(line: string): Promise<void> {
  const { code, out, err } = await run(line);
  // The doctor finds problems of the small simulated network; one poll of `once` is an API that it lacks.
  const isReport = /^avax-exporter (doctor|once) /.test(line);
  // What it finds is an error either way: the node looks for a transaction that cannot be, or refuses to.
  if (line.includes(" debug_traceTransaction ")) {
    expect(err).toMatch(/transaction not found|does not exist\/is not available/);
    return;
  }
  expect({ line, code: isReport ? 0 : code, err: isReport ? "" : err }).toEqual({ line, code: 0, err: "" });
  expect(out).not.toBe("");
  if (line.startsWith("avax-exporter call ")) expect(JSON.parse(out)).toBeTruthy();
}

async function ofMachine(line: string): Promise<void> {
  const env = { ...process.env, PATH: `${stands}:${process.env["PATH"] ?? ""}` };
  const { stdout } = await promisify(execFile)("bash", ["-o", "pipefail", "-c", line], { env });
  expect(stdout).not.toBe("");
  if (line.startsWith("curl ")) expect(JSON.parse(stdout)).not.toHaveProperty("error");
}

describe("the runbooks", () => {
  it.each(ALERTS)("the commands of $name succeed as they are printed", async (alert) => {
    const lines = printed(alert);
    expect(lines.filter((line) => /<[\w-]+>|undefined/.test(line))).toEqual([]);
    if (Object.keys(alert.commands).length > 0) expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) await succeeds(line);
  });

  it.each(OF_L1)("a command for an EVM chain asks an L1 by its name: $run", async ({ run: line }) => {
    const values = { node: simulation.nodes[0]?.name, "any-node": simulation.nodes[1]?.name, chain: "my-chain" };
    await succeeds(`avax-exporter ${filledIn(line, { ...values, address: RELAYER })} --config.file=${config}`);
  });

  it.each([...callableEndpoints().keys()])("call <node> %s, an endpoint that an alert can name", async (id) => {
    const { code, err, out } = await run(
      `avax-exporter call ${simulation.nodes[0]?.name} ${id} --config.file=${config}`,
    );
    // Polled only if the configuration switches it on, and at a public address.
    const isOff = id === "evm.proof" || id === "evm.trace";
    if (isOff) expect(err).toBe(`avax-exporter call: ${id} has nothing to poll on this node with this configuration\n`);
    // A real node ignores the subnet.
    else if (id === "info.uptime.subnet") expect(err).toContain("unsupported: info.uptime: ");
    else expect({ code, err }).toEqual({ code: 0, err: "" });
    if (code === 0) expect(JSON.parse(out)).toBeTruthy();
  });

  it("have a call, except for alerts about the exporter itself", () => {
    const without = ALERTS.filter(({ name }) => !CALLS.some((each) => each.name === name));
    expect(without.map(({ name }) => name)).toEqual(OF_EXPORTER);
  });

  it.each(COMMANDS)("$name has only placeholders that the alert or the runbook explains: $run", (command) => {
    const known = ["node", ...Object.keys(PLACEHOLDERS), ...Object.keys(command.labels)];
    const asked = placeholdersOf(command.run);
    expect(asked.filter((name) => !known.includes(name))).toEqual([]);
    if (asked.includes("node")) expect(Object.keys(command.labels)).toContain("node");
    expect(command.see).toMatch(/^[^a-z].{10,}\.$/s);
  });

  it("are reported when they are wrong", async () => {
    expect(await run("avax-exporter call sim-1 info.peer")).toMatchObject({ code: 2 });
    await expect(succeeds("avax-exporter call sim-1 info.peer")).rejects.toThrow();
    await expect(succeeds("journalctl -u avalanchego --priority=warning")).rejects.toThrow();
    expect(
      await run(`avax-exporter call ${simulation.nodes[0]?.url} info.isBootstrapped '{"chains": "P"}'`),
    ).toMatchObject({ code: 2 });
  });
});
