import { afterAll, beforeAll, expect, it } from "vitest";
import { execute } from "../../src/cli/execute.ts";
import { startOldPrometheus, type OldPrometheus, type OldSeries } from "../e2e/support/old-prometheus.ts";
import { writtenSystem } from "../support/written-system.ts";
import { rulesFile } from "../../src/generate/rules.ts";

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
const observed = (name: string, node: string, id: string, last: number, first?: number): OldSeries =>
  state(`${name}{node="${node}",network="fuji",subnet="primary",node_id="${id}",${SCRAPE}}`, last, first);

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
  state(`avax_node_upgrade_ready{node="alpha",network="fuji",${SCRAPE}}`, 1),
  state(`avax_node_upgrade_ready{node="beta",network="fuji",${SCRAPE}}`, 0),
  state(`avax_network_upgrade_timestamp_seconds{network="fuji",${SCRAPE}}`, END + 5 * DAY),
  state(`avax_network_upgrade_ready_stake_ratio{network="fuji",${SCRAPE}}`, 0.83),
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
  ...["alpha", "beta"].flatMap((node) => [
    observed("avax_validator_uptime_margin", node, "NodeID-A", 0.1999),
    observed("avax_validator_uptime_margin", node, "NodeID-B", 0.0123),
    observed("avax_validator_downtime_budget_remaining_seconds", node, "NodeID-A", 19 * DAY, 19 * DAY + 60),
    observed("avax_validator_downtime_budget_remaining_seconds", node, "NodeID-B", 20 * HOUR, 23 * HOUR),
    observed("avax_validator_downtime_budget_remaining_seconds", node, "NodeID-C", -4 * HOUR, 2 * HOUR),
  ]),
  validator("avax_validator_potential_reward_avax", "NodeID-A", 1234.5),
  validator("avax_validator_potential_reward_avax", "NodeID-B", 2.25),
  validator("avax_validator_stake_end_timestamp_seconds", "NodeID-A", END + 60 * DAY),
  validator("avax_validator_stake_end_timestamp_seconds", "NodeID-B", END + 6 * DAY + 12 * HOUR),
  validator("avax_validator_stake_end_timestamp_seconds", "NodeID-C", END + 20 * DAY),
  validator("avax_validator_next_period_seconds", "NodeID-C", 14 * DAY),
  state(
    `avax_l1_validator_balance_avax{network="fuji",subnet="S",node_id="NodeID-A",validation_id="V1",${SCRAPE}}`,
    1.5,
  ),
  state(`avax_l1_validator_balance_avax{network="fuji",subnet="S",node_id="NodeID-Z",validation_id="V2",${SCRAPE}}`, 0),
  state(
    `avax_l1_validator_runway_seconds{network="fuji",subnet="S",node_id="NodeID-A",validation_id="V1",${SCRAPE}}`,
    31 * DAY,
  ),
  state(
    `avax_l1_validator_runway_seconds{network="fuji",subnet="S",node_id="NodeID-Z",validation_id="V2",${SCRAPE}}`,
    0,
  ),
  state(`avax_subnet_info{network="fuji",subnet="S",name="game",${SCRAPE}}`, 1),
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

it("prints", { timeout: 30_000 }, async () => {
  const { code, out, err } = await run();
  console.log(code, err);
  console.log(out);
  expect(code).toBe(0);
});
