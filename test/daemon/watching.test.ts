import { expect, it } from "vitest";
import { createWatching } from "../../src/daemon/watching.ts";
import { createDoctor } from "../../src/diagnosis/doctor.ts";
import { DAY, dayOf } from "../../src/diagnosis/history/day.ts";
import { createLogger } from "../../src/daemon/create-logger.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { readingsIn } from "../support/readings.ts";

const START = 1_800_000_000;

/** What the exporter has of node a, seconds after the start: it lags from the second minute on, is silent from the 20th to the 35th, and keeps up when it returns. */
function linesAt(seconds: number): Readonly<Record<string, string>> {
  const silent = seconds >= 1_200 && seconds < 2_100;
  const behind = seconds < 120 || seconds >= 2_100 ? 0 : Math.min(seconds, 1_200);
  return {
    avax_node_up: `avax_node_up{node="a",network="n"} ${silent ? 0 : 1}\navax_node_up{node="b",network="n"} 1\n`,
    avax_node_outage: `avax_node_outage{node="a",network="n",outage="unseen"} ${silent ? 1 : 0}\n`,
    avax_node_configured: 'avax_node_configured{node="a",network="n",node_id="NodeID-A"} 1\n',
    avax_node_behind_seconds: `avax_node_behind_seconds{node="a",network="n"} ${behind}\n`,
  };
}

it("the history has the firing problems of the diagnosis open, and no others, at every moment", async () => {
  let seconds = 0;
  const clock = { ...systemClock, now: () => START + seconds, elapsed: () => seconds };
  const log = createLogger("error", "logfmt", () => undefined);
  const watch = createWatching({ file: undefined, settled: () => true, log });
  const doctor = createDoctor({
    snapshot: () => (family) => readingsIn(linesAt(seconds)[family] ?? "")(family),
    clock,
    who: "this exporter",
    tracking: watch.tracking,
  });
  const seen = new Set<string>();
  for (; seconds < 3_600; seconds += 15) {
    const { problems } = await doctor.diagnosis();
    const firing = problems.filter(({ state, severity }) => state === "firing" && severity !== "none");
    const day = dayOf(watch.history(), { now: clock.now(), since: clock.now() - DAY });
    const open = day.problems.filter(({ ended, unknownSince }) => (ended ?? unknownSince) === undefined);
    expect(open.map(({ alert }) => alert).sort()).toEqual(firing.map(({ alert }) => alert).sort());
    const unknown = day.problems.filter(({ unknownSince }) => unknownSince !== undefined);
    seen.add([...firing, ...unknown].map(({ alert }) => alert).join("+"));
  }
  expect([...seen]).toEqual(["", "AvaxNodeLagging", "AvaxNodeDown+AvaxNodeLagging"]);
});
