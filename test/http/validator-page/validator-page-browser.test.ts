import { beforeAll, describe, expect, it } from "vitest";
import { restartFacts } from "../../../src/diagnosis/restart/restart-facts.ts";
import { samplesOf } from "../../../src/diagnosis/samples.ts";
import { DELEGATED, NOW, observed, OF, STAKER, viewsOf } from "../../diagnosis/validator/samples.ts";
import { inBrowser, setMedia, setSize, violations } from "../browser-tests.ts";
import { diagnosis, problem } from "../fixtures.ts";
import { readingsIn } from "../../support/readings.ts";

/** The pages of validators in a real browser: they have no script. */

const OBSERVERS = ["a", "b", "c", "d", "e"].flatMap((node, index) => observed(node, 0.8 + index / 100));
const SUBNETS = ["S", "T"].map((subnet) => `avax_validator_in_set{${OF.replace("primary", subnet)}} 1`);
const L1 = `network="fuji",subnet="L",node_id="NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",validation_id="v"`;
const LINES = [...STAKER, ...DELEGATED, ...OBSERVERS, ...SUBNETS, `avax_l1_validator_weight{${L1}} 100`];
const VIEWS = viewsOf(LINES);
const UPGRADE = `avax_upgrade_activation_timestamp_seconds{network="fuji",upgrade="helicon"} ${NOW + 9}`;
/** A node with a long name waits because of a subnet that has no name. */
const UNNAMED = "2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof";
const WAITING = [
  ...["primary", UNNAMED].map((id) => `avax_subnet_quorum_requirement_ratio{network="fuji",subnet="${id}"} 0.8`),
  ...["configured", "up"].map((name) => `avax_node_${name}{network="fuji",node="${"long-".repeat(20)}",node_id="N"} 1`),
];
const FACTS = restartFacts(samplesOf(readingsIn([...LINES, ...WAITING, UPGRADE, ""].join("\n")), NOW), true);
const PROBLEMS = Array.from({ length: 8 }, (_, index) =>
  problem({ alert: `Avax${index}`, labels: { node: "own" }, summary: `own has the ${index}th problem of a long name` }),
);

const tests = inBrowser();
let address: string;
beforeAll(async () => {
  address = await tests.serve({
    validators: () => Promise.resolve(VIEWS),
    diagnosis: () => Promise.resolve(diagnosis(PROBLEMS)),
    restarts: () => Promise.resolve(FACTS),
  });
});

describe.each([
  "/validator/own?offline=6h",
  "/validator/own?offline=soon",
  "/validator/",
  "/validator/onw",
  "/restart",
])("%s", (path) => {
  it.each([
    [1440, false],
    [390, false],
    [390, true],
  ])("at %s px, dark %s: axe-core finds nothing and nothing is wider than the page", async (width, dark) => {
    const { page } = tests;
    // The audit is a script, which the page's own policy refuses.
    await page.send("Page.setBypassCSP", { enabled: true });
    await setMedia(page, "prefers-color-scheme", dark ? "dark" : "light");
    await setSize(page, width, 900);
    await page.open(address + path);
    expect(await violations(page, dark ? "colours" : "all")).toEqual([]);
    expect(await page.run("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });
});

it("without scripts the form asks about another outage", async () => {
  const { page } = tests;
  await page.send("Emulation.setScriptExecutionDisabled", { value: true });
  await page.open(`${address}/validator/own`);
  expect(await page.run("document.body.innerText")).toContain("If Alpha goes offline now, is it still paid?");
  await page.leave(`document.querySelector("#duration").value = "2 h"; document.querySelector("button").click()`);
  expect(await page.run("[location.pathname, location.search, location.hash]")).toEqual([
    "/validator/own",
    "?offline=2+h&network=fuji",
    "#offline",
  ]);
  expect(await page.run(`document.querySelector("mark").textContent`)).toBe("2 h");
  expect(page.errors).toEqual([]);
});

it("fits on one page of A4", async () => {
  const { page } = tests;
  await page.open(`${address}/validator/own?offline=6h`);
  const { data } = await page.send("Page.printToPDF", { preferCSSPageSize: true, printBackground: true });
  const pdf = Buffer.from(String(data), "base64").toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page[^s]/g)).toHaveLength(1);
});
