import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { HttpDependencies } from "../../src/http/http-dependencies.ts";
import { startBrowser, type Browser, type Page } from "./browser.ts";
import { serving } from "./serving.ts";

/** The browser of a test file. */
export type BrowserTests = {
  /** A new page for each test. */
  readonly page: Page;
  /** Serves the pages until the end of the file; resolves to the address. */
  readonly serve: (over: Partial<HttpDependencies>) => Promise<string>;
};

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Starts a browser before the tests of a file, opens a page before each, and ends all after them. */
export function inBrowser(): BrowserTests {
  const { start } = serving(afterAll);
  let browser: Browser | undefined;
  let page: Page | undefined;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  beforeEach(async () => {
    page = await browser?.page();
  });
  afterAll(() => browser?.close());
  return {
    get page() {
      if (page === undefined) throw new Error("there is a page only in a test");
      return page;
    },
    serve: async (over) => (await start(over)).address,
  };
}

export function setSize(page: Page, width: number, height: number): Promise<unknown> {
  return page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
}

export function setMedia(page: Page, name: string, value: string): Promise<unknown> {
  return page.send("Emulation.setEmulatedMedia", { features: [{ name, value }] });
}

/** Rules of axe-core that the open page breaks, with the elements: all rules, or those about colours. */
export async function violations(page: Page, rules: "all" | "colours" = "all"): Promise<unknown> {
  await page.run(AXE);
  const ofColours = { runOnly: ["color-contrast", "link-in-text-block"] };
  const options = { resultTypes: ["violations"], ...(rules === "all" ? {} : ofColours) };
  return page.run(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]))`);
}
