import { REASONS, type Reason } from "../../src/api/reasons.ts";
import { code, table } from "../../generate/text/markdown.ts";
import { ELSEWHERE } from "./rows/elsewhere.ts";
import { INBOUND } from "./rows/inbound.ts";
import { GROUPS } from "./rows/groups.ts";
import { accepted, POLLED, type Polled, type Row } from "./support/row.ts";

const GENERATED = "<!-- Generated from test/faults; change that and run `npm run update`. -->";

const INTRODUCTION = `# Faults

What the exporter does when a node, or a client of the exporter, misbehaves. \`npm run test:faults\` causes every fault of these tables at
a recorded node, beside two nodes that are well, and checks each column on \`/metrics\` and \`/api/v1/status\`.

For every fault of a node:

- The process lives, \`/metrics\` is valid, and the other nodes of the exporter stay fresh with the values that they had.
- No defect of the exporter is logged or counted, and one node causes at most a dozen log lines.
- A figure out of its physical range is absent: ratios are from 0 to 1, times from 2015 to 2200, durations and counts at least 0. Labels
  hold no control characters.
- A failed poll changes no series until three intervals have passed without an answer. Then the series of that endpoint are absent. So a
  page in place of the health report leaves \`avax_node_healthy\`, the checks and their times as they were for 45 s by default, and no longer.
- Beyond 8 MiB of answers that are being read one answer of a node is received at a time, beyond 128 MiB one of all nodes. What one node sends
  costs less than 800 MB of memory for the time of the fault, and less than 400 MB 30 s after its end.
- After the end of the fault everything is as before within one interval and two seconds, unless the table shows another time.

"Failed polls" are those of the endpoints with a short interval. The reasons are those of [failure-reasons.md](failure-reasons.md).
"or" is between outcomes that depend on the moment.`;

const UP: Readonly<Record<Row["down"], string>> = {
  "at once": "0 at once",
  "after 30 s": "0 after 30 s",
  no: "1",
  any: "0 or 1",
};

/** The page docs/reference/faults.md. */
export function faultsPage(): string {
  const sections = GROUPS.map(({ title, rows }) =>
    [
      `## ${title}`,
      table(
        ["Fault", "Failed polls", "Reason", "Absent after three intervals", "`avax_node_up`", "Recovery"],
        rows.map(cells),
      ),
    ].join("\n\n"),
  );
  const inbound = [
    "## Clients of the exporter",
    "Meanwhile the nodes are polled on time, and a scrape is answered.",
    table(
      ["Client", "What happens"],
      INBOUND.map(({ client, outcome }) => [client, outcome]),
    ),
  ].join("\n\n");
  const elsewhere = [
    "## One node's word about others, and faults of other things",
    "Each has a test of its own.",
    table(
      ["Fault", "What happens", "Test"],
      ELSEWHERE.map(({ fault, outcome, test: [file] }) => [fault, outcome, code(`test/${file}`)]),
    ),
  ].join("\n\n");
  return `${[GENERATED, INTRODUCTION, ...sections, inbound, elsewhere].join("\n\n")}\n`;
}

function cells(row: Row): readonly string[] {
  return [row.fault, pollsOf(row), reasonsOf(row), absentOf(row), UP[row.down], recoveryOf(row)];
}

/** Endpoints that can fail. */
const failing = (row: Row): readonly Polled[] =>
  POLLED.filter((id) => accepted(row, id).some((outcome) => outcome !== "ok" && outcome !== "waiting"));

function pollsOf(row: Row): string {
  const ids = failing(row);
  const rest = POLLED.filter((id) => !id.startsWith("health"));
  if (ids.length === 0) return "none";
  if (ids.length === POLLED.length) return "all";
  if (ids.length === rest.length && ids.every((id) => rest.includes(id))) return "JSON-RPC";
  if (ids.length === POLLED.length - rest.length && ids.every((id) => !rest.includes(id))) return "health API";
  return ids.map(code).join(", ");
}

function reasonsOf(row: Row): string {
  const found = new Set(failing(row).flatMap((id) => accepted(row, id)));
  const reasons = [...found].filter((each) => each !== "ok").map((each) => (isReason(each) ? code(each) : each));
  return [...reasons, ...(found.has("ok") && reasons.length > 0 ? ["no failure"] : [])].join(" or ");
}

const isReason = (outcome: string): outcome is Reason => Object.hasOwn(REASONS, outcome);

function absentOf(row: Row): string {
  const sure = POLLED.filter((id) => !accepted(row, id).includes("ok"));
  const lost =
    sure.length === 0 ? [] : [sure.length === POLLED.length ? "series of all answers" : "series of these answers"];
  return [...lost, ...(row.absent ?? []).map(code)].join("; ");
}

function recoveryOf({ recovery, seen }: Row): string {
  if (recovery === undefined) return "not tested";
  return seen ?? `${recovery} s`;
}
