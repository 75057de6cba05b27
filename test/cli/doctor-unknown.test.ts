import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { newFamilies } from "../../src/cli/doctor/unknown-families.ts";
import { execute } from "../../src/cli/execute.ts";
import { simulate, type SimulatorOptions } from "../../simulator/simulate.ts";
import { createCleanup } from "../support/create-cleanup.ts";
import { writeConfig } from "../e2e/support/daemon.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";
import { writtenSystem } from "../support/written-system.ts";

const cleanup = createCleanup();
afterAll(cleanup.run);

async function doctor(options: SimulatorOptions, ...args: readonly string[]) {
  const simulation = await simulate(options);
  cleanup.add(simulation.close);
  const { system, written } = writtenSystem();
  const code = await execute(["doctor", "--unknown", ...simulation.nodes.map(({ url }) => url), ...args], system);
  const names = new Map(simulation.nodes.map(({ url, name }) => [url.replace("http://", ""), name]));
  const out = written.out.replaceAll(/127\.0\.0\.1:\d+/g, (address) => names.get(address) ?? address);
  return { code, out };
}

const COMMON = { nodes: 2, validators: 5 };

// Each waits two seconds before it asks again.
describe.concurrent("doctor --unknown", () => {
  it("lists what a release to come sends, and the endpoints that it refuses", async () => {
    const simulation = await simulate({ ...COMMON, nodes: 1, scenario: "next-release" });
    cleanup.add(simulation.close);
    const folder = await temporaryFolder();
    cleanup.add(folder.remove);
    const subnets = simulation.subnets.map(({ id }) => ({ id }));
    const addresses = [{ address: simulation.wallets[0]?.p, name: "treasury" }];
    const config = { nodes: [{ name: "sim-1", url: simulation.nodes[0]?.url }], subnets, watch: { addresses } };
    const { system, written } = writtenSystem();
    const file = await writeConfig(folder.path, config);
    expect(await execute(["doctor", "--unknown", `--config.file=${file}`], system)).toBe(1);
    expect(written.out).toBe(`5 names of 1 node: new to avax-exporter 0.1.0.

Health checks:
  gossip (sim-1)

Fields:
  info.getNodeVersion buildTags (sim-1)

Refused endpoints:
  platform.getBlockchains (sim-1)

Releases:
  avalanchego/1.99.0 (sim-1)

Native metrics (/ext/metrics):
  avalanche_gossip_messages_total (sim-1)
`);
    // What is refused fails no poll, and the balance comes from elsewhere.
    const once = writtenSystem();
    expect(await execute(["once", `--config.file=${file}`], once.system)).toBe(0);
    expect(once.written.out).toContain('wallet="treasury",state="unlocked"} 29993773.699611574\n');
    expect(once.written.out).toContain('avax_node_unknown_names{node="sim-1",network="local"} 4\n');
  });

  it("names the nodes of each", async () => {
    const { out } = await doctor({
      ...COMMON,
      nodes: 3,
      scenario: [2, 3].map((node) => ({ node, name: "next-release" })),
    });
    expect(out).toContain("Health checks:\n  gossip (sim-2, sim-3)\n");
    expect(out).toContain("/ext/metrics):\n  avalanche_gossip_messages_total (sim-2, sim-3)\n");
  });

  it("finds nothing new in past releases, which can lack what a later one serves", async () => {
    const releases = ["1.15.0", "1.11.13", "1.12.2", "1.13.5", "1.14.2"];
    const [now, ...past] = await Promise.all(releases.map((version) => doctor({ ...COMMON, version })));
    for (const { out } of past) expect(out).not.toMatch(/^(Health checks|Fields|Releases|Native metrics)/m);
    expect(now).toEqual({ code: 0, out: "0 names of 2 nodes: new to avax-exporter 0.1.0.\n" });
  });

  it("lists what a server of the specification alone refuses, and that it has no metrics of its own", async () => {
    const { code, out } = await doctor({ ...COMMON, dialect: "spec" });
    expect(out).toMatch(/^\d+ names of 2 nodes: new to avax-exporter 0\.1\.0\.\n\nRefused endpoints:\n/);
    expect(out).toContain("\n  platform.getHeight (sim-1, sim-2)\n");
    expect(out).toMatch(/\n\nNo native metrics: sim-1, sim-2\n$/);
    expect(code).toBe(1);
  });

  it("asks no exporter", async () => {
    const { system, written } = writtenSystem();
    expect(await execute(["doctor", "--unknown", "--since=1h"], system)).toBe(2);
    expect(written.err).toContain("--unknown asks nodes: pass neither --since nor --exporter");
  });
});

describe("families of a node's own metrics", () => {
  const RECORDINGS = join(import.meta.dirname, "../recordings");

  it.each(["before-helicon", "after-helicon-same-process-5min", "after-restart"])("%s: none is new", (moment) => {
    const text = readFileSync(join(RECORDINGS, `head-n2-${moment}.native-metrics.txt`), "utf8");
    expect(text.match(/^# TYPE /gm)?.length).toBeGreaterThan(900);
    expect(newFamilies(text)).toEqual([]);
  });

  it("those of a VM are its own, and others are new by their whole name", () => {
    const names = [
      "avalanche_2pD5mY9QBLp9kVwKn3fiPcRNVm3ydS6Fb4Fjn5n8PV3rLc6eK_vm_mood",
      "avalanche_network_peers",
      "avalanche_network_peer",
      "avalanche_network_peers msgs",
      "up",
    ];
    expect(newFamilies(names.map((name) => `# TYPE ${name} gauge\n${name} 1\n`).join(""))).toEqual([
      "avalanche_network_peer",
      "up",
    ]);
  });

  it("10,000 of them are 1,000, of 160 characters", () => {
    const flood = Array.from({ length: 10_000 }, (_, i) => `# TYPE f${i}_${"x".repeat(500)} gauge\n`).join("");
    const found = newFamilies(flood);
    expect(found).toHaveLength(1_000);
    for (const name of found) expect(name).toHaveLength(160);
  });
});
