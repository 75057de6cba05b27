import { expect, it } from "vitest";
import type { NodeFacts } from "../../../src/diagnosis/node-facts.ts";
import { NO_HISTORY, observe, type History } from "../../../src/diagnosis/history/history.ts";
import { historyText, readHistory } from "../../../src/diagnosis/history/lines.ts";
import type { Cause } from "../../../src/diagnosis/history/problems.ts";
import { evaluation, problem, START } from "./evaluations.ts";

const NODES = 1_000;
const DAY = 86_400;
const ALERTS = ["AvaxNodeDown", "AvaxHealthCheckFailing", "AvaxNodeLagging", "AvaxNodePeersFew"];

/** Labels of real length. */
function real(node: number, at: number, index: number): Cause {
  const name = `validator-eu-${node}`;
  const id = `NodeID-${String(node).padStart(33, "X")}`;
  const labels = {
    node: name,
    network: "mainnet",
    node_id: id,
    chain: `C${Math.floor(at / 600) % 2}`,
  };
  return problem(name, { labels, alert: ALERTS[index % ALERTS.length] ?? "", severity: "warning", since: START + at });
}

/** Every second text has letters of two bytes each. */
const summary = (at: number): string =>
  Buffer.from(
    `validator-eu-17 has been behind its network for ${at} seconds on chain C${at % 1_200 === 0 ? "" : " Ω"}`,
  ).toString();

function facts(): Readonly<Record<string, NodeFacts>> {
  return Object.fromEntries(
    Array.from({ length: NODES }, (_, node) => [
      `validator-eu-${node}`,
      { up: true, version: "avalanchego/1.14.2", nodeId: `NodeID-${node}`, ready: true },
    ]),
  );
}

/** A day with this number of problems, each open for one evaluation of ten minutes. */
function dayWith(problems: number): History {
  const rounds = DAY / 600;
  const each = problems / rounds;
  const nodes = facts();
  let history = NO_HISTORY;
  for (let round = 0; round < rounds; round += 1) {
    const at = round * 600;
    const causes = Array.from({ length: each }, (_, index) => real((round * each + index) % NODES, at, index));
    history = observe(history, evaluation({ at, causes, nodes, summary: summary(at) }));
  }
  return history;
}

it.each([
  ["a day of 1,000 nodes with three problems each", 3_024],
  ["a hostile day, with 144 problems of each node", 144_000],
])("%s needs less than 2.5 MB of disk, and is read again whole", (_what, problems) => {
  const history = dayWith(problems);
  const text = historyText(history);
  expect(text.length / history.entries.length).toBeLessThan(400);
  expect(text.length).toBeLessThan(2_500_000);
  expect(history.cut).toBe(problems > 100_000);
  const read = readHistory(text, START + DAY);
  expect("content" in read ? read.content.entries.length : read.unusable).toBe(history.entries.length);
});
