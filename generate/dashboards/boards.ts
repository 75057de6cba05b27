import { dashboardFile, type Board } from "./parts/board.ts";
import { EXPORTER_STARTS, NODES_DOWN, STAKE_ENDS, UPGRADES, VERSIONS, off } from "./parts/annotations.ts";
import { comparisonRow, overTimeRow, wallRow } from "./fleet/fleet-rows.ts";
import { chainsRow, evmRow as nodeEvmRow } from "./node/chains-rows.ts";
import { executionRow } from "./node/execution-row.ts";
import { exporterRow, diskRow, peersRow } from "./node/machine-rows.ts";
import { nativeRow } from "./node/native-row.ts";
import { stateRow } from "./node/state-row.ts";
import { validatorRow } from "./node/validator-row.ts";
import { delegationsRow } from "./validator/delegations-row.ts";
import { networkViewRow, verdictRow } from "./validator/verdict-rows.ts";
import { rewardsRow as validatorRewardsRow, stakeRow as validatorStakeRow } from "./validator/stake-rows.ts";
import { headsRow, membersRow, quorumRow, subnetsRow } from "./l1/l1-rows.ts";
import { chainMetricsRow } from "./network/chain-metrics-row.ts";
import { evmRow as networkEvmRow, platformRow, setRow, stakeRow as networkStakeRow } from "./network/activity-rows.ts";
import { historyRow, upgradeRow } from "./network/upgrade-rows.ts";
import {
  balancesRow,
  hostedRow as treasuryHostedRow,
  l1Row,
  rewardsRow as treasuryRewardsRow,
  walletsRow,
} from "./treasury/treasury-rows.ts";
import { costRow, fleetRow, processRow } from "./exporter/process-rows.ts";
import { endpointsRow, hostedRow as exporterHostedRow } from "./exporter/polls-rows.ts";

/** Every dashboard: the fleet first, the exporter last. */
export const BOARDS: readonly Board[] = [
  {
    uid: "avax-fleet",
    title: "Fleet",
    about: "All Avalanche nodes on one page: which one has a problem, which problem, and since when.",
    variables: ["network", "node"],
    page: ["Restart order", "restart"],
    annotations: [UPGRADES, NODES_DOWN, EXPORTER_STARTS, off(VERSIONS)],
    rows: [wallRow, overTimeRow, comparisonRow],
  },
  {
    uid: "avax-node",
    title: "Node",
    about:
      "One Avalanche node, or several side by side: its own reports, what other nodes observe, and the exporter's polls.",
    variables: ["network", { one: "node" }, "chain"],
    page: ["Validator page", "validator/${node:percentencode}"],
    annotations: [NODES_DOWN, VERSIONS, off(UPGRADES), off(EXPORTER_STARTS)],
    rows: [stateRow, validatorRow, chainsRow, nodeEvmRow, executionRow, peersRow, diskRow, exporterRow, nativeRow],
  },
  {
    uid: "avax-validator",
    title: "Validator",
    about:
      "Reward of each watched validator: its downtime budget, its uptime as the network observes it, and its stake.",
    variables: ["network", "validator", "node"],
    page: ["Validator pages", "validator/"],
    annotations: [STAKE_ENDS, UPGRADES, NODES_DOWN, off(EXPORTER_STARTS)],
    rows: [verdictRow, networkViewRow, validatorStakeRow, delegationsRow, validatorRewardsRow],
  },
  {
    uid: "avax-l1",
    title: "L1",
    about: "Whether each configured subnet or L1 keeps making blocks: quorum, validator balances and chain heads.",
    variables: ["network", "subnet", "node", "chain"],
    annotations: [UPGRADES, NODES_DOWN, off(EXPORTER_STARTS)],
    rows: [quorumRow, membersRow, headsRow, subnetsRow],
  },
  {
    uid: "avax-network",
    title: "Network and upgrades",
    about:
      "A network as a whole: whether it makes blocks, its validators and stake, its readiness for the next upgrade, and the activity of its chains.",
    variables: [{ one: "network" }, "node", "chain"],
    annotations: [off(UPGRADES), off(NODES_DOWN), off(VERSIONS)],
    rows: [setRow, upgradeRow, historyRow, networkStakeRow, platformRow, networkEvmRow, chainMetricsRow],
  },
  {
    uid: "avax-treasury",
    title: "Treasury",
    about:
      "The money of the watched addresses and validators: which wallet or L1 balance runs out, what waits for an import, and which rewards were and will be paid.",
    variables: ["network"],
    annotations: [UPGRADES],
    rows: [balancesRow, walletsRow, l1Row, treasuryRewardsRow, treasuryHostedRow],
  },
  {
    uid: "avax-exporter",
    title: "Exporter",
    about: "The exporter itself: which nodes it reaches, the age of its data, and the cost of its polls and scrapes.",
    variables: ["network", "node"],
    annotations: [EXPORTER_STARTS, NODES_DOWN, off(VERSIONS)],
    rows: [processRow, endpointsRow, costRow, exporterHostedRow, fleetRow],
  },
];

/** The file of each dashboard; `path` is relative to the root of the project. */
export const DASHBOARD_FILES = BOARDS.map((board) => ({
  path: `grafana/dashboards/${board.uid.replace("avax-", "")}.json`,
  text: () => dashboardFile(board),
}));
