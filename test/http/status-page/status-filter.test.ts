import { expect, test } from "vitest";
import { filterFindings, filterView, readFilter } from "../../../src/http/status-page/status-filter.ts";
import { renderStatusPage } from "../../../src/http/status-page/status-page.ts";
import { CONDITIONS, viewStatus } from "../../../src/http/status-page/status-view.ts";
import { ABOUT, diagnosis, endpoint, finding, status, target } from "../fixtures.ts";

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
    finding({ labels: { node: "left" }, summary: "An upgrade left left behind" }),
    finding({ alert: "AvaxNodeDown", labels: { node: "gone" }, summary: "gone does not answer" }),
    finding({
      alert: "AvaxPlatformStalled",
      severity: "warning",
      labels: { network: "fuji" },
      summary: "No P-Chain block on fuji",
    }),
    finding({
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
  expect(targets.troubled[0]?.problems).toEqual({ critical: 1, warning: 0, claim: true });
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
  expect(filterFindings(current, filter, view)).toHaveLength(problems);
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

test("without problems the page shows the number of conditions", () => {
  const page = renderStatusPage({ status: status([target()]), about: ABOUT, diagnosis: diagnosis([]) });
  expect(page).toContain("No problems: 48 conditions evaluated.");
});

test("many problems of one kind are counted", () => {
  const many = Array.from({ length: 1_000 }, (_, index) =>
    finding({ labels: { node: `n${index}` }, summary: `n${index} is wrong` }),
  );
  const page = renderStatusPage({ status: status([]), about: ABOUT, diagnosis: diagnosis(many) });
  expect(page.match(/n\d+ is wrong/g)).toHaveLength(8);
  expect(page).toContain("and 992 more:");
});
