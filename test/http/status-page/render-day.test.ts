import { expect, it } from "vitest";
import type { HistoryProblem } from "../../../src/diagnosis/history/observe-problems.ts";
import { DAY, dayOf } from "../../../src/diagnosis/history/day.ts";
import { NO_HISTORY, observe } from "../../../src/diagnosis/history/observe.ts";
import { dayText, printedDay } from "../../../src/cli/text/day-text.ts";
import { paint } from "../../../src/diagnosis/wording.ts";
import { renderDay } from "../../../src/http/status-page/render-day.ts";
import { renderStatusPage } from "../../../src/http/status-page/render-status-page.ts";
import { evaluation, problem, START } from "../../diagnosis/history/evaluations.ts";
import { ABOUT, diagnosis, status, target } from "../fixtures.ts";

/** The day after evaluations every four minutes, with these problems at each. */
function dayWith(causesAt: (minute: number) => readonly HistoryProblem[], minutes = 120, names = ["a", "b"]) {
  const nodes = Object.fromEntries(names.map((name) => [name, { up: true }]));
  let history = NO_HISTORY;
  for (let minute = 0; minute <= minutes; minute += 4)
    history = observe(history, evaluation({ at: minute * 60, causes: causesAt(minute), nodes }));
  const now = START + minutes * 60;
  return dayOf(history, { now, since: now - DAY });
}

it("has a strip with a text alternative for each node with an event, and what happened", () => {
  const bad = problem("a", { severity: "warning", since: START + 40 * 60 });
  const { markup } = renderDay(dayWith((minute) => (minute >= 44 && minute < 80 ? [bad] : [])));
  expect(markup).toContain("<h2>The last 24 hours <small>1 problem, 0 open</small></h2>");
  expect(markup).toContain("No record before 15 Jan 08:00.");
  expect(markup).toContain(
    'role="img" aria-label="a: unknown from 14 Jan 10:00 to 15 Jan 08:00, warning from 15 Jan 08:30 to 15 Jan 09:30"',
  );
  expect(markup).toContain('<rect class="warning" x="90" width="4" height="1"/>');
  expect(markup).not.toContain("<bdi>b</bdi>");
  expect(markup).toContain(
    '<time datetime="2027-01-15T08:40:00Z" title="2027-01-15 08:40:00 UTC">15 Jan 08:40</time> <span class="quiet">40 min</span>',
  );
});

it("says of problems of a silent node that they are unknown", () => {
  const silent = observe(
    observe(NO_HISTORY, evaluation({ at: 0, causes: [problem("a")] })),
    evaluation({ at: 30, causes: [], nodes: { a: { up: false } } }),
  );
  const day = dayOf(silent, { now: START + 3_600, since: START });
  const { markup } = renderDay(day);
  expect(markup).toContain("<small>1 problem, 0 open, 1 unknown</small>");
  expect(markup).toContain('<span class="quiet">unknown since 15 Jan 08:00</span>');
  expect(markup).toContain(
    'aria-label="a: critical from 15 Jan 08:00 to 15 Jan 08:15, unknown from 15 Jan 08:15 to now"',
  );
  const text = dayText(printedDay.parse(day), paint(false));
  expect(text).toContain("1 problem, 0 open");
  expect(text).toContain("01-15 08:00  unknown      30 s");
});

it("is bounded and folded with many nodes and events", () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `node-${index}`);
  const { markup } = renderDay(
    dayWith((minute) => names.map((name) => problem(name, { since: START + minute * 60 })), 8, names),
  );
  expect(markup.match(/<svg/g)).toHaveLength(20);
  expect(markup.match(/<li>/g)).toHaveLength(100);
  expect(markup).toContain('980 more nodes: <a href="/api/v1/history">');
  expect(markup.length).toBeLessThan(60_000);
});

it("is on the page without a filter, once the exporter has evaluated the conditions", () => {
  const day = dayWith(() => [problem("a")], 8);
  const page = { status: status([target()]), about: ABOUT, diagnosis: diagnosis([]) };
  expect(renderStatusPage({ ...page, day })).toContain("The last 24 hours");
  expect(renderStatusPage({ ...page, day, filter: { words: ["x"], state: undefined } })).not.toContain("The last 24");
  expect(renderStatusPage(page)).not.toContain("The last 24 hours");
});
