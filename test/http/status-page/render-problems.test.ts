import { describe, expect, test } from "vitest";
import type { Diagnosis } from "../../../src/diagnosis/finding.ts";
import { escapeHtml } from "../../../src/http/pages/html.ts";
import { renderProblems } from "../../../src/http/status-page/render-problems.ts";
import { viewStatus } from "../../../src/http/status-page/status-view.ts";
import { renderStatusPage } from "../../../src/http/status-page/render-status-page.ts";
import { ABOUT, consequence, diagnosis, NOW, problem, status, target } from "../fixtures.ts";

const rendered = (found: Diagnosis): string =>
  renderProblems(found.problems, { diagnosis: found, filtered: false, about: ABOUT }).markup.replace(/\n\s*/g, "\n");
const plain = (markup: string): string =>
  markup
    .replace(/<[^>]*>(?!,)/g, " ")
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ")
    .trim();
const summaries = (markup: string): readonly string[] =>
  [...markup.matchAll(/<summary>([^]*?)<\/summary>/g)].map(([, text = ""]) => plain(text));

describe("an entry", () => {
  test("has severity, summary, consequences and duration in one line; all else is folded", () => {
    const found = diagnosis([
      problem({ since: NOW - 750 }, [
        consequence({ alert: "AvaxNodeUnhealthy", summary: "validator-1 is unhealthy" }),
        consequence({ alert: "AvaxNodeBenched", summary: "fine benches <left>", why: "A reason." }),
      ]),
    ]);
    const page = rendered(found);
    expect(summaries(page)).toEqual([
      "critical An upgrade left validator-1 behind, by 12 blocks so far 2 consequences 12 min",
    ]);
    expect(page).toContain(
      '<details class="problem critical firing" data-key="problem AvaxNodeLeftBehind validator-1">',
    );
    expect(page).toContain('<time datetime="2026-05-28T20:14:10Z" title="2026-05-28 20:14:10 UTC">12 min</time>');
    expect(page).toContain("<b>What to do:</b> Install the release that knows the upgrade.");
    expect(page).toContain(
      '<a href="/runbooks/AvaxNodeLeftBehind?node=validator-1">Runbook</a>   <span>AvaxNodeLeftBehind fires after 2 min</span>',
    );
    expect(page).toContain(
      "<code>avax_chain_lag_blocks{chain=&quot;C&quot;,node=&quot;validator-1&quot;} <b>12</b></code>",
    );
    expect(page).toContain(
      `<p class="quiet">${escapeHtml("The node missed an upgrade and rejects the network's blocks.")}</p>\n` +
        "<ul><li><bdi>validator-1 is unhealthy</bdi></li></ul>" +
        '<p class="quiet">A reason.</p>\n<ul><li><bdi>fine benches &lt;left&gt;</bdi></li></ul>',
    );
    expect(page).toContain(
      "Only Prometheus judges 2 conditions, which need the past.</summary>AvaxNodeReplaced, AvaxExporterDefect</details>",
    );
  });

  test.each([
    [{ state: "firing" }, ""],
    [{ state: "firing", since: NOW - 5 }, "5 s"],
    [{ state: "firing", since: NOW - 7_500 }, "2 h 5 min"],
    [{ state: "pending", since: NOW - 60, for: "5m" }, "pending, fires in 4 min"],
    [{ state: "pending", since: NOW - 290, for: "5m" }, "pending, fires in 10 s"],
    [{ state: "pending", since: NOW - 400, for: "5m" }, "pending, fires in 0 s"],
  ] as const)("of %j ends in %j", (over, words) => {
    const [line = ""] = summaries(rendered(diagnosis([problem({ summary: "It fails", ...over })])));
    expect(line).toBe(`critical It fails ${words}`.trim());
  });

  test("names the node where the summary has its ID alone, which is shortened on small screens", () => {
    const id = "NodeID-FMY8wTVhYkAhCQwzMtd6ZsyhMtMbNwMcn";
    const page = rendered(diagnosis([problem({ labels: { node_id: id }, node: "sim-7", summary: `${id} is late` })]));
    expect(summaries(page)).toEqual([`critical sim-7 ${id} is late`]);
    expect(page).toContain(`<span class="id" title="${id}">${id}</span>`);
  });

  test("of a state shows that it is not sent", () => {
    const page = rendered(
      diagnosis([problem({ alert: "AvaxNodeBootstrapping", severity: "none", summary: "new starts" })]),
    );
    expect(summaries(page)).toEqual(["state new starts"]);
    expect(page).toContain("AvaxNodeBootstrapping is a state that is not sent as an alert");
  });
});

describe("pending problems", () => {
  const found = diagnosis([
    problem({ alert: "AvaxA", severity: "warning", summary: "a fails" }),
    problem({ alert: "AvaxB", state: "pending", since: NOW, summary: "b fails" }, [consequence()]),
  ]);

  test("come after the others under a title of their own", () => {
    const page = rendered(found);
    expect(page).toContain("Problems <small>1 warning</small>");
    expect(plain(page)).toMatch(/a fails.*Pending not due yet: 1 critical; 1 consequence critical b fails/);
    expect(page).toContain('class="problem critical pending" data-key="problem AvaxB validator-1 pending"');
  });

  test.each([
    ["critical", "troubled"],
    ["warning", "troubled"],
    ["info", "healthy"],
  ] as const)("of severity %s leave a node %s", (severity, condition) => {
    const [only] = viewStatus(status([target()]), diagnosis([problem({ severity, state: "pending" })])).nodes;
    expect(only).toMatchObject({ condition, problems: { critical: 0, pending: 1 } });
  });
});

test("problems of one alert are an entry a node up to three nodes, otherwise one entry", () => {
  const of = (nodes: number): Diagnosis =>
    diagnosis(
      Array.from({ length: nodes }, (_, index) => [
        problem({ labels: { node: `n${index}`, chain: "C" }, summary: `n${index} lags on C` }),
        problem({ labels: { node: `n${index}`, chain: "P" }, summary: `n${index} lags on P` }),
      ]).flat(),
    );
  expect(summaries(rendered(of(3)))).toEqual([
    "critical n0 lags on C, P",
    "critical n1 lags on C, P",
    "critical n2 lags on C, P",
  ]);
  const many = rendered(of(500));
  expect(summaries(many)).toEqual(["critical n0 lags on C and 999 like it"]);
  expect(many).toContain('data-key="problem AvaxNodeLeftBehind"');
  expect(many).toContain("and 992 more:");
});

test("many consequences are listed in part and counted in all", () => {
  const many = Array.from({ length: 60 }, (_, index) => consequence({ summary: `n${index} is stale` }));
  const cause = { ...problem({}, many), consequenceCount: 3_000 };
  const page = rendered({ ...diagnosis([cause]), problems: [cause] });
  expect(page.match(/n\d+ is stale/g)).toHaveLength(40);
  expect(page).toContain("and 2,960 more:");
  expect(page).toContain("3,000 consequences");
});

test("many alerts are listed in part and counted", () => {
  const many = Array.from({ length: 75 }, (_, index) => problem({ alert: `AvaxA${index}` }));
  const page = rendered(diagnosis(many));
  expect(summaries(page)).toHaveLength(60);
  expect(page).toContain("15 problems more:");
});

test("without problems the page shows the number of conditions", () => {
  expect(rendered(diagnosis([]))).toContain("No problems: 48 conditions judged.");
});

test("a validator's trouble is counted and listed at its node", () => {
  const found = diagnosis([
    problem({ labels: { node_id: "NodeID-A" }, node: "validator-1", severity: "warning", summary: "its stake ends" }, [
      consequence({ labels: { node: "validator-1" }, summary: "a consequence" }),
    ]),
    problem({ state: "pending", summary: "it will lag" }),
  ]);
  const page = renderStatusPage({ status: status([target()]), about: ABOUT, diagnosis: found });
  const at = page.slice(page.indexOf('data-key="node validator-1"'));
  expect(summaries(at)[0]).toBe("Up validator-1 1 critical pending, 1 warning, 1 consequence");
  expect(plain(at)).toContain(
    "warning its stake ends critical it will lag (pending) critical a consequence (consequence)",
  );
});
