import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { simulate, type Simulation } from "../../simulator/simulate.ts";
import { runExporter, writeConfig, type RunningDaemon, type StartOptions } from "./support/daemon.ts";
import { cleanUpAfter, daemonWith, EVERY_SECOND, folder, value, WITHIN } from "./support/harness.ts";

const ENDPOINTS = { ...EVERY_SECOND, "platform.getCurrentValidators": { every: "1s" } };

async function network(): Promise<{ readonly simulation: Simulation; readonly config: string }> {
  const simulation = await simulate({ nodes: 3 });
  cleanUpAfter(simulation.close);
  const nodes = simulation.nodes.map(({ name, url }) => ({ name, url }));
  return { simulation, config: await writeConfig(await folder(), { nodes, endpoints: ENDPOINTS }) };
}

async function ready(args: readonly string[], options: StartOptions = {}): Promise<RunningDaemon> {
  const daemon = await daemonWith(args, options);
  await vi.waitUntil(daemon.isReady, WITHIN);
  return daemon;
}

const PRIMARY = { subnet: "primary" };

describe("a restart with --storage.path", () => {
  it("remembers whose validator it is", async () => {
    const { simulation, config } = await network();
    const path = join(await folder(), "state");
    const args = [`--config.file=${config}`, `--storage.path=${path}`];
    const nodeId = simulation.nodes[1]?.nodeId ?? "";
    const [first, second, third] = simulation.nodes.map(({ name }) => name);
    const { network: name = "" } =
      [...(await stopped(await ready(args))).values()].find((each) => each.name === "avax_node_configured")?.labels ??
      {};
    const ofSet = { ...PRIMARY, network: name, node_id: nodeId };
    // The history begins with the first evaluation, which a short run may not reach.
    expect((await readdir(path)).filter((file) => file !== "history.ndjson")).toEqual(["state.json"]);
    expect(await readFile(join(path, "state.json"), "utf8")).toContain(nodeId);

    simulation.set(2, "offline-validator");
    const again = await ready(args);
    expect(again.child.stderr()).toContain("continuing from the state file");
    expect(await value(again, "avax_node_up", { node: second ?? "" })).toBe(0);
    expect(await value(again, "avax_node_configured", { node: second ?? "", network: name, node_id: nodeId })).toBe(1);
    await vi.waitFor(async () => {
      expect(await value(again, "avax_validator_in_set", ofSet)).toBe(1);
      for (const node of [first ?? "", third ?? ""])
        expect(await value(again, "avax_validator_connected", { ...ofSet, node })).toBe(0);
    }, WITHIN);
    expect(await value(again, "avax_exporter_storage_last_write_successful", {})).toBe(1);
  });
});

it("a second exporter with the same directory logs whose it is, and runs without storage", async () => {
  const { config } = await network();
  const path = join(await folder(), "state");
  const args = [`--config.file=${config}`, `--storage.path=${path}`];
  const first = await ready(args);
  const second = await ready(args);
  expect(second.child.stderr()).toContain(`"other":"process ${first.child.pid} on `);
  const written = "avax_exporter_storage_last_write_successful";
  expect([await value(first, written, {}), await value(second, written, {})]).toEqual([1, 0]);
  await second.child.stop();
  await first.child.stop();
  expect((await readdir(path)).filter((file) => file.includes("lock"))).toEqual([]);
});

describe("without --storage.path", () => {
  const written = "avax_exporter_storage_last_write_successful";

  it("the state is in data/ of the working directory, for the exporter's user alone", async () => {
    const { config } = await network();
    const cwd = await folder();
    const daemon = await ready([`--config.file=${config}`], { cwd });
    expect(await value(daemon, written, {})).toBe(1);
    await stopped(daemon);
    expect(await readdir(join(cwd, "data"))).toContain("state.json");
    expect((await stat(join(cwd, "data"))).mode & 0o777).toBe(0o700);
    const again = await ready([`--config.file=${config}`], { cwd });
    expect(again.child.stderr()).toContain("continuing from the state file");
  });

  it("a working directory that cannot be written is one line of the log", async () => {
    const { config } = await network();
    const cwd = await folder();
    await writeFile(join(cwd, "data"), "a file, not a folder");
    const daemon = await ready([`--config.file=${config}`], { cwd });
    const lines = daemon.child.stderr().split("\n");
    expect(lines.filter((line) => line.includes("forgotten at a restart"))).toHaveLength(1);
    expect(await value(daemon, written, {})).toBeUndefined();
    expect((await readdir(cwd)).toSorted()).toEqual(["data"]);
  });
});

it("a given --storage.path that cannot be written is an error", async () => {
  const path = join(await folder(), "file");
  await writeFile(path, "a file, not a folder");
  const child = runExporter([`--storage.path=${path}`, "--web.listen-address=127.0.0.1:0"]);
  cleanUpAfter(child.stop);
  expect(await child.exited).toBe(1);
  expect(child.stderr()).toMatch(/^--storage\.path: cannot write to the directory /m);
});

describe("a restart with an empty --storage.path", () => {
  it("reports on the page which validators are not known", async () => {
    const { simulation, config } = await network();
    simulation.set(2, "offline-validator");
    const daemon = await ready([`--config.file=${config}`]);
    expect(await (await daemon.get("/")).text()).toContain(
      "its validator is not known until it answers once; set node_id or --storage.path",
    );
    expect([...(await daemon.metrics()).values()].map(({ name }) => name)).not.toContain(
      "avax_exporter_storage_last_write_successful",
    );
  });
});

/** Ends a daemon once it has read the validator set, and returns its last series. */
async function stopped(daemon: RunningDaemon): ReturnType<RunningDaemon["metrics"]> {
  const isComplete = (names: readonly string[]) => names.filter((name) => name === "avax_validator_in_set").length >= 3;
  const metrics = await vi.waitUntil(async () => {
    const series = await daemon.metrics();
    return isComplete([...series.values()].map(({ name }) => name)) ? series : undefined;
  }, WITHIN);
  await daemon.child.stop();
  return metrics;
}
