import { expect, test } from "vitest";
import { filterProblems, filterView, readFilter } from "../../../src/http/status-page/status-filter.ts";
import { renderStatusPage } from "../../../src/http/status-page/render-status-page.ts";
import { viewStatus } from "../../../src/http/status-page/status-view.ts";
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
  const { nodes } = viewStatus(fleet, current);
  expect(nodes.map(({ condition, target: { name } }) => [condition, name])).toEqual([
    ["down", "gone"],
    ["troubled", "left"],
    ["failing", "slow"],
    ["unknown", "new"],
    ["healthy", "fine"],
  ]);
  expect(nodes[1]?.problems).toMatchObject({ critical: 1, warning: 0, pending: 0, consequences: 0, claim: true });
});

test.each([
  ["", ["gone", "left", "slow", "new", "fine"], 4],
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
  ["state=nonsense", ["gone", "left", "slow", "new", "fine"], 4],
])("?%s selects %j and %i problems", (query, names, problems) => {
  const filter = readFilter(new URLSearchParams(query));
  const view = filterView(viewStatus(fleet, current), filter);
  expect(view.nodes.map(({ target: { name } }) => name)).toEqual(names);
  expect(filterProblems(current, filter, view)).toHaveLength(problems);
});

test("the form contains the filter, and a filter without a match has a link to remove it", () => {
  const filter = readFilter(new URLSearchParams('q="nothing"&state=down'));
  const page = renderStatusPage({ status: fleet, about: ABOUT, diagnosis: current, filter });
  expect(page).toContain('name="q" value="&quot;nothing&quot;"');
  expect(page).toContain('<option value="down" selected>down</option>');
  expect(page).toContain('No matches for the filter. <a href="/">Show all</a>');
});

const explained = diagnosis([
  problem({ labels: { node: "left" }, summary: "left is behind" }, [
    consequence({ alert: "AvaxNodeUnhealthy", labels: { node: "left" }, summary: "left reports itself unhealthy" }),
    consequence({ alert: "AvaxNodeBenched", labels: { node: "fine" }, summary: "fine benches <left>" }),
  ]),
  problem({ alert: "AvaxNodeBootstrapping", severity: "none", labels: { node: "new" }, summary: "new starts" }, [
    consequence({ severity: "critical", labels: { node: "new" }, summary: "new lags" }),
  ]),
]);

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
