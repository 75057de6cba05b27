import type { Exchange } from "../support/fault-server.ts";
import {
  checks,
  everyLeaf,
  everyNumber,
  everyText,
  isReport,
  message,
  report,
  result,
  when,
} from "../support/replies.ts";
import { all, harmless, only, partly, type Expected, type Fails, type Group, type Row } from "../support/row.ts";

/** A value of the wrong kind everywhere: whatever reads it fails or has no series, and nothing false is shown. */
const everywhere = (
  id: string,
  fault: string,
  behave: Row["behave"],
  fails: Fails = all(["schema", "ok", "rpc_error"]),
): Row => partly(id, fault, behave, fails, { changes: ["avax_"] });

/** A field out of its range: its series is absent, the rest of the answer counts. */
const field = (id: string, fault: string, behave: Row["behave"], absent: readonly string[], fails: Fails = {}): Row =>
  partly(id, fault, behave, fails, { absent });

const SCHEMA_OR_ABSENT: Expected = ["schema", "ok"];
const HEALTH_MAY_FAIL = only(["health"], SCHEMA_OR_ABSENT);
const VALIDATORS_MAY_FAIL = only(
  ["platform.getCurrentValidators", "platform.getCurrentValidators.watched"],
  SCHEMA_OR_ABSENT,
);

/** The same text as a field of every validator. */
const ofValidators = (name: string, value: string) => () =>
  result("platform.getCurrentValidators", (found) =>
    found.replaceAll(new RegExp(`"${name}":"[^"]*"`, "g"), `"${name}":"${value}"`),
  );
const isTime = (text: string): boolean => /^\d{4}-/.test(text);
/** The same text as every time. */
const everyTime = (made: string) => () => everyText(() => made, isTime);
/** The same text as every decimal number. */
const everyDecimal = (made: string) => () =>
  everyLeaf((leaf) => (typeof leaf === "number" || /^\d+(\.\d+)?$/.test(String(leaf)) ? made : leaf));

const chain = (change: (found: { engine: { consensus: object }; networking: object }) => unknown) =>
  message("C", change as never);
const consensus = (fields: object) => () =>
  chain((found) => ({ ...found, engine: { consensus: { ...found.engine.consensus, ...fields } } }));
const networking = (fields: object) => () =>
  chain((found) => ({ ...found, networking: { ...found.networking, ...fields } }));
const check = (fields: object) => () => checks((found) => ({ ...found, C: { ...found["C"], ...fields } }));
const of = (name: string, fields: object) => () => message(name, (found) => ({ ...(found as object), ...fields }));

const C = '{chain="C"}';

const unhealthy = ({ reply, response }: Exchange): void => {
  const found = JSON.parse(reply.body) as object;
  response.writeHead(503, { "content-type": "application/json" }).end(JSON.stringify({ ...found, healthy: false }));
};

const rows: readonly Row[] = [
  everywhere("numbers-as-strings", "Numbers as strings", () =>
    everyLeaf((leaf) => (typeof leaf === "number" ? String(leaf) : leaf)),
  ),
  everywhere(
    "strings-as-numbers",
    "Numeric strings as numbers",
    () => everyText(Number, (leaf) => /^\d{1,15}(\.\d+)?$/.test(leaf)),
    {},
  ),
  everywhere("null-everywhere", "null instead of every value", () => everyLeaf(() => null)),
  everywhere("true-everywhere", "true instead of every value", () => everyLeaf(() => true)),
  everywhere("empty-everywhere", "An empty text instead of every text", () => everyText(() => "")),
  everywhere("lists-everywhere", "A list around every value", () => everyLeaf((leaf) => [leaf])),
  everywhere("objects-everywhere", "An object around every value", () => everyLeaf((leaf) => ({ value: leaf }))),
  everywhere("zero", "0 as every number", () => everyNumber("0", "0x0")),
  everywhere("minus-one", "-1 as every number", () => everyNumber("-1", "-0x1")),
  everywhere("2-to-53", "2^53 as every number", () => everyNumber("9007199254740993", "0x20000000000001")),
  everywhere("2-to-64", "2^64 - 1 as every number", () => everyNumber("18446744073709551615", "0xffffffffffffffff")),
  everywhere("2-to-256", "2^256 - 1 as every quantity", () =>
    everyNumber(
      "115792089237316195423570985008687907853269984665640564039457584007913129639935",
      `0x${"f".repeat(64)}`,
    ),
  ),
  everywhere("1e308", "1e308 as every number", () => everyNumber("1e308", "0x1e308")),
  everywhere("nan-texts", "NaN as every number", everyDecimal("NaN")),
  everywhere("infinity-texts", "Infinity as every number", everyDecimal("-Infinity")),
  everywhere("fractions", "0.5 as every number", () => everyNumber("0.5", "0x0.5")),
  everywhere("year-1", "The year 1 as every time", everyTime("0001-01-01T00:00:00Z")),
  everywhere("year-9999", "The year 9999 as every time", everyTime("9999-12-31T23:59:59Z")),
  everywhere("year-30000", "The year 30000 as every time", everyTime("30000-01-01T00:00:00Z")),
  everywhere("no-times", "Texts that are not times", everyTime("yesterday")),
  field(
    "connected-minus-one",
    "A share of connected stake of -1",
    networking({ percentConnected: -1 }),
    [`avax_chain_connected_stake_ratio${C}`],
    HEALTH_MAY_FAIL,
  ),
  field(
    "connected-fifty",
    "A share of connected stake of 50",
    networking({ percentConnected: 50 }),
    [`avax_chain_connected_stake_ratio${C}`],
    HEALTH_MAY_FAIL,
  ),
  field(
    "acceptance-negative",
    "A negative acceptance time",
    consensus({ avgAcceptanceTime: "-5s" }),
    [`avax_chain_acceptance_time_seconds${C}`],
    HEALTH_MAY_FAIL,
  ),
  field(
    "processing-negative",
    "A negative processing time",
    consensus({ longestProcessingBlock: "-1h" }),
    [`avax_chain_longest_processing_block_seconds${C}`],
    HEALTH_MAY_FAIL,
  ),
  field(
    "disk-negative",
    "A free share of the disk of -50 %",
    of("diskspace", { availableDiskPercentage: -50 }),
    ["avax_node_disk_available_ratio"],
    HEALTH_MAY_FAIL,
  ),
  field(
    "disk-huge",
    "A free share of the disk of 1.8e19 %",
    of("diskspace", { availableDiskPercentage: 1.8e19 }),
    ["avax_node_disk_available_ratio"],
    HEALTH_MAY_FAIL,
  ),
  field(
    "send-failures",
    "A share of failed messages of -1e306",
    of("network", { sendFailRate: -1e306 }),
    ["avax_node_send_failure_ratio"],
    HEALTH_MAY_FAIL,
  ),
  field(
    "uptime-900",
    "An uptime of 900 %",
    () => result("info.uptime", () => '{"rewardingStakePercentage":"900","weightedAveragePercentage":"-1"}'),
    ["avax_node_uptime_rewarding_stake_ratio", "avax_node_uptime_weighted_average_ratio"],
    { "info.uptime": "schema" },
  ),
  field(
    "validator-uptime",
    "An uptime of a validator of 18446744073709551615 %",
    ofValidators("uptime", "18446744073709551615"),
    ["avax_validator_uptime_ratio"],
    VALIDATORS_MAY_FAIL,
  ),
  field(
    "stake-start",
    "A validation that began 1.8e19 s after 1970",
    ofValidators("startTime", "18446744073709551615"),
    ["avax_validator_stake_start_timestamp_seconds"],
    VALIDATORS_MAY_FAIL,
  ),
  field(
    "times-ahead",
    "Health checks that last ran in 2099, and failures since then",
    check({ timestamp: "2099-01-01T00:00:00Z", timeOfFirstFailure: "2099-01-01T00:00:00Z" }),
    [`avax_node_health_check_first_failure_timestamp_seconds{check="C"}`],
  ),
  field("ends-before", "Staking periods that end before they begin", ofValidators("endTime", "1500000000"), [
    "avax_validator_stake_end_timestamp_seconds",
    "avax_validator_downtime_budget_remaining_seconds",
  ]),
  partly("height-text", "A height that is a word", () => result("platform.getHeight", () => '{"height":"high"}'), {
    "platform.getHeight": "schema",
  }),
  harmless(
    "unhealthy-503",
    "HTTP 503 with the node's own report: an answer, not a failure",
    () => when(isReport, { answer: unhealthy }),
    { shows: { avax_node_healthy: 0 }, changes: ["avax_node_healthy"] },
  ),
  partly(
    "healthy-text",
    'The health report says "yes" instead of true',
    () => report((found) => ({ ...found, healthy: "yes" })),
    { health: "schema" },
  ),
  harmless("checks-null", "A health report without checks", () => report((found) => ({ ...found, checks: null })), {
    changes: ["avax_chain_height", "avax_node_peers"],
  }),
  harmless("peers-null", "null instead of the list of peers", () =>
    result("info.peers", () => '{"numPeers":"0","peers":null}'),
  ),
  harmless(
    "validators-null",
    "null instead of the list of validators",
    () => result("platform.getCurrentValidators", () => '{"validators":null}'),
    { shows: { avax_validators: 0 }, changes: ["avax_validator"] },
  ),
  harmless(
    "one-bad-peer",
    "One of the peers has a list as version",
    () => result("info.peers", (found) => found.replace('"version":"avalanchego/1.15.0"', '"version":[]')),
    { changes: ["avax_node_peers_by_version", "avax_validators_stake_by_version_avax"] },
  ),
];

export const values: Group = { title: "Types and values", scene: "values", rows };
