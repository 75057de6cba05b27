import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { Reason } from "../../../src/api/reasons.ts";
import type { Status } from "../../../src/poller/poll/status.ts";
import { renderStatusPage } from "../../../src/http/status-page/render-status-page.ts";
import { viewStatus } from "../../../src/http/status-page/status-view.ts";
import { STATUS_PAGE } from "../../../src/http/pages/page-files.ts";
import { ABOUT, NOW, consequence, diagnosis, endpoint, problem, status, target } from "../fixtures.ts";

const failing = (reason: Reason, message: string) =>
  endpoint({ state: "failing", failures: 3, lastSuccess: NOW - 185, error: { reason, message } });

type Page = Parameters<typeof renderStatusPage>[0];
const pageOf = (shown: Status, over: Partial<Page> = {}): string =>
  renderStatusPage({ status: shown, about: ABOUT, ...over });

const FRESH = target({ endpoints: [endpoint(), endpoint({ state: "waiting", lastSuccess: undefined })] });

/** The visible text, with collapsed spaces. */
function words(page: string): string {
  return page
    .replace(/<(style|script|form)[^]*?<\/\1>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

const fleet = status([
  target(),
  target({
    name: "api-1",
    endpoints: [endpoint({ id: "evm.head", key: "C" }), failing("timeout", "no answer in 10 s")],
  }),
  target({
    name: "new-1",
    up: undefined,
    network: undefined,
    nodeId: undefined,
    endpoints: [endpoint({ state: "waiting", lastSuccess: undefined })],
  }),
  target({ name: "old-1", up: false, endpoints: [failing("refused", "connect ECONNREFUSED 10.0.0.4:9650")] }),
]);

test("the headline counts nodes, the title repeats it, and the facts count failing endpoints", () => {
  const page = pageOf(fleet);
  expect(page).toContain('<h1 class="bad">2 of 4 nodes up, 1 unknown</h1>');
  expect(page).toContain("<title>2 of 4 nodes up, 1 unknown · avax-exporter</title>");
  expect(page).toContain("<span>2 endpoints failing</span>");
});

test("a node is not up in green before all of its endpoints have been polled", () => {
  expect(pageOf(status([FRESH]))).toContain('<span class="badge unknown">Up</span>');
  expect(pageOf(status([target()]))).toContain('<span class="badge healthy">Up</span>');
});

test("hosted services are counted and listed separately", () => {
  const service = target({ name: "data-api", hosted: true, network: undefined, nodeId: undefined });
  const page = pageOf(status([target(), service, { ...service, name: "metrics-api", up: false }]));
  expect(page).toContain(">1 of 1 node up</h1>");
  expect(words(page)).toContain("Nodes 1 of 1 up");
  expect(words(page)).toContain("Hosted services 1 of 2 up Up data-api");
});

test("nodes are sorted: lag, lost reward and what pages soon before failing endpoints and warnings", () => {
  const names = ["fine", "warned", "failing", "lost", "late", "paging"];
  const nodes = names.map((name) =>
    target({ name, endpoints: [name === "failing" ? failing("dns", "") : endpoint()] }),
  );
  const found = diagnosis(
    [
      problem({ labels: { node: "warned" }, severity: "warning", state: "pending" }),
      problem({ labels: { node: "paging" }, state: "pending" }),
    ],
    { overview: { lost: { downtimeLeft: -1 }, late: { lag: { chain: "C", blocks: 40, since: NOW - 9 } } } },
  );
  expect(viewStatus(status(nodes), found).nodes.map(({ target: { name } }) => name)).toEqual(names.toReversed());
});

test("the row of a node expands to its identity, errors and endpoints", () => {
  expect(words(pageOf(fleet))).toContain(
    "Down old-1 fuji 1 of 1 endpoint failing fuji NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg http://10.0.0.1:9650 last answer 3 min 5 s ago " +
      "refused : nothing listens at the address, or a firewall rejects the connection connect ECONNREFUSED 10.0.0.4:9650 1 endpoint: health " +
      "1 endpoint Endpoint Subject State Last success Next poll Every health Failing, 3 times 3 min 5 s ago in 3 s 15 s",
  );
});

test("failing endpoints of a node come first", () => {
  expect(words(pageOf(fleet))).toContain(
    "1 endpoint: health 2 endpoints Endpoint Subject State Last success Next poll Every " +
      "health Failing, 3 times 3 min 5 s ago in 3 s 15 s evm.head C OK 12 s ago in 3 s 15 s",
  );
});

test("nodes of several networks show theirs, an unpolled one what is unknown", () => {
  const text = words(pageOf(fleet));
  expect(text).toContain(
    "Unknown new-1 network unknown 1 of 1 endpoint not polled yet network unknown node ID unknown http",
  );
  expect(text).toContain("Up validator-1 fuji fuji NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg http");
  expect(words(pageOf(status([target()])))).toContain("Up validator-1 fuji NodeID-");
});

const rowOf = (page: string, name: string): string =>
  words(/<details class="target" data-key="node [^"]*">\s*<summary>[^]*?<\/summary>/.exec(page)?.[0] ?? "").replace(
    name,
    "",
  );

test.each([
  ["nothing known", {}, "Up"],
  ["version, peers", { version: "avalanchego/1.15.0", peers: 1_100 }, "Up Version 1.15.0 Peers 1,100"],
  ["keeps up", { lag: { chain: "C", blocks: 0 } }, "Up Lag 0"],
  ["some blocks", { lag: { chain: "C", blocks: 3, since: NOW - 20 } }, "Up Lag 3 blocks (C)"],
  ["minutes", { lag: { chain: "P", blocks: 40, since: NOW - 700 } }, "Behind Lag 11 min (P)"],
  [
    "a long chain name",
    { lag: { chain: "x".repeat(40), blocks: 1, since: NOW } },
    `Up Lag 1 block (${"x".repeat(12)}…)`,
  ],
  ["budget and uptime", { downtimeLeft: 31_680, uptime: 0.9876 }, "Up Downtime left 8 h 48 min Uptime 98.76 %"],
  ["many blocks", { lag: { chain: "P", blocks: 123, since: NOW - 5 } }, "Behind Lag 123 blocks (P)"],
  [
    "below the requirement",
    { downtimeLeft: 1_672_236, uptime: 0.6154, required: 0.8 },
    "Up Downtime left 19 d 8 h Uptime 61.54 % needs 80 % at its end, within reach",
  ],
  ["a lost reward", { downtimeLeft: -5 }, "Up Downtime left lost by 5 s"],
  ["another client", { version: `<b>${"v".repeat(60)}` }, `Up Version &lt;b&gt;${"v".repeat(21)}`],
])("the row of a node shows facts: %s", (_, facts, expected) => {
  const page = pageOf(status([target()]), { diagnosis: diagnosis([], { overview: { "validator-1": facts } }) });
  expect(rowOf(page, "validator-1").replace(/ +/g, " ").trim()).toBe(expected);
});

test("a watched validator has a link to its page", () => {
  const facts = { "validator-1": { validator: true } as const };
  const page = pageOf(status([target()]), { diagnosis: diagnosis([], { overview: facts }) });
  expect(page).toContain('<a href="/validator/validator-1">');
  expect(page).not.toContain("noreferrer");
  expect(pageOf(status([target()]))).not.toContain("/validator/validator-1");
});

test("a node without another one of its network has no lag to compare", () => {
  const alone = { ...status([target()]), networks: [{ name: "fuji", referenceNode: "validator-1", nodes: 1 }] };
  expect(rowOf(pageOf(alone), "validator-1")).toContain("Lag needs a second node");
  expect(rowOf(pageOf(status([target()])), "validator-1")).not.toContain("second node");
});

test("pages link to the dashboard of a node and to a silence, where their addresses are known", () => {
  const about = { ...ABOUT, dashboards: "https://g.example", alertmanager: "https://am.example", note: "A demo." };
  const found = diagnosis([problem({ labels: { node: "validator-1", network: "fuji" } })]);
  const page = pageOf(status([target()]), { about, diagnosis: found });
  expect(page).toContain('href="https://g.example/d/avax-node?var-node=validator-1"');
  expect(page).toContain('href="https://g.example/d/avax-node?var-network=fuji&amp;var-node=validator-1"');
  const [, silence = ""] = /href="(https:\/\/am[^"]*)"/.exec(page) ?? [];
  expect(decodeURIComponent(silence)).toBe(
    'https://am.example/#/silences/new?filter={alertname="AvaxNodeLeftBehind",node="validator-1",network="fuji"}',
  );
  expect(words(page)).toContain("A demo.");
});

test("the header contains the version, the networks and the time; the links to other formats are at the end", () => {
  const page = pageOf(fleet, { about: { ...ABOUT, telemetryPath: "/deep/metrics" } });
  expect(words(page)).toContain(
    "avax-exporter 1.2.3 (abc1234) Validators Restarts Runbooks 2 of 4 nodes up, 1 unknown fuji : 4 nodes, network facts from validator-1 " +
      "2 endpoints failing running for 2 h 5 min as of 2026-05-28 20:26:40 UTC",
  );
  expect([...page.matchAll(/href="(\/[^"]*)"/g)].map(([, link]) => link)).toEqual([
    "/validator/",
    "/restart",
    "/runbooks/",
    "/deep/metrics",
    "/api/v1/status",
    "/api/v1/findings",
    "/api/v1/history",
    "/config",
    "/sd",
    "/-/healthy",
  ]);
});

test("a shard shows its index", () => {
  const shared = { ...status([target()]), shard: { index: 1, total: 3 } };
  const text = words(pageOf(shared));
  expect(text).toContain("1 of 1 node up Shard 1 of 3, counted from 0 fuji : 4 nodes");
  expect(words(pageOf(status([target()])))).not.toMatch(/[Ss]hard/);
});

test("nodes that are only probed are counted", () => {
  expect(pageOf({ ...status([]), probed: 300 })).toContain('<h1 class="unknown">300 nodes, polled on probes only</h1>');
});

/** It fires in a minute. */
const pending = { ...problem({ state: "pending", since: NOW - 60 }) };
const [WARNING, INFO] = [problem({ severity: "warning" }), problem({ severity: "info" })];
const STATE = problem({ severity: "none" }, [consequence()]);

const SOON = { ...pending, since: NOW - 90 };

test.each([
  [[], undefined, "unknown", "No nodes configured"],
  [[target()], undefined, "unknown", "1 of 1 node up"],
  [Array.from({ length: 1_200 }, () => target()), [], "good", "No problems; 1,200 of 1,200 nodes up"],
  [[target()], [], "good", "No problems; 1 of 1 node up"],
  [[target({ up: undefined })], [], "unknown", "No problems; 0 of 1 node up, 1 unknown"],
  [[FRESH], [], "unknown", "First round of polls; 1 of 1 node up"],
  [[target({ up: false })], [], "warn", "1 node down; 0 of 1 node up"],
  [
    [target({ up: false }), target({ up: false })],
    [pending],
    "bad",
    "0 of 2 nodes up; 1 critical pending, next fires in 1 min",
  ],
  [[target()], [pending], "warn", "1 critical pending, next fires in 1 min; 1 of 1 node up"],
  [[target()], [pending, SOON, WARNING], "warn", "2 critical pending, next fires in 30 s; 1 warning; 1 of 1 node up"],
  [
    [target()],
    [problem(), pending],
    "bad",
    "1 critical problem; 1 critical pending, next fires in 1 min; 1 of 1 node up",
  ],
  [
    [target()],
    [{ ...pending, severity: "warning" } as const],
    "warn",
    "1 warning pending, next fires in 1 min; 1 of 1 node up",
  ],
  [
    [target()],
    ["a", "b"].map((alert) => ({ ...pending, alert: `AvaxPending${alert}`, severity: "warning" }) as const),
    "warn",
    "2 warnings pending, next fires in 1 min; 1 of 1 node up",
  ],
  [[target()], [STATE], "warn", "1 consequence of a state such as bootstrapping; 1 of 1 node up"],
  [[target()], [INFO], "good", "No urgent problems; 1 of 1 node up"],
  [[target()], [WARNING, INFO], "warn", "1 warning; 1 of 1 node up"],
  [[target()], [problem(), WARNING], "bad", "1 critical problem; 1 of 1 node up"],
] as const)("headline and colour of %#", (targets, problems, tone, headline) => {
  const found = problems === undefined ? undefined : diagnosis(problems);
  const page = pageOf(status(targets), { diagnosis: found });
  expect(page).toContain(`<h1 class="${tone}">${headline}</h1>`);
  const colour = { bad: "d92d20", warn: "dc8b00", good: "2e9e5b", unknown: "8a8f98" }[tone];
  expect(page).toContain(`fill=&#39;%23${colour}&#39;`);
});

test("a pill has the state of the node alone, and the heading the rows of its problems", () => {
  const starting = { alert: "AvaxNodeBootstrapping", severity: "none" } as const;
  const page = (found: Parameters<typeof diagnosis>[0]) => pageOf(status([target()]), { diagnosis: diagnosis(found) });
  expect(page([problem(starting)])).toContain('<span class="badge unknown">Starting</span>');
  expect(page([problem()])).toContain('<span class="badge healthy">Up</span>');
  expect(words(page([problem(), problem({ labels: { node: "validator-1", chain: "C" } })]))).toContain(
    "Problems 2 critical in 1 row",
  );
});

test("external text never becomes markup", () => {
  const attack = `"><script>alert(1)</script><img src=x onerror='x'>`;
  const hostile = {
    ...status([
      target({
        name: "<script>",
        url: attack,
        network: attack,
        nodeId: attack,
        up: false,
        endpoints: [failing("rpc_error", attack)],
      }),
      target({ name: attack, endpoints: [endpoint({ id: attack, key: attack })] }),
    ]),
    networks: [{ name: attack, referenceNode: attack, nodes: 1 }],
  };
  const page = renderStatusPage({
    status: hostile,
    about: { version: attack, revision: attack, telemetryPath: attack, command: attack },
    diagnosis: diagnosis([
      problem({
        summary: attack,
        meaning: attack,
        action: `${attack}`,
        runbook: attack,
        runbookPath: attack,
        node: attack,
        since: NOW,
        evidence: [{ series: attack, value: 1, words: attack }],
      }),
    ]),
    filter: { words: [attack], state: undefined },
  });
  expect(page).toContain("<bdi>&lt;script&gt;</bdi>");
  expect(page).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&#39;x&#39;&gt;");
  expect(page).not.toMatch(/<(script>alert|img)/i);
});

test("a long message is truncated", () => {
  const page = pageOf(status([target({ up: false, endpoints: [failing("not_json", "x".repeat(5_000))] })]));
  expect(/x{200,}…?/.exec(page)?.[0]).toBe(`${"x".repeat(300)}…`);
});

test("the policy allows only the page's own style and script", () => {
  const page = pageOf(fleet);
  const { style: STYLE, script: SCRIPT, policy } = STATUS_PAGE;
  expect(page).toContain(`<style>${STYLE}</style>`);
  expect(page.match(/<script>[^]*?<\/script>/g)).toEqual([`<script>${SCRIPT}</script>`]);
  expect(page.replace(SCRIPT, "")).not.toMatch(/ style=| on[a-z]+=|https?:\/\/(?!10\.|www\.w3\.org\/2000\/svg)/);
  const hash = (text: string): string => createHash("sha256").update(text).digest("base64");
  expect(policy).toBe(
    `default-src 'none'; style-src 'sha256-${hash(STYLE)}'; script-src 'sha256-${hash(SCRIPT)}'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  );
});

const ids = Array.from({ length: 14 }, (_, index) => `platform.endpoint${index}`);
const large = {
  healthy: ids.map((id) => endpoint({ id, key: "C" })),
  hostile: ids.map((id) => ({ ...failing("rpc_error", `${id}${'"'.repeat(400)}`), id, key: "C" })),
};
const FACTS = {
  version: "avalanchego/1.15.0",
  lag: { chain: "C", blocks: 12, since: NOW - 90 },
  peers: 1_100,
  downtimeLeft: 90_000,
  uptime: 0.987,
};
/** Every fact of a node, and problems with evidence and consequences at each. */
const busy = diagnosis(
  Array.from({ length: 1_000 }, (_, index) =>
    problem({ labels: { node: `node-${index}` }, summary: `node-${index} is ${"very ".repeat(12)}late` }, [
      consequence({ labels: { node: `node-${index}` } }),
    ]),
  ),
  { overview: Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`node-${index}`, FACTS])) },
);

test.each([
  ["healthy", true, large.healthy, undefined],
  ["with problems", true, large.healthy, busy],
  ["failing with hostile messages", false, large.hostile, busy],
])("1,000 nodes, %s, are all listed within 1 MB", (_, up, endpoints, found) => {
  const thousand = status(
    Array.from({ length: 1_000 }, (_none, index) => target({ name: `node-${index}`, up, endpoints })),
  );
  const page = pageOf(thousand, { diagnosis: found });
  expect(page.match(/<b><bdi>node-\d+<\/bdi><\/b>/g)).toHaveLength(1_000);
  expect(Buffer.byteLength(page)).toBeLessThan(1_000_000);
});

test("the healthy nodes of a large fleet are folded, unless a filter selects them", () => {
  const fleetOf = (size: number) =>
    status(Array.from({ length: size }, (_, index) => target({ name: `node-${index}`, up: index > 0 })));
  const large = pageOf(fleetOf(31));
  expect(large).toContain("30 healthy nodes</summary>");
  expect(large.indexOf("Down</span>")).toBeLessThan(large.indexOf("30 healthy nodes"));
  expect(pageOf(fleetOf(30))).not.toContain("healthy nodes</summary>");
  const filter = { words: [], state: "healthy" as const };
  expect(pageOf(fleetOf(31), { filter })).not.toContain("healthy nodes</summary>");
});

test("of a large fleet the nodes that need attention are expandable", () => {
  const many = Array.from({ length: 1_000 }, (_, index) =>
    target({ name: `node-${index}`, up: index !== 900, endpoints: large.healthy }),
  );
  const page = pageOf(status(many));
  expect(page).toContain('<details class="target" data-key="node node-900">');
  expect(page.match(/<details class="target"/g)?.length).toBeLessThan(500);
});

test("nodes above 2,000 are counted", () => {
  const page = pageOf(status(Array.from({ length: 2_300 }, (_, index) => target({ name: `node-${index}` }))));
  expect(page.match(/<bdi>node-\d+<\/bdi>/g)).toHaveLength(2_000);
  expect(words(page)).toContain(
    "300 nodes more. The endpoints of a node are in the status as JSON: /api/v1/status?node=…",
  );
});
