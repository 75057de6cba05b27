import { beforeAll, describe, expect, test } from "vitest";
import { dayOf } from "../../../src/diagnosis/history/day.ts";
import { NO_HISTORY, observe } from "../../../src/diagnosis/history/observe.ts";
import { evaluation, problem as recorded, START } from "../../diagnosis/history/evaluations.ts";
import { inBrowser, setMedia, setSize, violations } from "../browser-tests.ts";
import { EIGHT_DIAGNOSED, EIGHT_NODES } from "../eight-nodes.ts";
import { diagnosis, NOW, problem, status, target } from "../fixtures.ts";

/** What a person sees and reaches: heights, contrast, keyboard, paper. The fleet is that of the demo. */

const history = observe(
  NO_HISTORY,
  evaluation({
    at: 0,
    causes: EIGHT_DIAGNOSED.problems.map(({ alert, labels }) => recorded(labels["node"] ?? "", { alert, labels })),
    nodes: Object.fromEntries(EIGHT_NODES.targets.map(({ name }) => [name, { up: true }])),
  }),
);

const pages = { demo: "", healthy: "", thousand: "" };
const tests = inBrowser();

beforeAll(async () => {
  expect(dayOf(history, { now: START + 900, since: START }).problems.length).toBeGreaterThan(8);
  const { serve } = tests;
  pages.demo = await serve({
    status: () => EIGHT_NODES,
    diagnosis: () => Promise.resolve(EIGHT_DIAGNOSED),
    history: () => ({ history, now: START + 900 }),
  });
  pages.healthy = await serve({});
  const nodes = Array.from({ length: 1_000 }, (_, index) => target({ name: `node-${index}` }));
  const late = problem({ labels: { node: "node-7" }, node: "node-7", summary: "node-7 is late", since: NOW });
  pages.thousand = await serve({ status: () => status(nodes), diagnosis: () => Promise.resolve(diagnosis([late])) });
});

const sized = (width: number, height: number): Promise<unknown> => setSize(tests.page, width, height);
const media = (name: string, value: string): Promise<unknown> => setMedia(tests.page, name, value);

describe("the page of eight nodes with all their problems", () => {
  test.each([
    [1440, 900, 1_800],
    [800, 900, 1_820],
    [390, 844, 1_690],
  ])("at a width of %i px and a height of %i px is at most %i px tall", async (width, height, limit) => {
    const { page } = tests;
    await sized(width, height);
    await page.open(pages.demo);
    const size = await page.run<readonly [number, number]>(
      "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]",
    );
    expect(size[0]).toBeLessThanOrEqual(width);
    expect(size[1]).toBeLessThanOrEqual(limit);
    expect(size[1]).toBeGreaterThan(limit / 2);
    // The answer is on the first screen: the headline and the critical problems.
    const last = await page.run<number>(
      `Math.max(...[...document.querySelectorAll(".critical.firing > summary")].map((each) => each.getBoundingClientRect().bottom))`,
    );
    expect(last).toBeLessThan(height);
  });

  test("on a phone a node is one line, and a tap shows its facts and all that is wrong with it", async () => {
    const { page } = tests;
    await sized(390, 844);
    await page.open(pages.demo);
    const heights = `[...document.querySelectorAll(".nodes > details > summary")].map((each) => each.getBoundingClientRect().height)`;
    expect(Math.max(...(await page.run<readonly number[]>(heights)))).toBeLessThan(36);
    const row = `document.querySelector('details[data-key="node sim-7"] > summary')`;
    expect(await page.run(`${row}.innerText.split(/\\s*\\n\\s*/).join(" ")`)).toBe("Up sim-7 1 critical, 5 warnings");
    // What is out of order is on the line: this node lags.
    expect(await page.run(`document.querySelector('details[data-key="node sim-4"] > summary').innerText`)).toContain(
      "1 min (C)",
    );
    await page.run(`${row}.click()`);
    const opened = await page.run<string>(`${row}.innerText`);
    for (const part of ["Version 1.15.0", "Peers 11", "Downtime left 8 h 48 min", "1 consequence"])
      expect(opened).toContain(part);
  });

  test.each(["/", "/runbooks/AvaxDowntimeBudgetLow"])(
    "on a phone the text of %s has 12 px, what can be tapped 24 px, and nothing is cut off",
    async (path) => {
      const { page } = tests;
      await sized(390, 844);
      await page.open(pages.demo + path);
      const seen = (selector: string): string =>
        `[...document.querySelectorAll("${selector}")].filter((each) => each.checkVisibility() && !each.matches(".skip"))`;
      const sizes = `${seen("body *")}.map((each) => parseFloat(getComputedStyle(each).fontSize))`;
      expect(Math.min(...(await page.run<readonly number[]>(sizes)))).toBeGreaterThanOrEqual(12);
      const targets = `${seen("a, summary, input, select")}.map((each) => each.getBoundingClientRect().height)`;
      expect(Math.min(...(await page.run<readonly number[]>(targets)))).toBeGreaterThanOrEqual(24);
      // Only IDs are shortened.
      const cut = `${seen("body *:not(.id)")}.filter((each) =>
        getComputedStyle(each).overflowX !== "visible" && each.scrollWidth > each.clientWidth).map((each) => each.outerHTML)`;
      expect(await page.run(cut)).toEqual([]);
    },
  );

  test("IDs are shortened on a phone, and copied in full", async () => {
    const { page } = tests;
    await sized(390, 844);
    await page.open(pages.demo);
    const id = `document.querySelector(".problem .id")`;
    expect(await page.run(`${id}.getBoundingClientRect().width < 180`)).toBe(true);
    const selected = `(() => { getSelection().selectAllChildren(${id}); return getSelection().toString(); })()`;
    expect(await page.run(selected)).toBe("NodeID-LzSo8gZSB84MspTu9uA8DnbZZ3dPeay2Q");
    await sized(1440, 900);
    expect(await page.run(`${id}.scrollWidth <= ${id}.parentElement.scrollWidth`)).toBe(true);
  });
});

describe("axe-core finds nothing", () => {
  test.each([
    ["the eight nodes", "/", "demo", 1440],
    ["the eight nodes on a phone", "/", "demo", 390],
    ["healthy nodes", "/", "healthy", 1440],
    ["a runbook", "/runbooks/AvaxDowntimeBudgetLow", "demo", 1440],
    ["the list of runbooks", "/runbooks/", "demo", 390],
    ["an unknown runbook", "/runbooks/AvaxNodeDwon", "demo", 1440],
  ] as const)(
    "on %s, in both colour schemes, with all details open",
    async (_, path, fleet, width) => {
      const { page } = tests;
      await sized(width, 900);
      for (const scheme of ["light", "dark"]) {
        await media("prefers-color-scheme", scheme);
        await page.open(pages[fleet] + path);
        // The table of endpoints is the same for each node.
        await page.run(`[...document.querySelectorAll("details:not([data-key^=endpoints]), [data-key='endpoints sim-6']")]
        .forEach((each) => (each.open = true))`);
        // In another scheme only the colours differ.
        const found = await violations(page, scheme === "dark" ? "colours" : "all");
        expect([scheme, found]).toEqual([scheme, []]);
      }
    },
    60_000,
  );
});

describe("the keyboard", () => {
  const press = async (key: string): Promise<void> => {
    const { page } = tests;
    const code = key === " " ? "Space" : key;
    const text = key === "Tab" ? {} : { text: key === "Enter" ? "\r" : key };
    await page.send("Input.dispatchKeyEvent", {
      type: "keyDown",
      key,
      code,
      windowsVirtualKeyCode: key === "Tab" ? 9 : 13,
      ...text,
    });
    await page.send("Input.dispatchKeyEvent", { type: "keyUp", key, code });
  };

  test("the skip link comes first, is visible with focus, and leads to the content", async () => {
    const { page } = tests;
    await page.open(pages.demo);
    await press("Tab");
    expect(
      await page.run("[document.activeElement.className, document.activeElement.getBoundingClientRect().left >= 0]"),
    ).toEqual(["skip", true]);
    await press("Enter");
    await page.until(`document.activeElement.id === "content"`);
  });

  test("reaches every problem and node, with a visible focus, and opens them", async () => {
    const { page } = tests;
    await page.open(pages.demo);
    const summaries = await page.run<number>(
      `[...document.querySelectorAll("summary")].filter((each) => each.checkVisibility()).length`,
    );
    await page.run(`document.getElementById("content").focus()`);
    const seen = new Set<string>();
    for (let index = 0; index < summaries + 5; index += 1) {
      await press("Tab");
      const [key, outline] = await page.run<readonly [string, string]>(
        `[document.activeElement.parentElement?.dataset.key ?? "", getComputedStyle(document.activeElement).outlineStyle]`,
      );
      if (key === "") continue;
      seen.add(key);
      expect(outline).toBe("solid");
    }
    expect(seen.size).toBe(summaries);
    await page.run(`document.querySelector('details[data-key="node sim-7"] > summary').focus()`);
    await press("Enter");
    await page.until(`document.querySelector('details[data-key="node sim-7"]').open`);
  }, 60_000);
});

test("nothing moves for a reader who asks for reduced motion", async () => {
  const { page } = tests;
  const durations = `[...new Set([...document.querySelectorAll("*")].flatMap((each) =>
    ["", "::before"].flatMap((part) => {
      const style = getComputedStyle(each, part);
      return [style.transitionDuration, style.animationDuration];
    })))]`;
  await media("prefers-reduced-motion", "reduce");
  await page.open(pages.demo);
  expect(await page.run(durations)).toEqual(["0s"]);
  await media("prefers-reduced-motion", "no-preference");
  expect(await page.run(durations)).toContain("0.12s");
});

test("paper shows action and runbook of every problem, and no controls", async () => {
  const { page } = tests;
  await page.open(pages.demo);
  await page.send("Emulation.setEmulatedMedia", { media: "print" });
  const shown = (selector: string): Promise<boolean> =>
    page.run(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].every((each) => each.getBoundingClientRect().height > 0)`,
    );
  expect(await shown(".problem .inside")).toBe(true);
  expect(await page.run(`document.querySelector("form").getBoundingClientRect().height`)).toBe(0);
  expect(await page.run("getComputedStyle(document.body).backgroundColor")).toBe("rgb(255, 255, 255)");
});

test("1,000 nodes: the one with a problem is on the first screen, the others are folded", async () => {
  const { page } = tests;
  await sized(1440, 900);
  await page.open(pages.thousand);
  expect(await page.run("document.documentElement.scrollHeight")).toBeLessThanOrEqual(900);
  const text = await page.run<string>("document.body.innerText");
  expect(text).toContain("1 critical problem; 1,000 of 1,000 nodes up");
  expect(text).toContain("999 healthy nodes");
  expect(await page.run(`document.querySelectorAll(".nodes details, .nodes .line").length`)).toBeGreaterThan(1_000);
});
