import { dashboardFile, type Board } from "./parts/board.ts";
import { EXPORTER_STARTS, NODES_DOWN, STAKE_ENDS, UPGRADES, VERSIONS, off } from "./parts/annotations.ts";
import { comparisonRow } from "./fleet/comparison-row.ts";
import { overTimeRow } from "./fleet/wall-row.ts";
import { wallRow } from "./fleet/wall-row.ts";
import { chainsRow } from "./node/chains-row.ts";
import { evmRow as nodeEvmRow } from "./node/evm-row.ts";
import { exporterRow } from "./node/exporter-row.ts";
import { diskRow } from "./node/disk-row.ts";
import { nativeRow } from "./node/native-row.ts";
import { peersRow } from "./node/peers-row.ts";
import { stateRow } from "./node/state-row.ts";
import { validatorRow } from "./node/validator-row.ts";
import { networkViewRow } from "./validator/network-view-row.ts";
import { rewardsRow as validatorRewardsRow } from "./validator/rewards-row.ts";
import { stakeRow as validatorStakeRow } from "./validator/stake-row.ts";
import { verdictRow } from "./validator/verdict-row.ts";
import { headsRow } from "./l1/heads-row.ts";
import { membersRow } from "./l1/members-row.ts";
import { quorumRow } from "./l1/quorum-row.ts";
import { subnetsRow } from "./l1/subnets-row.ts";
import { chainMetricsRow } from "./network/chain-metrics-row.ts";
import { evmRow as networkEvmRow } from "./network/evm-row.ts";
import { historyRow } from "./network/history-row.ts";
import { platformRow } from "./network/platform-row.ts";
import { setRow } from "./network/set-row.ts";
import { stakeRow as networkStakeRow } from "./network/stake-row.ts";
import { upgradeRow } from "./network/upgrade-row.ts";
import { balancesRow } from "./treasury/balances-row.ts";
import { hostedRow as treasuryHostedRow } from "./treasury/hosted-row.ts";
import { l1Row } from "./treasury/l1-row.ts";
import { rewardsRow as treasuryRewardsRow } from "./treasury/rewards-row.ts";
import { walletsRow } from "./treasury/wallets-row.ts";
import { costRow } from "./exporter/cost-row.ts";
import { endpointsRow } from "./exporter/endpoints-row.ts";
import { fleetRow } from "./exporter/fleet-row.ts";
import { hostedRow as exporterHostedRow } from "./exporter/hosted-row.ts";
import { processRow } from "./exporter/process-row.ts";

/** Every dashboard: the fleet first, the exporter last. */
export const BOARDS: readonly Board[] = [
  {
    uid: "avax-fleet",
    title: "Fleet",
    about: "All Avalanche nodes on one page: which one has a problem, which problem, and since when.",
    variables: ["network", "node"],
    annotations: [UPGRADES, NODES_DOWN, EXPORTER_STARTS, off(VERSIONS)],
    rows: [wallRow, overTimeRow, comparisonRow],
  },
  {
    uid: "avax-node",
    title: "Node",
    about:
      "One Avalanche node, or several side by side: its own reports, what other nodes observe, and the exporter's polls.",
    variables: ["network", { one: "node" }, "chain"],
    annotations: [NODES_DOWN, VERSIONS, off(UPGRADES), off(EXPORTER_STARTS)],
    rows: [stateRow, validatorRow, chainsRow, nodeEvmRow, peersRow, diskRow, exporterRow, nativeRow],
  },
  {
    uid: "avax-validator",
    title: "Validator",
    about:
      "Reward of each watched validator: its downtime budget, its uptime as the network observes it, and its stake.",
    variables: ["network", "validator", "node"],
    annotations: [STAKE_ENDS, UPGRADES, NODES_DOWN, off(EXPORTER_STARTS)],
    rows: [verdictRow, networkViewRow, validatorStakeRow, validatorRewardsRow],
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
