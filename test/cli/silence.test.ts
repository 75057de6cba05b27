import { expect, it } from "vitest";
import { execute } from "../../src/cli/execute.ts";
import { restartPlan } from "../../src/cli/restart-plan.ts";
import { runAlertmanager } from "../e2e/support/run-server.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";
import { afterThisTest } from "../support/cleanup.ts";
import { serve } from "../support/servers.ts";
import { writtenSystem } from "../support/written-system.ts";

/** A real Alertmanager, and what silences it has. */
async function alertmanager() {
  const folder = await temporaryFolder();
  afterThisTest.add(folder.remove);
  const { child, url } = await runAlertmanager(folder.path, { route: { receiver: "a" }, receivers: [{ name: "a" }] });
  afterThisTest.add(() => child.stop());
  type Silence = {
    readonly comment: string;
    readonly matchers: ReadonlyArray<{ readonly name: string; readonly value: string; readonly isRegex: boolean }>;
    readonly startsAt: string;
    readonly endsAt: string;
    readonly status: { readonly state: string };
  };
  const silences = async () => {
    const found = (await (await fetch(`${url}/api/v2/silences`)).json()) as readonly Silence[];
    return found
      .map(({ comment, matchers, startsAt, endsAt, status: { state } }) => ({
        comment,
        matchers: matchers.map(({ name, value, isRegex }) => `${name}${isRegex ? "=~" : "="}${value}`).toSorted(),
        hours: Math.round((Date.parse(endsAt) - Date.parse(startsAt)) / 36_000) / 100,
        state,
      }))
      .toSorted((a, b) => a.matchers.join("").localeCompare(b.matchers.join("")));
  };
  return { url, silences };
}

/** An exporter that polls two nodes, whose answers change with each poll of their state. */
async function exporter(states: ReadonlyArray<{ readonly up: boolean; readonly away?: boolean }>) {
  let at = 0;
  const { url } = await serve(({ url: path = "" }, response) => {
    const { up, away = false } = states[Math.min(at, states.length - 1)] ?? { up: true };
    const isPlan = path.startsWith("/api/v1/restart");
    if (!isPlan) at++;
    const plan = {
      ...{ down: 600, left: [], deadlines: [], nodes: [{ node: "val-1", state: "safe" }] },
      away: away ? [{ node: "val-1", why: "is bootstrapping" }] : [],
      batches: [{ from: 0, nodes: ["val-1"] }],
    };
    const status = {
      targets: [
        { name: "val-1", up },
        { name: "val-2", up: true },
      ],
    };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(isPlan ? plan : status));
  });
  return url;
}

it("silences the alerts about one node, and no others", async () => {
  const { url, silences } = await alertmanager();
  const at = [`--alertmanager=${url}`, `--exporter=${await exporter([{ up: true }])}`];
  const { system, written } = writtenSystem();
  expect(await execute(["silence", "val-1", "--for=30m", "--comment=new disk", ...at], system)).toBe(0);
  expect(written.out).toMatch(/^val-1 is silent until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC: silence [\w-]+\n$/);
  const matchers = ["alertname=~Avax.+", "node=val-1"];
  expect(await silences()).toEqual([{ comment: "new disk", matchers, hours: 0.5, state: "active" }]);

  const wrong = writtenSystem();
  expect(await execute(["silence", "val-11", ...at], wrong.system)).toBe(1);
  expect(wrong.written.err).toBe('avax-exporter silence: no polled node is called "val-11"; did you mean "val-1"?\n');
  expect(await execute(["silence", ...at], wrong.system)).toBe(2);
  expect(await silences()).toHaveLength(1);
});

it.each([
  [
    "ends when the node was down and has bootstrapped",
    [{ up: true }, { up: false }, { up: true, away: true }, { up: true }],
    0,
    "val-1 is back: its silence has ended\n",
    "expired",
  ],
  ["of a node that stays up runs out", [{ up: true }], 1, "val-1 did not go down: its silence has run out\n", "active"],
  ["of a node that stays down runs out", [{ up: false }], 1, "val-1 is not back: its silence has run out\n", "active"],
])("a silence of a batch %s", async (_what, states, code, last, state) => {
  const { url, silences } = await alertmanager();
  const flags = { alertmanager: url, exporter: await exporter(states), silence: true, down: 60, job: "watch" } as const;
  const { system, written } = writtenSystem();
  expect(await restartPlan(flags, system, [], () => Promise.resolve())).toBe(code);
  expect(written.out).toContain("val-1 is silent until ");
  expect(written.out.endsWith(`Restart them now.\n${last}`)).toBe(true);
  const matchers = ["alertname=~Avax.+", "job=watch", "node=val-1"];
  expect(await silences()).toEqual([expect.objectContaining({ comment: "Maintenance", matchers, state })]);
});
