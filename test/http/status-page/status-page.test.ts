import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { Reason } from "../../../src/api/reasons.ts";
import type { Status } from "../../../src/poller/poll/status.ts";
import { renderStatusPage } from "../../../src/http/status-page/status-page.ts";
import { CONTENT_SECURITY_POLICY, SCRIPT, STYLE } from "../../../src/http/status-page/page-files.ts";
import { ABOUT, NOW, diagnosis, endpoint, problem, status, target } from "../fixtures.ts";

const failing = (reason: Reason, message: string) =>
  endpoint({ state: "failing", failures: 3, lastSuccess: NOW - 185, error: { reason, message } });

const pageOf = (shown: Status): string => renderStatusPage({ status: shown, about: ABOUT });

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

test("the headline counts nodes and failing endpoints, the title repeats it", () => {
  const page = pageOf(fleet);
  expect(page).toContain("<h1>2 of 4 nodes up, 1 unknown, 2 endpoints failing</h1>");
  expect(page).toContain("<title>2 of 4 nodes up, 1 unknown, 2 endpoints failing · avax-exporter</title>");
});

test("targets are sorted: down, failing, unknown, healthy", () => {
  const text = words(pageOf(fleet));
  const places = ["old-1 Down", "api-1 Up", "Unknown new-1", "Up validator-1"].map((name) => text.indexOf(name));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test("a down node is shown with reason, last success and next poll", () => {
  expect(words(pageOf(fleet))).toContain(
    "old-1 Down all 1 endpoint failing fuji NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg http://10.0.0.1:9650 last answer 3 min 5 s ago " +
      "Endpoint Subject State Last success Next poll Every " +
      "refused : nothing listens at the address, or a firewall rejects the connection connect ECONNREFUSED 10.0.0.4:9650 " +
      "health Failing, 3 times 3 min 5 s ago in 3 s 15 s",
  );
});

test("failing endpoints of a node come first", () => {
  expect(words(pageOf(fleet))).toContain(
    "api-1 Up 1 of 2 endpoints failing fuji NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg http://10.0.0.1:9650 last answer 12 s ago " +
      "Endpoint Subject State Last success Next poll Every " +
      "timeout : no complete answer before the deadline no answer in 10 s health Failing, 3 times 3 min 5 s ago in 3 s 15 s " +
      "evm.head C OK 12 s ago in 3 s 15 s",
  );
});

test("an unpolled node and a healthy one are expandable lines", () => {
  const text = words(pageOf(fleet));
  expect(text).toContain("Unknown new-1 network unknown node ID unknown no endpoint polled yet http");
  expect(text).toContain("Up validator-1 fuji NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg 1 endpoint, none failing http");
  expect(pageOf(fleet).match(/<details data-key="node /g)).toHaveLength(2);
});

test("the header contains the version, the networks, the time and links to the other pages", () => {
  const page = renderStatusPage({ status: fleet, about: { ...ABOUT, telemetryPath: "/deep/metrics" } });
  expect(words(page)).toContain(
    "avax-exporter 1.2.3 (abc1234) Metrics Status as JSON Findings as JSON History as JSON Configuration Service discovery Health of the exporter " +
      "2 of 4 nodes up, 1 unknown, 2 endpoints failing fuji : 4 nodes, network facts from validator-1 " +
      "As of 2026-05-28 20:26:40 UTC Running for 2 h 5 min",
  );
  expect([...page.matchAll(/href="(\/[^"]*)"/g)].map(([, link]) => link)).toEqual([
    "/deep/metrics",
    "/api/v1/status",
    "/api/v1/findings",
    "/api/v1/history",
    "/config",
    "/sd",
    "/-/healthy",
  ]);
});

test("a shard shows its index and lists auxiliary nodes separately", () => {
  const auxiliary = target({ name: "other-1", up: false, endpoints: [failing("refused", "nobody there")] });
  const shared = { ...status([target()]), shard: { index: 1, total: 3 }, auxiliary: [auxiliary] };
  const text = words(pageOf(shared));
  expect(text).toContain("1 of 1 node up Shard 1 of 3, counted from 0 fuji : 4 nodes");
  expect(text).toContain("Nodes of other shards, polled for comparisons and network facts 1 node Down other-1");
  expect(words(pageOf(status([target()])))).not.toMatch(/[Ss]hard/);
});

test("nodes that are only probed are counted", () => {
  expect(pageOf({ ...status([]), probed: 300 })).toContain("<h1>300 nodes, polled on probes only</h1>");
});

test.each([
  [[], "<h1>No nodes configured</h1>"],
  [[target()], "<h1>1 of 1 node up</h1>"],
  [Array.from({ length: 1_200 }, () => target()), "<h1>1,200 of 1,200 nodes up</h1>"],
  [[target(), target({ endpoints: [failing("dns", "")] })], "<h1>2 of 2 nodes up, 1 endpoint failing</h1>"],
])("headline of %#", (targets, headline) => {
  expect(pageOf(status(targets))).toContain(headline);
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
    about: { version: attack, revision: attack, telemetryPath: attack },
    diagnosis: diagnosis([
      problem({
        summary: attack,
        meaning: attack,
        action: `${attack}`,
        runbook: attack,
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
  expect(page).toContain(`<style>${STYLE}</style>`);
  expect(page.match(/<script>[^]*?<\/script>/g)).toEqual([`<script>${SCRIPT}</script>`]);
  expect(page.replace(SCRIPT, "")).not.toMatch(/ style=| on[a-z]+=|https?:\/\/(?!10\.|www\.w3\.org\/2000\/svg)/);
  const hash = (text: string): string => createHash("sha256").update(text).digest("base64");
  expect(CONTENT_SECURITY_POLICY).toBe(
    `default-src 'none'; style-src 'sha256-${hash(STYLE)}'; script-src 'sha256-${hash(SCRIPT)}'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  );
});

const ids = Array.from({ length: 14 }, (_, index) => `platform.endpoint${index}`);
const large = {
  healthy: ids.map((id) => endpoint({ id, key: "C" })),
  hostile: ids.map((id) => ({ ...failing("rpc_error", `${id}${'"'.repeat(400)}`), id, key: "C" })),
};

test.each([
  ["healthy", true, large.healthy],
  ["failing with hostile messages", false, large.hostile],
])("1,000 targets, %s, are all listed within 1.5 MB and 50 ms of CPU", (_, up, endpoints) => {
  const thousand = status(
    Array.from({ length: 1_000 }, (_none, index) => target({ name: `node-${index}`, up, endpoints })),
  );
  // The lowest CPU time of several runs, so that other programs do not affect the result.
  const times = [0, 1, 2, 3, 4].map(() => {
    const before = process.cpuUsage();
    pageOf(thousand);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  const page = pageOf(thousand);
  expect(page.match(/<bdi>node-\d+<\/bdi>/g)).toHaveLength(1_000);
  expect(Buffer.byteLength(page)).toBeLessThan(1_500_000);
  expect(Math.min(...times)).toBeLessThan(50);
});

test("targets above 2,000 are counted", () => {
  const page = pageOf(status(Array.from({ length: 2_300 }, (_, index) => target({ name: `node-${index}` }))));
  expect(page.match(/<bdi>node-\d+<\/bdi>/g)).toHaveLength(2_000);
  expect(words(page)).toContain("300 nodes more: see the status as JSON");
});
