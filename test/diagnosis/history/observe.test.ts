import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NodeFacts } from "../../../src/diagnosis/node-overviews.ts";
import { dayOf } from "../../../src/diagnosis/history/day.ts";
import type { HistoryEntry } from "../../../src/diagnosis/history/history-entry.ts";
import { NO_HISTORY, observe, reloaded, RETENTION, type History } from "../../../src/diagnosis/history/observe.ts";
import { stripsOf } from "../../../src/diagnosis/history/strips.ts";
import { evaluation, problem, START } from "./evaluations.ts";

/** Entries in short: `kind subject from..to`, seconds from the start. */
const short = ({ entries }: History): readonly string[] => entries.map(shortOf);

function shortOf(entry: HistoryEntry): string {
  const subject = entry.kind === "problem" ? ` ${entry.summary}` : "node" in entry ? ` ${entry.node}` : "";
  const change = "was" in entry ? ` ${entry.was}>${entry.is}` : "";
  const unknown = entry.kind === "problem" && entry.unknownSince !== undefined ? `?${entry.unknownSince - START}` : "";
  return `${entry.kind}${subject}${change} ${entry.from - START}..${entry.to === undefined ? unknown : entry.to - START}`;
}

function after(steps: ReadonlyArray<Parameters<typeof evaluation>[0]>, before: History = NO_HISTORY): History {
  return steps.reduce((history, step) => observe(history, evaluation(step)), before);
}

const UP: NodeFacts = { up: true };
const A = problem("a");
const STARTED = "started 0..0";

describe("problems", () => {
  it("begin with their condition when they fire, and end with it", () => {
    const history = after([
      { at: 0, causes: [] },
      { at: 15, causes: [{ ...A, state: "pending", since: START + 15 }] },
      { at: 315, causes: [{ ...A, since: START + 15 }] },
      { at: 330, causes: [{ ...A, since: START + 15 }, problem("b", { severity: "warning", since: START + 330 })] },
      { at: 345, causes: [problem("b", { since: START + 330 })] },
    ]);
    expect(short(history)).toEqual([STARTED, "problem a is bad 15..345", "problem b is bad 330.."]);
  });

  it.each([
    ["never fire", { ...A, state: "pending" }],
    ["are never sent", problem("a", { severity: "none" })],
  ] as const)("that %s are no history", (_what, cause) => {
    const history = after([
      { at: 0, causes: [cause] },
      { at: 15, causes: [] },
    ]);
    expect(short(history)).toEqual([STARTED]);
  });

  it("leave the slot in which the record begins to what is known", () => {
    const history = after([
      { at: 60, causes: [] },
      { at: 75, causes: [] },
    ]);
    const { strips } = stripsOf(history, ["a"], START - 1800, START + 75);
    expect(strips).toEqual([{ node: "a", slots: ["unknown", "unknown", "ok"] }]);
  });

  it("stay open as consequences, and where their alert could not be evaluated", () => {
    const history = after([
      { at: 0, causes: [A] },
      { at: 15, causes: [], active: [A.key] },
      { at: 30, causes: [A] },
    ]);
    expect(short(history)).toEqual([STARTED, "problem a is bad 0.."]);
  });

  it("end when the condition became false, not when the alert stopped firing", () => {
    expect(
      short(
        after([
          { at: 0, causes: [A] },
          { at: 240, causes: [], ended: [[A.key, START + 60]] },
        ]),
      ),
    ).toEqual([STARTED, "problem a is bad 0..60"]);
  });

  it("of a node that is not observed are unknown, not over and not open", () => {
    const down = { a: { up: false } };
    const steps = [
      { at: 0, causes: [A] },
      { at: 15, causes: [], nodes: down },
      { at: 100, causes: [], nodes: down },
    ];
    expect(short(after(steps))).toEqual([STARTED, "problem a is bad 0..?15", "unanswered a 15.."]);
    // It answers again: its facts have to be polled first.
    const back = [...steps, { at: 115, causes: [], nodes: { a: UP } }, { at: 130, causes: [], nodes: { a: UP } }];
    expect(short(after(back))[1]).toBe("problem a is bad 0..?15");
    expect(short(after([...back, { at: 240, causes: [], nodes: { a: UP } }]))).toEqual([
      STARTED,
      "problem a is bad 0..15",
      "unanswered a 15..115",
    ]);
    expect(short(after([...back, { at: 240, causes: [A], nodes: { a: UP } }]))[1]).toBe("problem a is bad 0..");
    expect(short(after([...steps, { at: 115, causes: [], nodes: {} }]))).toEqual([
      STARTED,
      "problem a is bad 0..15",
      "unanswered a 15..115",
    ]);
  });

  it("are open exactly while their conditions are true, whatever the nodes do", () => {
    const names = ["a", "b"] as const;
    const causes = { a: A, b: problem("b") };
    const step = fc.record({
      seconds: fc.integer({ min: 1, max: 150 }),
      bad: fc.subarray([...names]),
      silent: fc.subarray([...names]),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let [at, history] = [0, NO_HISTORY];
        for (const { seconds, bad, silent } of steps) {
          at += seconds;
          const nodes = Object.fromEntries(names.map((name) => [name, { up: !silent.includes(name) }]));
          history = observe(history, evaluation({ at, causes: bad.map((name) => causes[name]), nodes }));
          const { problems } = dayOf(history, { now: START + at, since: START });
          const open = problems.filter(({ ended, unknownSince }) => (ended ?? unknownSince) === undefined);
          expect(open.map(({ node }) => node).sort()).toEqual(bad.toSorted());
        }
      }),
    );
  });
});

describe("nodes and the exporter", () => {
  it("restarts, versions and IDs are noted when they change, not when they become known", () => {
    const facts = (over: Partial<NodeFacts>): Readonly<Record<string, NodeFacts>> => ({
      a: { up: true, version: "v1", nodeId: "NodeID-1", ready: true, ...over },
    });
    const history = after([
      { at: 0, causes: [], nodes: { a: UP } },
      { at: 15, causes: [], nodes: facts({}) },
      { at: 30, causes: [], nodes: { a: { up: false } } },
      { at: 45, causes: [], nodes: facts({ version: "v2", ready: false }) },
      { at: 60, causes: [], nodes: facts({ version: "v2", ready: false, nodeId: "NodeID-2" }) },
      { at: 75, causes: [], nodes: facts({ version: "v2", nodeId: "NodeID-2" }) },
    ]);
    expect(short(history)).toEqual([
      STARTED,
      "unanswered a 30..45",
      "restarted a 45..45",
      "version a v1>v2 45..45",
      "replaced a NodeID-1>NodeID-2 60..60",
    ]);
  });

  it("reloads are noted with their outcome", () => {
    const first = after([{ at: 0, causes: [] }]);
    const history = reloaded(reloaded(first, true, START + 5), false, START + 6);
    expect(short(history)).toEqual([STARTED, "reloaded 5..5", "reload_failed 6..6"]);
  });

  it("a long time without an evaluation is unknown", () => {
    const history = after([
      { at: 0, causes: [] },
      { at: 300, causes: [] },
      { at: 900, causes: [] },
    ]);
    expect(short(history)).toEqual([STARTED, "unevaluated 300..900"]);
  });

  it("a clock that is set back gives no negative times", () => {
    const history = after([
      { at: 0, causes: [A], nodes: { a: { up: false } } },
      { at: -3_600, causes: [], nodes: { a: UP } },
      { at: -3_400, causes: [], nodes: { a: UP } },
    ]);
    for (const { from, to = Infinity } of history.entries) expect(to).toBeGreaterThanOrEqual(from);
  });
});

describe("what is kept", () => {
  it("is a day and a slot", () => {
    const history = after([
      { at: 0, causes: [A] },
      { at: 15, causes: [] },
      { at: 15 + RETENTION, causes: [problem("b")] },
    ]);
    expect(short(history)[0]).toBe("problem a is bad 0..15");
    expect(history.completeSince).toBe(START + 15);
    const later = after([{ at: 16 + RETENTION, causes: [problem("b")] }], history);
    expect(short(later).some((each) => each.includes("a is bad"))).toBe(false);
    expect(later.cut).toBe(false);
    expect(later.completeSince).toBe(START + 16);
  });

  it("drops the oldest when there is too much, and has the time since when it is complete", () => {
    let history = NO_HISTORY;
    // Each evaluation ends a hundred problems and begins a hundred others.
    for (let round = 0; round < 200; round += 1) {
      const causes = Array.from({ length: 100 }, (_, index) =>
        problem(`n${index}`, { labels: { node: `n${index}`, round: String(round) }, since: START + round * 60 }),
      );
      history = observe(history, evaluation({ at: round * 60, causes }));
    }
    expect(history.cut).toBe(true);
    expect(history.entries).toHaveLength(5_000);
    const closed = history.entries.flatMap(({ to }) => to ?? []);
    expect(Math.min(...closed)).toBeGreaterThanOrEqual(history.completeSince ?? Infinity);
    expect(history.completeSince).toBeGreaterThan(START);
    expect(history.entries.filter(({ to }) => to === undefined)).toHaveLength(100);
    // A day later all of that is over, and the history is complete again.
    const later = after([{ at: 200 * 60 + RETENTION + 100, causes: [] }], history);
    expect(later.cut).toBe(false);
  });

  it("leaves out what is too much at one time", () => {
    const causes = Array.from({ length: 20_000 }, (_, index) => problem(`node-${index}`));
    const history = observe(NO_HISTORY, evaluation({ at: 0, causes }));
    expect(history.cut).toBe(true);
    expect(history.completeSince).toBe(START);
    expect(history.entries).toHaveLength(5_000);
  });

  it("has short texts", () => {
    const history = after([{ at: 0, causes: [A], summary: "y".repeat(1_000) }]);
    expect(history.entries.at(-1)).toMatchObject({ summary: "y".repeat(300) });
  });
});
