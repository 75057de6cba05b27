import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { Day } from "../../src/diagnosis/history/day.ts";
import { simulate } from "../../simulator/simulate.ts";
import { writeConfig, type RunningDaemon } from "./support/daemon.ts";
import { cleanUpAfter, daemonWith, EVERY_SECOND, folder, WITHIN } from "./support/harness.ts";

const OTHER_ID = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";

/** The history after a diagnosis of this moment. */
async function historyOf(daemon: RunningDaemon): Promise<Day> {
  await daemon.get("/api/v1/findings");
  return (await (await daemon.get("/api/v1/history?since=1h")).json()) as Day;
}

const replaced = ({ problems }: Day) => problems.filter(({ alert }) => alert === "AvaxNodeReplaced");

it("the history survives kill -9: events stay, open problems continue, the time between is unknown", async () => {
  const simulation = await simulate({ nodes: 2 });
  cleanUpAfter(simulation.close);
  const [first, second] = simulation.nodes;
  const nodes = [
    { name: "a", url: first?.url, node_id: OTHER_ID },
    { name: "b", url: second?.url },
  ];
  const config = await writeConfig(await folder(), { nodes, endpoints: EVERY_SECOND });
  const path = await folder();
  const file = join(path, "history.ndjson");
  const args = [`--config.file=${config}`, `--storage.path=${path}`];

  const one = await daemonWith(args);
  await vi.waitUntil(one.isReady, WITHIN);
  await vi.waitFor(async () => expect(replaced(await historyOf(one))).toHaveLength(1), WITHIN);
  await one.get("/-/healthy");
  one.child.signal("SIGHUP");
  await vi.waitFor(async () => expect(await readFile(file, "utf8")).toContain('"reloaded"'), WITHIN);
  const before = await historyOf(one);
  expect(replaced(before)[0]).toMatchObject({ severity: "critical", node: "a" });
  expect(replaced(before)[0]).not.toHaveProperty("ended");
  one.child.signal("SIGKILL");
  await one.child.exited;
  // As after a crash in the middle of a write.
  await appendFile(file, '{"kind":"problem","id":99,"fr');

  const two = await daemonWith(args);
  await vi.waitUntil(two.isReady, WITHIN);
  await vi.waitFor(async () => expect((await historyOf(two)).events.length).toBeGreaterThan(2), WITHIN);
  const after = await historyOf(two);
  expect(two.child.stderr()).toContain("continuing from the history");
  expect(replaced(after)).toHaveLength(1);
  expect(replaced(after)[0]?.began).toBe(replaced(before)[0]?.began);
  expect(replaced(after)[0]).not.toHaveProperty("ended");
  expect(after.events.map(({ kind }) => kind)).toEqual(["started", "reloaded", "unanswered", "started"]);
  const [start] = after.events;
  expect(start?.began).toBeLessThanOrEqual(before.now);
  expect(start?.ended).toBeGreaterThan(before.now);
  expect(after.from).toBe(before.from);
  const { problems } = (await (await two.get("/api/v1/findings")).json()) as {
    problems: ReadonlyArray<{ alert: string; since: number; state: string }>;
  };
  expect(problems.find(({ alert }) => alert === "AvaxNodeReplaced")).toMatchObject({
    since: replaced(before)[0]?.began,
    state: "firing",
  });
  expect(after.strips.map(({ node, slots }) => [node, slots.at(-1)])).toEqual([
    ["a", "critical"],
    ["b", "ok"],
  ]);
  await two.child.stop();
  expect(await readFile(file, "utf8")).not.toContain('"fr{');
});
