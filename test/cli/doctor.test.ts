import { afterEach, describe, expect, it, test } from "vitest";
import { doctor, examine, nodesAt } from "../../src/cli/doctor.ts";
import type { System } from "../../src/runtime/system.ts";
import type { Config } from "../../src/config/config.ts";
import { reportOf } from "../../src/diagnosis/report.ts";
import { unseenNodes, type Report } from "../../src/diagnosis/seen.ts";
import { systemClock, type Clock } from "../../src/runtime/clock.ts";
import { simulate } from "../../src/simulator/simulate.ts";
import { catalogueOf } from "../../src/catalogue/catalogue.ts";
import { TOPICS } from "../../src/definitions/topics.ts";
import { createCleanup } from "../e2e/support/cleanup.ts";
import { writeConfig } from "../e2e/support/daemon.ts";
import { answer, loadRecording, type Recording } from "../e2e/support/recording.ts";
import { startRecordingServer } from "../e2e/support/recording-server.ts";
import { writtenSystem } from "../support/written-system.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";

const cleanup = createCleanup();
afterEach(cleanup.run);

/** Everything was asked long before: a look ends when it is complete, and a busy machine only makes it longer. Seconds. */
const NO_LIMIT = 600;

/** Deadlines that answers are late for on no machine: of a fleet all are asked at once. */
function patient(config: Config): Config {
  const endpoints = catalogueOf(TOPICS).endpoints.map(({ id }) => [id, { timeout: NO_LIMIT }] as const);
  return { ...config, endpoints: Object.fromEntries(endpoints) };
}

/** A clock that stands just behind the last moment of the recordings, and goes on from there. */
function clockOf(recordings: readonly Recording[]): Clock {
  const bodies = recordings.map((each) => answer(each, "health.get").response.body).join();
  const last = Math.max(...[...bodies.matchAll(/"timestamp":"([^"]+)"/g)].map(([, time = ""]) => Date.parse(time)));
  const shift = (last + 1_000 - Date.now()) / 1_000;
  return { ...systemClock, now: () => Date.now() / 1_000 + shift };
}

/** Looks at recorded nodes, each called by the name of its recording. */
async function look(...names: readonly string[]): Promise<Report> {
  const recordings = names.map(loadRecording);
  const servers = await Promise.all(recordings.map((each) => startRecordingServer(each)));
  for (const { close } of servers) cleanup.add(close);
  const config = nodesAt(servers.map(({ url }) => url)) as Config;
  const nodes = config.nodes.map((node, index) => ({ ...node, name: names[index] ?? "" }));
  const system = { err: () => undefined, nodeVersion: "v24" };
  return examine({ ...config, nodes }, { limit: NO_LIMIT, system, clock: clockOf(recordings) });
}

const alerts = ({ diagnosis }: Report, severity = "critical") =>
  diagnosis.findings.filter((each) => each.severity === severity).map(({ alert, labels }) => [alert, labels["node"]]);

describe("the validator that an upgrade left behind, beside one that it did not", () => {
  it("is said to call itself healthy, and to be left behind", async () => {
    const report = await look("custom-helicon-active", "custom-left-behind");
    expect(alerts(report)).toEqual([
      ["AvaxNodeUpgradeNotReady", "custom-left-behind"],
      ["AvaxNodeLeftBehind", "custom-left-behind"],
    ]);
    const text = reportOf(report, false);
    expect(text).toContain("custom-left-behind: this node calls itself healthy, yet 2 critical problems\n");
    expect(text).toContain("  CRITICAL An upgrade left custom-left-behind behind, by 7 blocks so far\n");
    expect(text).toContain('    known  avax_chain_lag_blocks{chain="C",node="custom-left-behind"} 7\n');
    expect(text).toContain("    do     Install the release that knows the upgrade.");
    expect(text).toContain("    more   docs/runbooks/AvaxNodeLeftBehind.md; the alert fires after 2m of this\n");
    expect(text).toContain("Nothing wrong with custom-helicon-active\n");
    expect(text).toMatch(/conditions that need history, which Prometheus has: AvaxNodeReplaced,/);
    expect(text.trimEnd().split("\n").at(-1)).toBe(
      "Verdict: 2 critical. By its own account healthy, and not so: custom-left-behind",
    );
  });

  it("cannot be known to be left behind when it is looked at alone, but is known not to be healthy for ever", async () => {
    const report = await look("custom-left-behind");
    expect(alerts(report).map(([alert]) => alert)).not.toContain("AvaxNodeLeftBehind");
  });
});

test("of a healthy pair nothing critical is said", async () => {
  const report = await look("local-healthy-validator", "local-young-validator");
  expect([alerts(report), report.diagnosis.failed, report.complete]).toEqual([[], [], true]);
  expect(reportOf(report, false)).toMatch(/\nVerdict: nothing critical; \d warning\n$/);
});

const FLEET = 84;

test("a fleet that is looked at in portions is looked at as a whole", { timeout: NO_LIMIT * 1000 }, async () => {
  // More than are asked at the same time, and the last one is the one that something is wrong with.
  const simulation = await simulate({
    nodes: FLEET,
    validators: 10,
    scenario: [{ node: FLEET, name: "unhealthy-check" }],
  });
  cleanup.add(() => simulation.close());
  const config = patient(nodesAt(simulation.nodes.map(({ url }) => url)) as Config);
  const report = await examine(config, { limit: NO_LIMIT, system: { err: () => undefined, nodeVersion: "v24" } });
  expect([report.complete, unseenNodes(report), report.status.targets.length]).toEqual([true, [], FLEET]);
  const last = new URL(simulation.nodes[FLEET - 1]?.url ?? "").host;
  expect(alerts(report)).toContainEqual(["AvaxNodeUnhealthy", last]);
  expect(reportOf(report, false)).toMatch(
    new RegExp(`^Looked at ${FLEET} nodes for .*\\n\\n127\\.0\\.0\\.1:\\d+: this node calls itself unhealthy\\n`),
  );
});

test("a fleet for which there is no time is not called well", async () => {
  const simulation = await simulate({ nodes: 60, validators: 10 });
  cleanup.add(() => simulation.close());
  const config = nodesAt(simulation.nodes.map(({ url }) => url)) as Config;
  const report = await examine(config, { limit: 0.05, system: { err: () => undefined, nodeVersion: "v24" } });
  expect(report.complete).toBe(false);
  expect(unseenNodes(report).length).toBeGreaterThan(10);
  const text = reportOf(report, false);
  expect(text).toContain("  time was up before everything was asked\n");
  expect(text).toMatch(/\nVerdict: nothing critical.*; \d+ of 60 nodes could not be looked at\n$/);
});

/** What the command wrote to both streams, in its order. */
function systemOf(over: Partial<System> = {}): { readonly system: System; readonly written: string[] } {
  const written: string[] = [];
  const put = (text: string): void => void written.push(text);
  const { system } = writtenSystem({ out: put, err: put, ...over });
  return { system, written };
}

describe("as a command", () => {
  it("fails where something is critical, and says so in colour to a person alone", async () => {
    const { url, close } = await startRecordingServer(loadRecording("local-plugin-failed"));
    cleanup.add(close);
    const [plain, coloured] = [systemOf(), systemOf({ isTerminal: true })];
    // These recordings are old by now: the health checks have not run for long.
    expect(await doctor({}, plain.system, [url])).toBe(1);
    expect(await doctor({}, coloured.system, [url])).toBe(1);
    const [text = "", bright = ""] = [plain.written.join(""), coloured.written.join("")];
    expect(text).toMatch(/^Looked at 1 node for \d+\.\d s, /);
    expect(text).not.toContain("\u001b");
    expect(bright).toContain("\u001b[1;31mCRITICAL\u001b[0m ");
  });

  it("looks at the nodes of a configuration, by their names", async () => {
    const { url, close } = await startRecordingServer(loadRecording("local-plugin-failed"));
    cleanup.add(close);
    const folder = await temporaryFolder();
    cleanup.add(folder.remove);
    const file = await writeConfig(folder.path, { nodes: [{ name: "mine", url }] });
    const { system, written } = systemOf();
    expect(await doctor({ "config.file": file }, system, [])).toBe(1);
    expect(written.join("")).toMatch(/^Looked at 1 node for .*\n\nmine: this node calls itself unhealthy\n/);
  });

  it("says of a node that is not there that it is not, within its time", async () => {
    const { system, written } = systemOf();
    expect(await doctor({ "doctor.timeout": "20s" }, system, ["http://127.0.0.1:1/"])).toBe(1);
    const text = written.join("");
    expect(text).toContain("127.0.0.1:1: this node says nothing of its health\n");
    expect(text).toContain("CRITICAL 127.0.0.1:1 does not answer\n");
    expect(text).toContain("  - 127.0.0.1:1: health: refused: nothing listens at the address");
  });

  test.each([
    [["nowhere"], {}, "is no URL such as http://127.0.0.1:9650"],
    [["http://me:secret@127.0.0.1"], {}, "a URL carries credentials"],
    [["http://127.0.0.1"], { "config.file": "x.yaml" }, "URLs or a configuration, not both"],
    [[], { "doctor.timeout": "soon" }, "is a duration such as 30s"],
  ])("%j %j is not understood", async (args, flags, why) => {
    const { system, written } = systemOf();
    expect(await doctor(flags, system, args)).toBe(2);
    expect(written.join("")).toContain(why);
  });
});
