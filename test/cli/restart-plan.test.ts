import { afterAll, beforeAll, expect, it } from "vitest";
import { execute } from "../../src/cli/execute.ts";
import { restartPlan as restartPlanOf } from "../../src/cli/restart-plan.ts";
import { restartFacts } from "../../src/diagnosis/restart/restart-facts.ts";
import { samplesOf } from "../../src/diagnosis/samples.ts";
import { startServer, type Running } from "../../src/http/server/start-server.ts";
import { freePort } from "../e2e/support/recording-server.ts";
import { NOW } from "../diagnosis/validator/samples.ts";
import { dependencies } from "../http/fixtures.ts";
import { writtenSystem } from "../support/written-system.ts";
import { readingsIn } from "../support/readings.ts";

/** Three API nodes: `old` and `new` are up, `gone` is down. */
const OF = 'network="fuji",node';
const LINES = [
  'avax_validators{network="fuji",subnet="primary"} 100',
  'avax_subnet_quorum_requirement_ratio{network="fuji",subnet="primary"} 0.8',
  `avax_upgrade_activation_timestamp_seconds{network="fuji",upgrade="helicon"} ${NOW + 900}`,
  ...["old", "new", "gone"].flatMap((node) => [
    `avax_node_configured{${OF}="${node}",node_id="ID-${node}"} 1`,
    `avax_node_info{${OF}="${node}",node_id="ID-${node}",version="avalanchego/1.${node === "new" ? 15 : 14}.0"} 1`,
    `avax_node_up{${OF}="${node}"} ${node === "gone" ? 0 : 1}`,
  ]),
];

let running: Running;
let lines: readonly string[] = LINES;
beforeAll(async () => {
  const restarts = () => Promise.resolve(restartFacts(samplesOf(readingsIn(`${lines.join("\n")}\n`), NOW), true));
  running = await startServer({ listen: "127.0.0.1:0" }, dependencies({ restarts }).deps);
});
afterAll(() => running.close());

async function restartPlan(...args: readonly string[]) {
  const { system, written } = writtenSystem();
  const code = await execute(["restart-plan", `--exporter=${running.address}`, ...args], system);
  return { code, ...written };
}

it("prints each node and the order", async () => {
  expect(await restartPlan("--version=1.15.0")).toEqual({
    code: 0,
    err: "",
    out: [
      "Nodes that can go down for 10 min now, each for itself:",
      "  gone  safe",
      "  new   done",
      "  old   wait: gone is down.",
      "",
      "Not back yet: gone is down",
      "Batch 1, not before 2027-01-15 08:00:00 UTC: gone",
      "Batch 2, not before 2027-01-15 08:10:00 UTC: old",
      "fuji: helicon activates on 2027-01-15 08:15:00 UTC, NOT after the last batch",
      "",
    ].join("\n"),
  });
});

it("gives nodes that wait for the same reason one row", async () => {
  const more = ["n1", "n2", "n10"].flatMap((node) => [
    `avax_node_configured{${OF}="${node}",node_id="ID-${node}"} 1`,
    `avax_node_info{${OF}="${node}",node_id="ID-${node}",version="avalanchego/1.14.0"} 1`,
    `avax_node_up{${OF}="${node}"} 1`,
  ]);
  lines = [...LINES, ...more];
  const { out } = await restartPlan("--version=1.15.0");
  lines = LINES;
  expect(out.slice(out.indexOf("\n") + 1, out.indexOf("\n\n"))).toBe(
    ["  gone     safe", "  4 nodes  wait: gone is down.", "           n1, n2, n10, old", "  new      done"].join("\n"),
  );
});

it.each([
  [["--node=gone"], 0, "gone: safe\n", ""],
  [["--node=old"], 1, "old: wait: gone is down.\n", ""],
  [["--node=nobody"], 1, "", "no polled node is called nobody"],
  [["--wait=5m"], 2, "", "--wait needs --node"],
  [["--node=old", "--wait=0s"], 1, "old: wait: gone is down.\n", ""],
  [["--node=old", "--wait=soon"], 2, "", "not a duration"],
  [["--node=old", "http://127.0.0.1:9650"], 2, "", "unexpected argument"],
  [["--down=soon"], 2, "", "not a duration"],
])("%s exits with %i", async (args, code, out, err) => {
  const reply = await restartPlan(...args);
  expect([reply.code, reply.out]).toEqual([code, out]);
  expect(reply.err).toContain(err);
});

const UP = LINES.map((line) => line.replace(/^(avax_node_up.*) 0$/, "$1 1"));

it.each<readonly [string, number, ReadonlyMap<number, readonly string[]>, readonly [number, number, string]]>([
  ["it is back, and stays so for a minute", 600, new Map([[100, UP]]), [0, 160, "old: safe\n"]],
  [
    "it goes away again",
    600,
    new Map([
      [100, UP],
      [130, LINES],
      [150, UP],
    ]),
    [0, 210, "old: safe\n"],
  ],
  ["it is not back in time", 60, new Map([[70, UP]]), [1, 60, "old: wait: gone is down.\n"]],
  [
    "it is back shortly before the end",
    120,
    new Map([[100, UP]]),
    [1, 120, "old: wait: it has been safe for less than a minute.\n"],
  ],
])("waits for another node: %s", async (_what, wait, happens, expected) => {
  const { system, written } = writtenSystem();
  let passed = 0;
  lines = LINES;
  const code = await restartPlanOf({ node: "old", wait, exporter: running.address }, system, [], (seconds) => {
    passed += seconds;
    lines = happens.get(passed) ?? lines;
    return Promise.resolve();
  });
  expect([code, passed, written.out]).toEqual(expected);
});

it("an exporter that does not answer is no permission", async () => {
  const { system, written } = writtenSystem();
  const exporter = `http://127.0.0.1:${await freePort()}`;
  const asked = () => restartPlanOf({ node: "old", wait: 30, exporter }, system, [], () => Promise.resolve());
  expect([await asked(), written.out]).toEqual([1, ""]);
  expect(written.err).toContain(`no answer of ${exporter}: refused`);
});

it("without a value --version is that of the program", async () => {
  const { out } = await restartPlan("--version");
  expect(out).toContain("avax-exporter");
});
