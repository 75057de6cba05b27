import { expect, it } from "vitest";
import { documentHtml } from "../../../src/cli/report/document-html.ts";
import { inBrowser, setMedia, setSize, violations } from "../../http/browser-tests.ts";

const PAGE = documentHtml({
  title: "Avalanche backtest: 30 d to 2026-01-12 00:00 UTC",
  subtitle: "From 2025-12-13 00:00 UTC, with data for all of it.",
  sections: [
    {
      title: "By node and cause",
      columns: [
        { title: "Subject", flexible: true },
        { title: "Alert", flexible: true },
        { title: "Sent", align: "right" },
        { title: "Longest", align: "right" },
        { title: "Held back by", flexible: true },
      ],
      rows: [
        ["2qPTqrRSAV5RPqSKgkkA31eVv5QXWv3FqfKj7QNwy1LviRJCx6", "AvaxL1BalancesShort", "1", "3 min", ""],
        [{ text: "sim-7", tone: "bad" }, "AvaxEndpointFailing", "0", "12 min", "AvaxNodeRestarting, 3 × AvaxNodeDown"],
      ],
      notes: ["Each alert counts."],
    },
  ],
});

const tests = inBrowser();

it.each([
  [1440, "light"],
  [1440, "dark"],
  [390, "light"],
  [390, "dark"],
] as const)("at %s px, %s: axe-core finds nothing and nothing is wider than the page", async (width, scheme) => {
  const { page } = tests;
  await setMedia(page, "prefers-color-scheme", scheme);
  await setSize(page, width, 900);
  await page.open(`data:text/html;charset=utf-8,${encodeURIComponent(PAGE)}`);
  expect(await violations(page)).toEqual([]);
  expect(await page.run("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  const colors = await page.run<string>("getComputedStyle(document.body).backgroundColor");
  expect(colors).toBe(scheme === "dark" ? "rgb(13, 17, 23)" : "rgb(255, 255, 255)");
});

it("on a phone each row is a block whose cells carry the titles of their columns", async () => {
  const { page } = tests;
  await setSize(page, 390, 900);
  await page.open(`data:text/html;charset=utf-8,${encodeURIComponent(PAGE)}`);
  const shown = await page.run(`[...document.querySelectorAll("tr:last-child td")].map((cell) =>
    [getComputedStyle(cell, "::before").content, cell.textContent])`);
  expect(shown).toEqual([
    ["none", "sim-7"],
    ['"Alert"', "AvaxEndpointFailing"],
    ['"Sent"', "0"],
    ['"Longest"', "12 min"],
    ['"Held back by"', "AvaxNodeRestarting, 3 × AvaxNodeDown"],
  ]);
});
