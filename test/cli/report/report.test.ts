import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { execute } from "../../../src/cli/execute.ts";
import { startOldPrometheus, type OldPrometheus, type OldSeries } from "../../e2e/support/old-prometheus.ts";
import { folder } from "../../e2e/support/harness.ts";
import { writtenSystem } from "../../support/written-system.ts";
import { rulesFile } from "../../../generate/rules/rules.ts";

/** Two weeks up to Monday, 12 January 2026. The second is that of the report. */
const END = Date.parse("2026-01-12T00:00:00Z") / 1000;
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const START = END - 7 * DAY;
const BEGIN = START - 7 * DAY;
const SCRAPE = 'instance="e:9750",job="avax"';

type Value = (at: number) => number | undefined;

/** A sample every minute, where there is a value. */
function every(name: string, value: Value, from = BEGIN, until = END): OldSeries {
  const samples: Array<readonly [number, number]> = [];
  for (let at = from; at <= until; at += MINUTE) {
    const here = value(at);
    if (here !== undefined) samples.push([at, here]);
  }
  return [name, samples];
}

/** Samples of the last two hours before both ends: states are read there alone. */
function state(name: string, last: number, first = last): OldSeries {
  return [
    name,
    [
      [START - MINUTE, first],
      [END - MINUTE, last],
    ],
  ];
}

const during = (at: number, from: number, until: number): boolean => at >= from && at < until;

/** The exporter wrote nothing for two hours on Thursday; beta was down for three hours on Tuesday. */
const GAP = [START + 3 * DAY, START + 3 * DAY + 2 * HOUR] as const;
const OUTAGE = [START + DAY + 6 * HOUR, START + DAY + 9 * HOUR] as const;
const EARLIER = [BEGIN + DAY, BEGIN + DAY + 30 * MINUTE] as const;
const unlessGap =
  (value: Value): Value =>
  (at) =>
    during(at, ...GAP) ? undefined : value(at);

const validator = (name: string, id: string, last: number, first?: number): OldSeries =>
  state(`${name}{network="fuji",subnet="primary",node_id="${id}",${SCRAPE}}`, last, first);

function alert(name: string, severity: string, labels: string, from: number, until: number, patience: number) {
  const all = `alertname="${name}",severity="${severity}",${labels}`;
  return [
    every(`ALERTS{alertstate="firing",${all}}`, () => 1, from + patience, until - MINUTE),
    every(`ALERTS_FOR_STATE{${all}}`, () => from, from, until - MINUTE),
  ];
}
const BETA = `node="beta",network="fuji",node_id="NodeID-B",${SCRAPE}`;

const SERIES: readonly OldSeries[] = [
  every(
    `avax_node_up{node="alpha",network="fuji",${SCRAPE}}`,
    unlessGap(() => 1),
  ),
  every(
    `avax_node_up{node="beta",network="fuji",${SCRAPE}}`,
    unlessGap((at) => (during(at, ...OUTAGE) || during(at, ...EARLIER) ? 0 : 1)),
  ),
  ...["alpha", "beta"].map((node) =>
    every(
      `avax_node_configured{node="${node}",network="fuji",node_id="NodeID-${node.slice(0, 1).toUpperCase()}",${SCRAPE}}`,
      () => 1,
      END - HOUR,
    ),
  ),
  every(
    `avax_node_info{node="alpha",network="fuji",node_id="NodeID-A",version="avalanchego/1.14.2",${SCRAPE}}`,
    () => 1,
    START,
  ),
  every(
    `avax_node_info{node="beta",network="fuji",node_id="NodeID-B",version="avalanchego/1.14.1",${SCRAPE}}`,
    () => 1,
    START,
    OUTAGE[0],
  ),
  every(
    `avax_node_info{node="beta",network="fuji",node_id="NodeID-B",version="avalanchego/1.14.2",${SCRAPE}}`,
    () => 1,
    OUTAGE[1],
  ),
  ...["A", "B", "C"].flatMap((each) => [
    state(
      `avax_validator_info{network="fuji",node_id="NodeID-${each}",name="${{ A: "alpha", B: "beta", C: "c<1>" }[each] ?? ""}",node="",${SCRAPE}}`,
      1,
    ),
    validator("avax_validator_in_set", `NodeID-${each}`, 1),
    validator("avax_validator_uptime_requirement_ratio", `NodeID-${each}`, 0.8),
    validator("avax_validator_downtime_budget_seconds", `NodeID-${each}`, 20 * DAY),
    validator("avax_validator_stake_start_timestamp_seconds", `NodeID-${each}`, END - 80 * DAY),
  ]),
  validator("avax_validator_uptime_margin", "NodeID-A", 0.1999),
  validator("avax_validator_uptime_margin", "NodeID-B", 0.0123),
  validator("avax_validator_downtime_left_seconds", "NodeID-A", 19 * DAY, 19 * DAY + 60),
  validator("avax_validator_downtime_left_seconds", "NodeID-B", 20 * HOUR, 23 * HOUR),
  validator("avax_validator_downtime_scarce_seconds", "NodeID-B", 20 * HOUR, 23 * HOUR),
  validator("avax_validator_downtime_left_seconds", "NodeID-C", -4 * HOUR, 2 * HOUR),
  ...(["1-3d", "14-30d", "over 90d"] as const).map((remaining, index) =>
    state(
      `avax_node_delegations_ending_avax{node="alpha",network="fuji",remaining="${remaining}",${SCRAPE}}`,
      [500, 125, 75][index] ?? 0,
    ),
  ),
  ...["alpha", "beta"].map((node) =>
    state(`avax_node_delegations_unrewarded_avax{node="${node}",network="fuji",${SCRAPE}}`, node === "beta" ? 75 : 0),
  ),
  validator("avax_validator_potential_reward_avax", "NodeID-A", 1234.5),
  validator("avax_validator_potential_reward_avax", "NodeID-B", 2.25),
  validator("avax_validator_stake_end_timestamp_seconds", "NodeID-A", END + 60 * DAY),
  validator("avax_validator_stake_end_timestamp_seconds", "NodeID-B", END + 6 * DAY + 12 * HOUR),
  validator("avax_validator_stake_end_timestamp_seconds", "NodeID-C", END + 20 * DAY),
  validator("avax_validator_next_period_seconds", "NodeID-C", 14 * DAY),
  ...alert("AvaxNodeDown", "critical", BETA, OUTAGE[0], OUTAGE[1], 10 * MINUTE),
  ...alert("AvaxNodeDown", "critical", BETA, EARLIER[0], EARLIER[1], 10 * MINUTE),
  // It follows from the node that is down.
  ...alert("AvaxEndpointFailing", "warning", `api_endpoint="info.peers",${BETA}`, OUTAGE[0], OUTAGE[1], 15 * MINUTE),
  ...alert(
    "AvaxNodeOutdated",
    "warning",
    `node="alpha",network="fuji",node_id="NodeID-A",${SCRAPE}`,
    START + 5 * DAY,
    END,
    HOUR,
  ),
  ...alert("AvaxEvmWebSocketDown", "info", BETA, START + 5 * DAY, START + 5 * DAY + HOUR, 0),
];

let prometheus: OldPrometheus;
beforeAll(async () => {
  prometheus = await startOldPrometheus(SERIES, rulesFile());
}, 60_000);
afterAll(() => prometheus.stop());

async function run(...flags: readonly string[]) {
  const { system, written } = writtenSystem();
  const code = await execute(["report", `--prometheus=${prometheus.url}`, "--until=2026-01-12", ...flags], system);
  return { code, ...written };
}

it("shows a week with an outage, a gap and what is due, as text of 80 columns", { timeout: 30_000 }, async () => {
  const { code, out, err } = await run();
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toBe(WEEK);
  expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
});

it("shows 30 days, of which most have no data", { timeout: 30_000 }, async () => {
  const { code, out } = await run("--since=30d");
  expect(code).toBe(0);
  expect(out).toContain("Avalanche report: 30 d to 2026-01-12 00:00 UTC\n");
  expect(out).toMatch(/^alpha +fuji +100 % +0 min +16 d 2 h +1.14.2$/m);
  expect(out).toMatch(/^beta +fuji +98.94 % +3 h 32 min +16 d 2 h +1.14.2$/m);
  expect(out).toMatch(/^No data, all nodes together +32 d 4 h +unknown$/m);
  expect(out).toMatch(/^Pages +2 +unknown$/m);
});

it("shows the series of a selector alone", { timeout: 30_000 }, async () => {
  const { out } = await run('--selector={job="avax",node!="alpha"}');
  expect(out).toContain("1 node, 3 validators\n");
  expect(out).not.toMatch(/^alpha .*100 %/m);
  expect(out).toMatch(/NodeDown$/m);
  expect(await run('--selector=job="other"')).toEqual({
    code: 1,
    out: "",
    err: "avax-exporter report: this Prometheus has no series of the exporter in this period: check its scrape job, --since and --selector\n",
  });
});

it("writes a page without scripts, in which every name is escaped", { timeout: 30_000 }, async () => {
  const file = join(await folder(), "report.html");
  expect(await run("--format=html", `--output=${file}`)).toEqual({ code: 0, out: "", err: "" });
  const page = await readFile(file, "utf8");
  expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(page).toContain('data-title="Validator">c&lt;1&gt;</td><td class="left bad" data-title="Reward">lost</td>');
  expect(page).toContain('data-title="Alert">AvaxNodeDown</td>');
  expect(page).not.toMatch(/<script|c<1>|src=|href=/);
  expect(page.match(/<h2>/g)).toHaveLength(5);
});

it("reports a file that cannot be written", { timeout: 30_000 }, async () => {
  expect(await run("--output=/nowhere/report.txt")).toEqual({
    code: 1,
    out: "",
    err: 'avax-exporter report: cannot write "/nowhere/report.txt": no such file\n',
  });
});

const WEEK = `Avalanche report: 7 d to 2026-01-12 00:00 UTC
From 2026-01-05 00:00 UTC, with data for 6 d 22 h of 7 d. "Before" is a period
of the same length before it.

2 nodes, 3 validators
---------------------
                                         This period   Before
Nodes answered, of the known time            99.09 %  99.85 %
No data, all nodes together               3 h 58 min    0 min
Pages                                              1        1
Tickets                                            1        0
Rewards: safe                      1 (1,234.50 AVAX)
Rewards: at risk                       1 (2.25 AVAX)
Rewards: lost                                      1
Delegations that end in 7, 30, 90 days: 500.00 AVAX, 625.00 AVAX, 625.00 AVAX.
Delegations of 75.00 AVAX end unrewarded: the uptime recovers too late.

Nodes, least available first
----------------------------
Node   Network  Answered   Down     No data  Version
beta   fuji      98.19 %    3 h  1 h 59 min  1.14.2
alpha  fuji        100 %  0 min  1 h 59 min  1.14.2
Answered: share of the known time; time without data counts neither as up nor as
down.

Pages
-----
Began        Ended        Lasted  About  Alert
01-06 06:00  01-06 09:00     3 h  beta   AvaxNodeDown

Tickets
-------
Began        Ended   Lasted  About  Alert
01-10 00:00  firing     2 d  alpha  AvaxNodeOutdated

Validators, least downtime left first
-------------------------------------
Validator  Reward          Amount   Uptime   Used  Left of budget
c<1>       lost           unknown  unknown    6 h     lost by 4 h
beta       at risk      2.25 AVAX  81.23 %    3 h    20 h of 20 d
alpha      safe     1,234.50 AVAX  99.99 %  1 min    19 d of 20 d
Uptime: since the stake began, as the network observes it, to half a point.
Used: time of this period in which other validators did not see the node, also
while it answered and was not down.
Stakes that end within four weeks: beta on 2026-01-18 12:00, c<1> on 2026-02-01
00:00, then staked again.
`;
