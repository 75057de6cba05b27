import { describe, expect, it } from "vitest";
import { judge, outcomeOf, pagesOf, storyOf, type Outcome, type Sent } from "./support/stories/judge.ts";
import { isVerdict } from "./support/stories/run.ts";
import { chosenStories } from "./support/stories/stories.ts";
import type { Story } from "./support/stories/story.ts";

type Alert = Sent["alerts"][number];
const alert = (alertname: string, status = "firing", node = "killed-2"): Alert => ({
  status,
  fingerprint: `${alertname} ${node}`,
  labels: { alertname, node, network: "killed" },
});
const page = (minute: number, ...alerts: Alert[]): Sent => ({ minute, receiver: "page", alerts });

const STORY: Story = {
  name: "killed",
  about: "",
  network: () => ({}),
  timeline: [],
  fault: 5,
  recovery: 30,
  ends: 60,
  pages: [{ alerts: ["AvaxNodeDown"], after: [2, 4], resolvedAfter: [0, 6] }],
  tickets: ["AvaxLow"],
};
const TICKET: Sent = { minute: 9, receiver: "ticket", alerts: [alert("AvaxLow")] };
const RIGHT: readonly Sent[] = [page(8, alert("AvaxNodeDown")), TICKET, page(34, alert("AvaxNodeDown", "resolved"))];

const problems = (sent: readonly Sent[], story = STORY): readonly string[] => judge(story, outcomeOf(sent));

it("accepts exactly what is expected", () => {
  expect(problems(RIGHT)).toEqual([]);
});

describe("it refuses", () => {
  it.each<readonly [string, readonly Sent[], readonly string[]]>([
    [
      "one page too many",
      [...RIGHT, page(40, alert("AvaxNodeLagging"))],
      ["2 pages, not 1", "page AvaxNodeLagging after 35.0 min, though it was not expected"],
    ],
    ["one page too few", [TICKET], ["0 pages, not 1", "no page AvaxNodeDown, though it was expected"]],
    [
      "a page that is late",
      [page(9.1, alert("AvaxNodeDown")), ...RIGHT.slice(1)],
      ["page AvaxNodeDown after 4.1 min, not within 2 to 4 min"],
    ],
    [
      "a second alert in the page",
      [page(8, alert("AvaxNodeDown"), alert("AvaxOther")), ...RIGHT.slice(1)],
      [
        "page AvaxNodeDown, AvaxOther after 3.0 min, though it was not expected",
        "no page AvaxNodeDown, though it was expected",
      ],
    ],
    ["an unresolved page", RIGHT.slice(0, 2), ["page AvaxNodeDown resolved never, not within 0 to 6 min"]],
    [
      "a resolution before the recovery",
      [...RIGHT.slice(0, 2), page(20, alert("AvaxNodeDown", "resolved"))],
      ["page AvaxNodeDown resolved after -10.0 min, not within 0 to 6 min"],
    ],
    [
      "an alert that fires, resolves and fires again",
      [
        page(8, alert("AvaxNodeDown")),
        page(12, alert("AvaxNodeDown", "resolved")),
        page(14, alert("AvaxNodeDown")),
        page(34, alert("AvaxNodeDown", "resolved")),
        TICKET,
      ],
      [
        "2 pages, not 1",
        "page AvaxNodeDown after 9.0 min, though it was not expected",
        "page AvaxNodeDown resolved after -18.0 min, not within 0 to 6 min",
      ],
    ],
    ["a missing ticket", RIGHT.filter((each) => each !== TICKET), ["tickets nothing, not AvaxLow"]],
    [
      "another ticket",
      [...RIGHT, { ...TICKET, alerts: [alert("AvaxHigh")] }],
      ["tickets AvaxHigh, AvaxLow, not AvaxLow"],
    ],
  ])("%s", (_, sent, wrong) => {
    expect(problems(sent)).toEqual(wrong);
  });

  it("a page that is resolved though it must stay", () => {
    const stays = { ...STORY, pages: [{ alerts: ["AvaxNodeDown"], after: [2, 4] as const }] };
    expect(problems(RIGHT, stays)).toEqual([
      "page AvaxNodeDown resolved after 4.0 min, though it was expected to stay",
    ]);
    expect(problems(RIGHT.slice(0, 2), stays)).toEqual([]);
  });

  it("any page, ticket or record in a story that must be silent", () => {
    const silent: Story = { ...STORY, pages: [], tickets: [], records: [] };
    const record = { ...TICKET, receiver: "record" };
    expect(problems([], silent)).toEqual([]);
    expect(problems([record], silent)).toEqual(["records AvaxLow, not nothing"]);
    expect(problems(RIGHT, silent)).toHaveLength(3);
  });
});

it("repeats and resolutions are no pages; what joins a page later is another one", () => {
  const sent = [page(8, alert("B"), alert("A")), page(12, alert("A"), alert("B"), alert("C"))];
  const resolved = [page(20, alert("A", "resolved"), alert("B")), page(25, alert("B", "resolved"))];
  expect(pagesOf([...sent, ...resolved])).toEqual([
    { minute: 8, alerts: ["A", "B"], resolved: 25 },
    { minute: 12, alerts: ["C"] },
  ]);
});

it("an alert belongs to the story of its network, or of its node, or to none", () => {
  const stories = ["killed", "two-down"];
  expect(storyOf({ network: "killed", node: "two-down-1" }, stories)).toBe("killed");
  expect(storyOf({ node: "two-down-12" }, stories)).toBe("two-down");
  expect(storyOf({ job: "stories" }, stories)).toBeUndefined();
  expect(storyOf({ network: "kill" }, stories)).toBeUndefined();
});

it("stories have names of their own: a network is found by its story's name", () => {
  const names = chosenStories(undefined).map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

describe("what was told is a verdict", () => {
  const NOTHING: Outcome = { pages: [], tickets: [], records: [] };
  const told = (interrupted: boolean, scraped: number, found: readonly string[] = [], outside = NOTHING) => ({
    way: { name: "", stories: [], interrupted },
    rows: [{ story: STORY, sent: [], problems: found }],
    scraped,
    delay: 0.5,
    outside,
  });
  const slow = { ...told(false, 1), delay: 1.6 };
  const late = ["a page is late"];
  const ended = { ...NOTHING, tickets: ["AvaxLow"] };

  it.each([
    ["where all scrapes succeeded, whatever was told", true, [told(false, 1, late), told(true, 0.96, late)]],
    ["where some failed and all is as expected", true, [told(false, 0.99), told(true, 0.96)]],
    ["not where some failed and something is wrong", false, [told(false, 0.99, late), told(true, 0.96)]],
    ["nor with the exporter that was away as well", false, [told(false, 0.99), told(true, 0.96, late)]],
    ["nor where something was sent about no story", false, [told(false, 0.99, [], ended)]],
    ["not where the machine did not keep pace", false, [told(false, 0.97)]],
    ["nor where half of all nodes were late", false, [slow, told(true, 0.96)]],
    ["not where nothing ran", false, []],
  ])("%s", (_when, expected, runs) => {
    expect(isVerdict(runs)).toBe(expected);
  });
});
