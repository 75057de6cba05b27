import { afterAll, beforeAll, expect, test } from "vitest";
import { ALERT_GROUPS, alertGroupsWith, ALERTS } from "../../../src/topics/all/alerts.ts";
import { RUNBOOK_PAGE } from "../../../src/http/pages/page-files.ts";
import { ask } from "../ask.ts";
import { diagnosis, problem } from "../fixtures.ts";
import { serving } from "../serving.ts";

const { start } = serving(afterAll);
let found = diagnosis([]);
let broken = false;
let alertGroups = ALERT_GROUPS;
let running: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
  running = await start({
    alertGroups: () => alertGroups,
    diagnosis: () => (broken ? Promise.reject(new Error("no samples")) : Promise.resolve(found)),
  });
});

const get = async (path: string): Promise<readonly [status: number, body: string]> => {
  const { status, headers, body } = await ask(running.address + path);
  expect(headers["content-security-policy"]).toBe(RUNBOOK_PAGE.policy);
  return [status, body.toString()];
};

test("the index links to every runbook", async () => {
  const [status, body] = await get("/runbooks/");
  expect(status).toBe(200);
  const links = [...body.matchAll(/href="\/runbooks\/(\w+)"/g)].map(([, name]) => name);
  expect(links).toEqual(ALERTS.map(({ name }) => name));
  expect((await get("/runbooks"))[1]).toBe(body);
});

test("a page from a node has its name in the commands, those of its machine and the action first", async () => {
  found = diagnosis([]);
  const [, body] = await get("/runbooks/AvaxNodeFewPeers?node=sim-7");
  expect(body).toContain("avax-exporter call sim-7 ");
  for (const part of ["systemctl status avalanchego", "journalctl -u avalanchego", "http://127.0.0.1:9650/ext/info"])
    expect(body).toContain(part);
  expect(body.indexOf("What to do")).toBeLessThan(body.indexOf("How to confirm it"));
  expect((await get("/runbooks/AvaxNodeFewPeers?node=%3Cscript%3E"))[1]).toContain("call &lt;node&gt; ");
});

test("a page has the thresholds of the running configuration", async () => {
  alertGroups = alertGroupsWith({ peers: "40%" });
  expect((await get("/runbooks/AvaxNodeFewPeers"))[1]).toContain("less than 40 % of");
  alertGroups = ALERT_GROUPS;
  expect((await get("/runbooks/AvaxNodeFewPeers"))[1]).toContain("less than 50 % of");
});

test("every alert has a page with all parts of its runbook, which loads nothing and links back", async () => {
  for (const { name } of ALERTS) {
    const [status, body] = await get(`/runbooks/${name}`);
    expect(status).toBe(200);
    for (const part of ["What it means", "How to confirm it", "What to do", "False positives", "Expression"])
      expect(body).toContain(`<h2>${part}</h2>`);
    expect(body).toContain('<a href="/">Status</a>');
    expect(body).not.toMatch(/\{\{|undefined|<script|https?:\/\/(?!127\.|localhost|www\.w3\.org\/2000\/svg)/);
  }
});

test("the page lists the findings of now and fills the first one into the commands", async () => {
  const labels = { network: "n", subnet: "primary", node_id: "NodeID-A", name: "x'; reboot" };
  found = diagnosis([
    problem({ alert: "AvaxDowntimeBudgetLow", labels, summary: "<one> is late", state: "pending" }),
    problem({ alert: "AvaxNodeDown", summary: "another alert" }),
  ]);
  const [, body] = await get("/runbooks/AvaxDowntimeBudgetLow");
  expect(body).toContain("<bdi>&lt;one&gt; is late</bdi> (pending)");
  expect(body).not.toContain("another alert");
  expect(body).toContain("platform.getCurrentValidators &#39;{&quot;nodeIDs&quot;: [&quot;NodeID-A&quot;]}&#39;");
  expect(body).toContain("call &lt;any-node&gt;");
});

test.each([
  ["/runbooks/AvaxNodeDwon", ["AvaxNodeDown"]],
  ["/runbooks/avaxnodedown.md", ["AvaxNodeDown", "AvaxApiNodeDown", "AvaxNodeDownBudgetLow"]],
  ["/runbooks/Runway", ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"]],
  ["/runbooks/zzzzzzzz", []],
])("%s is unknown and suggests %j", async (path, names) => {
  const [status, body] = await get(path);
  expect(status).toBe(404);
  expect([...body.matchAll(/href="\/runbooks\/(\w+)"/g)].map(([, name]) => name).sort()).toEqual([...names].sort());
});

test("an unknown name never becomes markup, and is cut", async () => {
  const [status, body] = await get(`/runbooks/%3Cscript%3E${"x".repeat(3_000)}`);
  expect(status).toBe(404);
  expect(body).toContain("&lt;script&gt;");
  expect(body).not.toMatch(/x{100}/);
  expect((await ask(`${running.address}/runbooks/%E0%A4%A`)).status).toBe(404);
});

test("a failed diagnosis leaves the runbook", async () => {
  broken = true;
  const [status, body] = await get("/runbooks/AvaxNodeDown");
  broken = false;
  expect([status, body.includes("<h1>AvaxNodeDown</h1>")]).toEqual([200, true]);
  expect(running.logged.at(-1)).toMatchObject({ level: "error", message: "diagnosis failed" });
});
