import { expect, it } from "vitest";
import { calendarOf } from "../../../src/diagnosis/validator/calendar-of.ts";
import { samplesOf } from "../../../src/diagnosis/samples.ts";
import { DELEGATED, END, ID, NOW, OF, STAKER } from "./samples.ts";
import { readingsIn } from "../../support/readings.ts";

const DAY = 86_400;
const L1 = `network="fuji",subnet="2q9e",node_id="${ID}",validation_id="v1"`;
const datesOf = (lines: readonly string[]) =>
  calendarOf(samplesOf(readingsIn(`${lines.join("\n")}\n`), NOW)).map(({ id, at, title }) => [id, at - NOW, title]);

const STAKE_ENDS = [`end/fuji/primary/${ID}`, END - NOW, "Alpha: stake ends"];

it.each([
  ["a stake that ends within the shortest delegation", STAKER, [STAKE_ENDS]],
  [
    "a stake with room for delegations",
    STAKER.map((line) => (line.includes("stake_end") ? line.replace(/\d+$/, String(END + DAY)) : line)),
    [
      [`delegation/fuji/primary/${ID}`, END - NOW, "Alpha: last day on which a delegation can begin"],
      [`end/fuji/primary/${ID}`, END + DAY - NOW, "Alpha: stake ends"],
    ],
  ],
  [
    "a cycle that is renewed",
    [...STAKER, `avax_validator_next_period_seconds{${OF}} 1209600`],
    [[`end/fuji/primary/${ID}`, END - NOW, "Alpha: cycle ends, the next takes 14 d"]],
  ],
  [
    "the next large delegation",
    [...STAKER, ...DELEGATED],
    [[`large-delegation/fuji/${ID}`, DAY / 2, "Alpha: a delegation of 19.1 % of its weight ends"], STAKE_ENDS],
  ],
  [
    "one that has left",
    [...STAKER, `avax_validator_in_set{${OF}} 0`].filter(
      (line) => !line.endsWith("} 1") || !line.startsWith("avax_validator_in_set"),
    ),
    [],
  ],
  [
    "a balance",
    [
      `avax_validator_in_set{${L1.replace(/,validation.*/, "")}} 1`,
      `avax_l1_validator_weight{${L1}} 5`,
      `avax_l1_validator_runway_seconds{${L1}} ${3 * DAY}`,
    ],
    [["balance/fuji/v1", 3 * DAY, `${ID}: balance on 2q9e runs out`]],
  ],
  [
    "none of a balance that lasts for centuries",
    [
      `avax_validator_in_set{${L1.replace(/,validation.*/, "")}} 1`,
      `avax_l1_validator_weight{${L1}} 5`,
      `avax_l1_validator_runway_seconds{${L1}} ${100 * 365 * DAY}`,
    ],
    [],
  ],
  [
    "upgrades, with the nodes that lack the next one, and a certificate",
    [
      `avax_upgrade_activation_timestamp_seconds{network="fuji",upgrade="helicon"} ${NOW + DAY}`,
      `avax_upgrade_activation_timestamp_seconds{network="fuji",upgrade="granite"} ${NOW - DAY}`,
      `avax_network_upgrade_timestamp_seconds{network="fuji"} ${NOW + DAY}`,
      `avax_node_upgrade_ready{network="fuji",node="b"} 0`,
      `avax_node_upgrade_ready{network="fuji",node="a"} 1`,
      `avax_node_api_certificate_expiry_timestamp_seconds{network="fuji",node="a"} ${NOW + 2 * DAY}`,
    ],
    [
      ["upgrade/fuji/helicon", DAY, "fuji: helicon activates, 1 of your nodes without it"],
      ["certificate/a", 2 * DAY, "a: certificate of the API expires"],
    ],
  ],
  [
    "an upgrade that the stake announces and the reference node lacks",
    [
      `avax_network_upgrade_timestamp_seconds{network="fuji"} ${NOW + DAY}`,
      `avax_node_upgrade_ready{network="fuji",node="a"} 0`,
    ],
    [["upgrade/fuji/announced", DAY, "fuji: an upgrade activates, 1 of your nodes without it"]],
  ],
  [
    "one that another polled node knows",
    [
      `avax_network_upgrade_timestamp_seconds{network="fuji"} ${NOW + DAY}`,
      `avax_network_upgrade_info{network="fuji",upgrade="helicon",release="1.15.0"} 1`,
      `avax_node_upgrade_ready{network="fuji",node="a"} 0`,
    ],
    [["upgrade/fuji/helicon", DAY, "fuji: helicon activates, 1 of your nodes without it"]],
  ],
  [
    "one whose name no polled node has",
    [
      `avax_network_upgrade_timestamp_seconds{network="fuji"} ${NOW + DAY}`,
      `avax_network_upgrade_info{network="fuji",upgrade="unknown",release="unknown"} 1`,
      `avax_node_upgrade_ready{network="fuji",node="a"} 0`,
    ],
    [["upgrade/fuji/announced", DAY, "fuji: an upgrade activates, 1 of your nodes without it"]],
  ],
] as const)("%s", (_what, lines, expected) => {
  expect(datesOf(lines)).toEqual(expected);
});
