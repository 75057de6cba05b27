import { PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { l1Offline } from "../../../src/topics/l1/l1-offline.ts";
import { l1Validator } from "../../../src/topics/l1/l1-validator.ts";
import { quorum, quorumMargin } from "../../../src/topics/l1/quorum.ts";
import { DEFAULT_QUORUM_RATIO, DEFAULT_STOP_RATIO, SIGNATURE_RATIO } from "../../../src/topics/l1/quorum-view.ts";
import { validators } from "../../../src/topics/validators/validators.ts";
import {
  BY_SUBNET,
  withSubnetNames,
  withNames,
  top,
  ofNetwork,
  ofSubnet,
  NODE,
  SUBNET,
  NETWORK,
  select,
  ofNodeChain,
} from "../parts/selectors.ts";
import { type Row, lines, stat, timeline } from "../parts/panels.ts";
import { RUNWAY } from "../parts/rewards.ts";
import { orangeBelow, redAbove, redBelow, YES_NO, GWEI, SPAN } from "../parts/format.ts";
import { l1Uptime, l1ValidatorView } from "../../../src/topics/l1/l1-validator-view.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { TO_L1, TO_VALIDATOR, column, dates, subnetName, table, usual, spans, shares } from "../parts/table.ts";
import { chainHeight, chains } from "../../../src/topics/chains/chains.ts";
import { evmBlocks } from "../../../src/topics/evm/evm-blocks.ts";
import { evmHead } from "../../../src/topics/evm/evm-head.ts";
import { lag } from "../../../src/topics/chains/lag.ts";
import { subnetHealth } from "../../../src/topics/node/health.ts";
import { chainStatus, subnetChains } from "../../../src/topics/network/subnet-chains.ts";
import { peers } from "../../../src/topics/node/peers.ts";
import { subnetUptime } from "../../../src/topics/validators/uptime.ts";
import { validator } from "../../../src/topics/validators/validator.ts";

const MONTH = 30 * 86_400;
const connected = ofSubnet(quorumMargin.metrics.connected);

export const quorumRow: Row = {
  title: "Quorum",
  legend: "{{name}}",
  panels: [
    stat(
      "Connected weight",
      `How far is each L1 from its quorum? Share of the weight that is active and connected to a polled node. Below ${DEFAULT_QUORUM_RATIO * 100} % health checks fail and below ${DEFAULT_STOP_RATIO * 100} % the chains stop, by default; below ${SIGNATURE_RATIO * 100} % they cannot sign messages to other chains.`,
      withSubnetNames(connected),
      {
        unit: PercentUnit,
        decimals: 1,
        thresholds: redBelow(DEFAULT_QUORUM_RATIO),
        alerts: ["AvaxSubnetQuorumLost", "AvaxSubnetQuorumAtRisk"],
      },
    ),
    stat(
      "Spare validators",
      "How many more validators can go offline before the chains stop? The heaviest go first. 0: losing the heaviest one is enough.",
      withSubnetNames(ofSubnet(quorumMargin.metrics.spare)),
      { noValue: "no quorum", thresholds: orangeBelow(1), alerts: ["AvaxSubnetQuorumLost", "AvaxSubnetQuorumAtRisk"] },
    ),
    stat(
      "Validators",
      "How many validators does each subnet have? Entries in the validator set of each chosen subnet. A node can have several.",
      withSubnetNames(
        `${ofSubnet(validators.metrics.count)} and on (network, subnet) ${ofSubnet(quorum.metrics.active)}`,
      ),
    ),
    stat(
      "Others offline",
      "How many validators of others are offline? Validators of the chosen L1s, watched ones left out, that no polled node is connected to.",
      withSubnetNames(ofSubnet(l1Offline.metrics.others)),
      { thresholds: redAbove(1), alerts: ["AvaxL1ValidatorOffline", "AvaxL1ValidatorsOffline"] },
    ),
    stat(
      "Without balance",
      "How many validators do not sign, because their balance ran out? Validators of the chosen L1s whose balance ran out. Their weight still counts in the total, but does not sign.",
      withSubnetNames(`sum by (${BY_SUBNET}) (${ofSubnet(l1Validator.metrics.active)} == bool 0)`),
      { thresholds: redAbove(1), alerts: ["AvaxL1RunwayCritical"] },
    ),
    stat(
      "Shortest runway",
      "When does the first balance run out? Time until the smallest balance of each chosen L1 runs out at the current price, or run out: a validator of the L1 does not sign any longer.",
      withSubnetNames(`min by (${BY_SUBNET}) (${ofSubnet(l1Validator.metrics.runway)})`),
      { unit: SPAN, ...RUNWAY, alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical", "AvaxL1BalancesShort"] },
    ),
    stat(
      "AVAX per validator and month",
      "What does a validator cost? Fee of each L1 validator for 30 days at the current price, in AVAX. “observed”: derived from falling balances, because the server does not report the price.",
      [
        `${MONTH} * ${ofNetwork(l1Validator.metrics.price)} * on (instance, job, network) group_right () ${ofNetwork(l1Validator.metrics.source)}`,
        "{{network}} {{source}}",
      ],
      { decimals: 3 },
    ),
    lines(
      "Connected and active weight",
      "When did an L1 come near its quorum? Share of the weight that is active (for an L1: has a balance), share that is active and connected, and the share that consensus requires.",
      [
        [withSubnetNames(connected), "{{name}} connected"],
        [withSubnetNames(ofSubnet(quorum.metrics.active)), "{{name}} active"],
        [withSubnetNames(ofSubnet(quorumMargin.metrics.requirement)), "{{name}} required"],
      ],
      { unit: PercentUnit, limits: "required", alerts: ["AvaxSubnetQuorumLost", "AvaxSubnetQuorumAtRisk"] },
    ),
    lines(
      "Next balances to run out",
      "Which balances run out next? Runway at the current price, of the validations of the chosen L1s with the shortest.",
      [
        withNames(top(`(${ofSubnet(l1Validator.metrics.runway)} > 0)`, { of: "lowest", by: "validation_id" })),
        "{{name}} {{validation_id}}",
      ],
      { unit: Seconds, in: "d", thresholds: RUNWAY.thresholds, alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"] },
    ),
  ],
};

const { metrics: member } = l1Validator;
const VIEW = { ...NODE, ...SUBNET } as const;

const LINE = "subnet, node_id, validation_id";
/** Restricts a chain's own list to L1 validators: it has validators of permissioned subnets too. */
const OF_L1 = `and on (subnet, validation_id) ${ofSubnet(member.active)}`;

export const membersRow: Row = {
  title: "L1 validators",
  panels: [
    table(
      "L1 validators",
      "Which validation needs balance, connection or uptime? One row per validation, shortest runway first. A node can have several. Uptime and connection: only watched validators, from the other polled nodes (median uptime after the first day, connected share).",
      {
        height: 12,
        alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"],
        labels: {
          subnet: { title: "L1", link: TO_L1, width: 90, short: true },
          node_id: { title: "Validator", link: TO_VALIDATOR, short: true, width: 140 },
          validation_id: { title: "Validation", width: 95, short: true },
        },
        more: [
          subnetName(ofSubnet(member.active)),
          { expr: withNames(ofSubnet(member.active)), labels: { name: { title: "Name", short: true } } },
        ],
        sortedBy: "Runway",
        columns: [
          column("Active", ofSubnet(member.active), { width: 70, mappings: YES_NO }),
          column("Weight", ofSubnet(member.weight), { width: 75 }),
          column("Balance (AVAX)", ofSubnet(member.balance), { width: 125, decimals: 4 }),
          spans("Runway", ofSubnet(l1Validator.metrics.runway), { width: 120, ...RUNWAY }),
          shares("Uptime", ofSubnet(l1Uptime.metrics.uptime), { width: 85, decimals: 2 }),
          shares("Connected", `avg by (${LINE}) (${where(l1ValidatorView.metrics.connected, VIEW)}) ${OF_L1}`, {
            width: 100,
            decimals: 0,
            thresholds: redBelow(1),
          }),
          column("On-chain", `min by (${LINE}) (${where(l1ValidatorView.metrics.active, VIEW)}) ${OF_L1}`, {
            width: 90,
            mappings: YES_NO,
          }),
          dates("Start", ofSubnet(member.start)),
        ],
      },
    ),
  ],
};

const MOST_BARS = 20;
const OF_SUBNET = { ...NODE, ...SUBNET } as const;
/** 2: the node has no check for the subnet. */
const subnetHealthByNode = [
  where(subnetHealth.metrics.healthy, OF_SUBNET),
  `2 + (${where(subnetHealth.metrics.known, OF_SUBNET)} == 0)`,
]
  .map((expr) => `max by (${BY_SUBNET}, node) (${expr})`)
  .join(" or ");
/** Chains of all subnets except the Primary Network. */
const OWN = { ...NODE, chain: "!~P|X|C" } as const;
const of = select(OWN);
const OWN_OF_NETWORK = { ...NETWORK, chain: "!~P|X|C" } as const;
const CHOSEN = `and on (node, chain) ${ofNodeChain(chainHeight.metrics.height)}`;
/** Restricts facts to chains that any chosen node runs. */
const CHOSEN_CHAIN = `and on (chain) ${ofNodeChain(chainHeight.metrics.height)}`;
const STATE = `(3 * ${where(chainStatus.metrics.status, { ...OWN, state: "Validating" })} == 3 or ${where(chainStatus.metrics.status, { ...OWN, state: "Syncing" })} * 2 == 2 or ${where(chainStatus.metrics.status, { ...OWN, state: "Created" })} == 1)`;

export const headsRow: Row = {
  title: "L1 chains",
  collapsed: true,
  legend: "{{network}} {{chain}}",
  panels: [
    timeline(
      "Node role by chain",
      "Which nodes validate or follow each chain? Validating: the node validates the chain. Following: it runs the chain without validating it. Not run: neither. The nodes that did least.",
      [
        top(`max by (node, chain) (${STATE} ${CHOSEN_CHAIN})`, { of: "lowest", by: "node, chain", count: MOST_BARS }),
        "{{node}} {{chain}}",
      ],
      {
        height: 12,
        mappings: { 1: ["not run", "red"], 2: ["following", "blue"], 3: ["validating", "green"] },
        alerts: ["AvaxChainNotRun"],
      },
    ),
    timeline(
      "Subnet health by node",
      "On which node is a subnet unhealthy? Whether the node's health checks of the subnet pass, or that it has none: it does not track the subnet, or is bootstrapping. A gap: unknown, because the node did not answer. The worst nodes.",
      [
        withSubnetNames(top(`(${subnetHealthByNode})`, { of: "lowest", by: "node, subnet", count: MOST_BARS })),
        "{{node}} {{name}}",
      ],
      {
        height: 12,
        mappings: { 0: ["unhealthy", "red"], 1: ["healthy", "green"], 2: ["no check", "blue"] },
        alerts: ["AvaxSubnetCheckFailing"],
      },
    ),
    lines(
      "Head age",
      "Does each chain still make blocks? Time since the last block of each chain, by its own timestamp, on the node that is furthest ahead and on the last one. A quiet chain makes no blocks.",
      [
        [`time() - max by (network, chain) (${of(evmHead.metrics.time)} ${CHOSEN})`, "{{network}} {{chain}}"],
        [`time() - min by (network, chain) (${of(evmHead.metrics.time)} ${CHOSEN})`, "{{network}} {{chain}} last node"],
      ],
      { unit: Seconds, in: "min", signed: true, softMax: 60, alerts: ["AvaxEvmChainStalled"] },
    ),
    lines(
      "Blocks behind",
      "Which nodes fall behind on the L1s? Blocks behind the highest polled node, on the chain where the node is furthest behind. The nodes that were furthest behind.",
      [top(`max by (node) (${of(lag.metrics.blocks)} ${CHOSEN})`, { of: "highest" }), "{{node}}"],
      { softMax: 20, alerts: ["AvaxNodeLagging"] },
    ),
    lines(
      "Connected stake",
      "Which nodes lose validators of an L1? Share of the chain's stake that each node is connected to, from its own health check, on the chain with the lowest share. The nodes with the lowest shares.",
      [top(`min by (node) (${of(chains.metrics.connected)} ${CHOSEN})`, { of: "lowest" }), "{{node}}"],
      { unit: PercentUnit, zoomed: true, alerts: ["AvaxSubnetCheckFailing"] },
    ),
    lines(
      "Blocks per minute",
      "How many blocks does each chain make? Blocks of each chain, counted by the exporter.",
      `60 * rate(${where(evmBlocks.metrics.blocks, OWN_OF_NETWORK)}[$__rate_interval]) ${CHOSEN_CHAIN}`,
      { alerts: ["AvaxEvmChainStalled"], smooth: "2m" },
    ),
    lines(
      "Transactions per second",
      "How busy is each chain? Transactions in the blocks of each chain.",
      `rate(${where(evmBlocks.metrics.transactions, OWN_OF_NETWORK)}[$__rate_interval]) ${CHOSEN_CHAIN}`,
      { smooth: "2m" },
    ),
    lines(
      "Base fee",
      "What does gas cost on each chain? Price of gas in the next block, in gwei of the chain's coin. Median of the chosen nodes.",
      `quantile by (network, chain) (0.5, ${of(evmHead.metrics.baseFee)} ${CHOSEN})`,
      { unit: GWEI },
    ),
  ],
};

const OF_NODE = { ...NODE, ...SUBNET } as const;

export const subnetsRow: Row = {
  title: "Other subnets and blockchains",
  collapsed: true,
  panels: [
    lines(
      "Peers tracking the subnet",
      "How many peers can serve the blocks of a subnet? Peers that track it, on the nodes with the fewest and the most.",
      [
        [withSubnetNames(`min by (${BY_SUBNET}) (${where(peers.metrics.tracking, OF_NODE)})`), "{{name}} fewest"],
        [withSubnetNames(`max by (${BY_SUBNET}) (${where(peers.metrics.tracking, OF_NODE)})`), "{{name}} most"],
      ],
      { decimals: 0 },
    ),
    table(
      "Other subnet validators",
      "When does the period of a subnet validator end? Watched validators of permissioned and elastic subnets, with their weight and remaining period. First to end first.",
      {
        alerts: ["AvaxValidatorGone", "AvaxValidatorNotInSet", "AvaxValidatorEndingSoon"],
        labels: usual("subnet", "node_id"),
        more: [
          subnetName(ofSubnet(validator.metrics.subnetWeight)),
          { expr: withNames(ofSubnet(validator.metrics.subnetWeight)), labels: usual("name") },
        ],
        sortedBy: "Ends in",
        columns: [
          column("Weight", ofSubnet(validator.metrics.subnetWeight), { width: 75 }),
          spans(
            "Ends in",
            `${ofSubnet(validator.metrics.end)} - time() and on (network, subnet, node_id) ${ofSubnet(validator.metrics.subnetWeight)}`,
            { width: 105 },
          ),
        ],
      },
    ),
    table(
      "Subnets",
      "How large is each subnet, and how good is its uptime? Total weight of each chosen subnet (including inactive validators), its number of blockchains, and the lowest uptime and rewarding stake of the polled nodes in it.",
      {
        width: 10,
        height: 7,
        labels: usual("subnet"),
        more: { expr: withSubnetNames(ofSubnet(validators.metrics.weight)), labels: usual("name") },
        columns: [
          column("Weight", ofSubnet(validators.metrics.weight), { width: 75 }),
          column("Chains", ofSubnet(subnetChains.metrics.count), { width: 70 }),
          shares("Uptime", `min by (subnet) (${where(subnetUptime.metrics.average, OF_NODE)})`, { width: 90 }),
          shares("Rewarding", `min by (subnet) (${where(subnetUptime.metrics.rewarding, OF_NODE)})`, { width: 90 }),
        ],
      },
    ),
    table(
      "Blockchains",
      "Which blockchains does each subnet have? With the names given by their creators, and the number of blockchains in the network.",
      {
        width: 14,
        height: 7,
        labels: usual("network", "subnet", "chain"),
        more: {
          expr: ofSubnet(subnetChains.metrics.chain),
          labels: { name: { title: "Name", width: 90 }, vm_id: { title: "VM", short: true } },
        },
        columns: [
          column(
            "Network total",
            `${ofSubnet(subnetChains.metrics.chain)} * on (instance, job, network) group_left () ${ofNetwork(subnetChains.metrics.total)}`,
            { width: 115 },
          ),
        ],
      },
    ),
  ],
};
