import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import type { NodeFacts } from "../../../src/diagnosis/node-facts.ts";
import { NO_HISTORY, observe, type History } from "../../../src/diagnosis/history/history.ts";
import { fileLines, readHistory } from "../../../src/diagnosis/history/lines.ts";
import type { Cause } from "../../../src/diagnosis/history/problems.ts";
import { evaluation, problem, START } from "./evaluations.ts";

const NODES = 1_000;
const DAY = 86_400;
const MB = 1_000_000;
const ALERTS = ["AvaxNodeDown", "AvaxHealthCheckFailing", "AvaxNodeLagging", "AvaxNodePeersFew"];

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function heapOf<T>(make: () => T): { readonly value: T; readonly bytes: number } {
  collect();
  const before = process.memoryUsage().heapUsed;
  const value = make();
  collect();
  return { value, bytes: process.memoryUsage().heapUsed - before };
}

/** Labels and texts of real length, each a string of its own as from a rendered sample. */
function real(node: number, at: number, index: number): Cause {
  const name = Buffer.from(`validator-eu-${node}`).toString();
  const id = Buffer.from(`NodeID-${String(node).padStart(33, "X")}`).toString();
  const labels = {
    node: name,
    network: Buffer.from("mainnet").toString(),
    node_id: id,
    chain: Buffer.from(`C${Math.floor(at / 600) % 2}`).toString(),
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
      { up: true, version: Buffer.from("avalanchego/1.14.2").toString(), nodeId: `NodeID-${node}`, ready: true },
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
    history = observe(history, evaluation({ at, causes, nodes, summary: summary(at) })).history;
  }
  return history;
}

it.each([
  ["a day of 1,000 nodes with three problems each", 3_024],
  ["a hostile day, with 144 problems of each node", 144_000],
])("%s needs less than 5 MB of memory and of disk", (_what, problems) => {
  const { value: history, bytes } = heapOf(() => dayWith(problems));
  const text = fileLines(history).join("");
  const entries = history.entries.length;
  expect(bytes / entries).toBeLessThan(600);
  expect(text.length / entries).toBeLessThan(400);
  expect(bytes).toBeLessThan(5 * MB);
  expect(text.length).toBeLessThan(2.5 * MB);
  expect(history.cut).toBe(problems > 100_000);
  const { value: read, bytes: again } = heapOf(() => readHistory(text, START + DAY));
  expect("history" in read ? read.history.entries.length : read.unusable).toBe(entries);
  expect(again).toBeLessThan(5 * MB);
});
