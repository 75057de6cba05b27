import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Diagnosis } from "../../../src/diagnosis/finding.ts";
import { inBrowser, setSize } from "../browser-tests.ts";
import { diagnosis, endpoint, problem, NOW, status, target } from "../fixtures.ts";

/** The status page in a real browser, with and without its script. */

const LEFT = problem({ labels: { node: "left" }, summary: "An upgrade left left behind, by 12 blocks so far" });
const failing = endpoint({
  state: "failing",
  failures: 3,
  error: { reason: "refused", message: "connect ECONNREFUSED" },
});
let current: Diagnosis;
let address: string;
const tests = inBrowser();

beforeAll(async () => {
  const fleet = status([
    target({ name: "fine" }),
    target({ name: "left" }),
    target({ name: "gone", up: false, endpoints: [failing] }),
    target({ name: "<script>document.title='taken'</script>" }),
  ]);
  address = await tests.serve({ status: () => fleet, diagnosis: () => Promise.resolve(current) });
});
beforeEach(() => {
  current = diagnosis([LEFT], { claims: { left: true } });
});

const text = (): Promise<string> => tests.page.run<string>("document.body.innerText");

test("the page updates itself, keeps open details open, and causes no errors", async () => {
  const { page } = tests;
  await page.open(address);
  await page.until(`document.getElementById("live").textContent === "live"`);
  expect(await text()).toContain("An upgrade left left behind, by 12 blocks so far");
  await page.run(`document.querySelector('details[data-key="node fine"]').open = true`);
  current = diagnosis([{ ...LEFT, summary: "An upgrade left left behind, by 13 blocks so far" }], { at: NOW + 1 });
  await page.until(`document.body.innerText.includes("by 13 blocks so far")`);
  expect(await page.run(`document.querySelector('details[data-key="node fine"]').open`)).toBe(true);
  expect(await page.run(`document.querySelector('details[data-key="node left"]').open`)).toBe(false);
  expect(await page.run("document.title")).toBe("1 critical problem; 3 of 4 nodes up · avax-exporter");
  expect(page.errors).toEqual([]);
});

test("with its script the filter applies while typing and updates the URL", async () => {
  const { page } = tests;
  await page.open(address);
  await page.run(`(() => {
    const input = document.querySelector("input");
    input.focus();
    input.value = "gone";
    input.dispatchEvent(new Event("input", { bubbles: true }));
  })()`);
  await page.until(`!document.body.innerText.includes("An upgrade left")`);
  expect(await text()).toContain("1 of 1 endpoint failing");
  expect(await page.run("[location.search, document.activeElement.name, document.activeElement.value]")).toEqual([
    "?q=gone",
    "q",
    "gone",
  ]);
});

test("without scripts the page is complete and the filter is a form", async () => {
  const { page } = tests;
  await page.send("Emulation.setScriptExecutionDisabled", { value: true });
  await page.open(`${address}/?q=left`);
  const shown = await text();
  expect(shown).toContain("An upgrade left left behind, by 12 blocks so far");
  expect(shown).not.toContain("1 of 1 endpoint failing");
  expect(shown).toContain("Filter");
  await page.leave(`document.querySelector("input").value = "gone"; document.querySelector("button").click()`);
  expect([await page.run("location.search"), (await text()).includes("1 of 1 endpoint failing")]).toEqual([
    "?q=gone&state=",
    true,
  ]);
  expect(await page.run(`document.querySelector("input").value`)).toBe("gone");
});

test("an update keeps what the reader looks at in its place, also when a pending problem fires", async () => {
  const { page } = tests;
  const many = Array.from({ length: 30 }, (_, index) => problem({ alert: `AvaxA${index}`, labels: { node: "left" } }));
  const late = problem({
    alert: "AvaxLate",
    state: "pending",
    since: NOW,
    labels: { node: "left" },
    summary: "left lags",
  });
  current = diagnosis([...many, late]);
  await setSize(page, 800, 500);
  await page.open(address);
  await page.until(`document.getElementById("live").textContent === "live"`);
  const entry = `document.querySelector('details[data-key^="problem AvaxLate left"]')`;
  const row = `document.querySelector('details[data-key="node left"]')`;
  await page.run(`${entry}.open = true`);
  await page.run(`scrollTo(0, ${row}.getBoundingClientRect().top + scrollY - 40)`);
  const top = `Math.round(${row}.getBoundingClientRect().top)`;
  const before = await page.run<number>(top);
  // Later than the last event of the first test, which the server still has.
  current = diagnosis([...many.slice(0, 20), { ...late, state: "firing" }], { at: NOW + 2 });
  await page.until(`${entry}.dataset.key === "problem AvaxLate left"`);
  expect(await page.run(`${entry}.open`)).toBe(true);
  expect(Math.abs((await page.run<number>(top)) - before)).toBeLessThanOrEqual(2);
  expect(page.errors).toEqual([]);
});
