import { expect, test } from "vitest";
import { filterProblems, filterView, readFilter } from "../../../src/http/status-page/status-filter.ts";
import { escapeHtml } from "../../../src/http/status-page/html.ts";
import { renderStatusPage } from "../../../src/http/status-page/status-page.ts";
import { CONDITIONS, viewStatus } from "../../../src/http/status-page/status-view.ts";
import { ABOUT, consequence, diagnosis, endpoint, problem, status, target } from "../fixtures.ts";

const failing = endpoint({ id: "evm.head", key: "C", state: "failing", error: { reason: "timeout", message: "late" } });
const fleet = status([
  target({ name: "fine", nodeId: "NodeID-A" }),
  target({ name: "left", nodeId: "NodeID-B" }),
  target({ name: "slow", network: "mainnet", endpoints: [failing] }),
  target({ name: "gone", up: false }),
  target({ name: "new", up: undefined }),
]);
const current = diagnosis(
  [
    problem({ labels: { node: "left" }, summary: "An upgrade left left behind" }),
    problem({ alert: "AvaxNodeDown", labels: { node: "gone" }, summary: "gone does not answer" }),
    problem({
      alert: "AvaxPlatformStalled",
      severity: "warning",
      labels: { network: "fuji" },
      summary: "No P-Chain block on fuji",
    }),
    problem({
      alert: "AvaxEvmWebSocketDown",
      severity: "info",
      labels: { node: "fine" },
      summary: "fine announces no heads",
    }),
  ],
  { claims: { left: true } },
);

test("a node with a critical finding is not healthy; an info finding does not matter", () => {
  const { targets, headline } = viewStatus(fleet, current);
  expect(CONDITIONS.map((each) => [each, targets[each].map(({ target: { name } }) => name)])).toEqual([
    ["down", ["gone"]],
    ["failing", ["slow"]],
    ["troubled", ["left"]],
    ["unknown", ["new"]],
    ["healthy", ["fine"]],
  ]);
  expect(headline).toBe("2 critical problems; 3 of 5 nodes up, 1 unknown, 1 endpoint failing");
  expect(targets.troubled[0]?.problems).toEqual({
    critical: 1,
    warning: 0,
    info: 0,
    pending: 0,
    consequences: 0,
    claim: true,
  });
});

test.each([
  ["", ["gone", "slow", "left", "new", "fine"], 4],
  ["q=left", ["left"], 1],
  ["q=LEFT++nodeid-b", ["left"], 1],
  ["q=left+nodeid-a", [], 0],
  ["q=mainnet", ["slow"], 0],
  ["q=timeout", ["slow"], 0],
  ["q=P-Chain", [], 1],
  ["q=critical", [], 2],
  ["state=down", ["gone"], 1],
  ["state=troubled", ["left"], 1],
  ["state=healthy&q=fuji", ["fine"], 1],
  ["state=healthy&q=mainnet", [], 0],
  ["state=nonsense", ["gone", "slow", "left", "new", "fine"], 4],
])("?%s selects %j and %i problems", (query, names, problems) => {
  const filter = readFilter(new URLSearchParams(query));
  const view = filterView(viewStatus(fleet, current), filter);
  expect(CONDITIONS.flatMap((each) => view.targets[each].map(({ target: { name } }) => name))).toEqual(names);
  expect(filterProblems(current, filter, view)).toHaveLength(problems);
});

const pageOf = (query: string): string =>
  renderStatusPage({ status: fleet, about: ABOUT, diagnosis: current, filter: readFilter(new URLSearchParams(query)) });

test("the form contains the filter, and a filter without a match has a link to remove it", () => {
  const page = pageOf('q="nothing"&state=down');
  expect(page).toContain('name="q" value="&quot;nothing&quot;"');
  expect(page).toContain('<option value="down" selected>down</option>');
  expect(page).toContain('No matches for the filter. <a href="/">Show all</a>');
});

test("problems come first, with meaning, action, evidence and runbook", () => {
  const page = pageOf("");
  expect(page.indexOf("An upgrade left left behind")).toBeLessThan(page.indexOf("Needs attention"));
  expect(page).toContain("<b>What to do:</b> Install the release that knows the upgrade.");
  expect(page).toContain(
    "<code>avax_chain_lag_blocks{chain=&quot;C&quot;,node=&quot;validator-1&quot;} <b>12</b></code>",
  );
  expect(page).toContain('<a href="https://example.org/runbooks/AvaxNodeLeftBehind.md" rel="noreferrer">Runbook</a>');
  expect(page).toContain("Only Prometheus evaluates 2 conditions on past samples.");
  expect(page).toContain('<span class="trouble grave">1 critical, reports itself healthy</span>');
});

const WHY = "The node missed an upgrade and rejects the network's blocks.";
const explained = diagnosis([
  problem({ labels: { node: "left" }, summary: "left is behind" }, [
    consequence({ alert: "AvaxNodeUnhealthy", labels: { node: "left" }, summary: "left reports itself unhealthy" }),
    consequence({ alert: "AvaxDataStale", labels: { node: "left" }, summary: "Data from left are old" }),
    consequence({
      alert: "AvaxNodeBenched",
      labels: { node: "fine" },
      summary: "fine benches <left>",
      why: "A reason.",
    }),
  ]),
  problem({ alert: "AvaxNodeBootstrapping", severity: "none", labels: { node: "new" }, summary: "new starts" }, [
    consequence({ severity: "critical", labels: { node: "new" }, summary: "new lags", why: "It starts." }),
  ]),
]);

test("consequences are counted and folded under their cause, each reason once", () => {
  const page = renderStatusPage({ status: fleet, about: ABOUT, diagnosis: explained });
  expect(page).toContain("<h1>1 critical problem; 3 of 5 nodes up, 1 unknown, 1 endpoint failing</h1>");
  expect(page).toContain("<h2>Problems <small>1 critical, 1 info and 4 consequences</small></h2>");
  expect(page.replaceAll("\n", "")).toContain(
    '<details data-key="follows AvaxNodeLeftBehind"><summary class="plain">and 3 consequences</summary>' +
      `<p class="quiet">${escapeHtml(WHY)}</p>` +
      "<ul><li><bdi>left reports itself unhealthy</bdi></li><li><bdi>Data from left are old</bdi></li></ul>" +
      '<p class="quiet">A reason.</p><ul><li><bdi>fine benches &lt;left&gt;</bdi></li></ul></details>',
  );
  expect(page).toContain('<summary class="plain">and 1 consequence</summary>');
  expect(page).toContain('<span class="badge unknown">state</span> <h3><bdi>new starts</bdi></h3>');
  expect(page).toContain("AvaxNodeBootstrapping is a state that is not sent as an alert");
  expect(page).toContain('<span class="trouble grave">1 critical, 2 consequences</span>');
});

test("a node with consequences alone is not healthy", () => {
  const { targets } = viewStatus(fleet, explained);
  expect(CONDITIONS.map((each) => [each, targets[each].map(({ target: { name } }) => name)])).toEqual([
    ["down", ["gone"]],
    ["failing", ["slow"]],
    ["troubled", ["fine", "left", "new"]],
    ["unknown", []],
    ["healthy", []],
  ]);
});

test.each([
  ["q=benches", ["left is behind"]],
  ["q=fine", ["left is behind"]],
  ["q=lags", ["new starts"]],
  ["q=state", ["new starts"]],
  ["state=down", []],
])("?%s selects the problems %j, which are kept whole", (query, summaries) => {
  const filter = readFilter(new URLSearchParams(query));
  const found = filterProblems(explained, filter, filterView(viewStatus(fleet, explained), filter));
  expect(found.map(({ summary }) => summary)).toEqual(summaries);
  for (const each of found) expect(explained.problems).toContain(each);
});

test("many consequences are listed in part and counted in all", () => {
  const many = Array.from({ length: 60 }, (_, index) => consequence({ summary: `n${index} is stale` }));
  const cause = { ...problem({}, many), consequenceCount: 3_000 };
  const found = {
    ...diagnosis([cause]),
    counts: { critical: 1, warning: 0, info: 0, pending: 0, consequences: 3_000 },
  };
  const page = renderStatusPage({ status: status([]), about: ABOUT, diagnosis: found });
  expect(page.match(/n\d+ is stale/g)).toHaveLength(40);
  expect(page).toContain("and 2,960 more:");
  expect(page).toContain("<small>1 critical and 3,000 consequences</small>");
});

test("without problems the page shows the number of conditions", () => {
  const page = renderStatusPage({ status: status([target()]), about: ABOUT, diagnosis: diagnosis([]) });
  expect(page).toContain("No problems: 48 conditions evaluated.");
});

test("many problems of one kind are counted", () => {
  const many = Array.from({ length: 1_000 }, (_, index) =>
    problem({ labels: { node: `n${index}` }, summary: `n${index} is wrong` }),
  );
  const page = renderStatusPage({ status: status([]), about: ABOUT, diagnosis: diagnosis(many) });
  expect(page.match(/n\d+ is wrong/g)).toHaveLength(8);
  expect(page).toContain("and 992 more:");
});
