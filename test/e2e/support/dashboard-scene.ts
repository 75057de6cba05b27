import { catalogueOf } from "../../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../../src/topics/all/topics.ts";
import { simulate, type Simulation, type SimulatorOptions } from "../../../simulator/simulate.ts";
import type { Cleanup } from "../../support/create-cleanup.ts";
import { startDaemon, writeConfig, type RunningDaemon } from "./daemon.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/**
 * Two networks in which every panel has data: each node is in one of the states that a panel is about. State that all share
 * (owners of wallets, the next upgrade) is set on one of them.
 */
const SCENE: readonly SimulatorOptions[] = [
  {
    nodes: 7,
    validators: 20,
    hosted: true,
    network: { id: 1, name: "mainnet" },
    overrides: [
      { node: 5, dialect: "spec" },
      { node: 6, version: "1.14.2" },
    ],
    scenario: [
      { node: 1, name: "utxo-waiting" },
      { node: 2, name: "drained-l1" },
      { node: 2, name: "benched" },
      { node: 3, name: "unhealthy-check" },
      { node: 3, name: "admin-on" },
      { node: 4, name: "low-uptime" },
      { node: 6, name: "upgrade-unknown" },
      { node: 7, name: "left-behind" },
    ],
  },
  // After Helicon validators renew themselves, and the EVM counts its peers.
  { nodes: 2, validators: 8, seed: 2, network: { id: 5, name: "fuji" }, heliconTime: 1_735_689_600 },
];

/** The two networks and the exporter that polls them. */
export async function startDashboardScene(
  cleanup: Cleanup,
): Promise<{ readonly simulations: readonly Simulation[]; readonly daemon: RunningDaemon }> {
  const simulations = await Promise.all(SCENE.map((options) => simulate(options)));
  for (const simulation of simulations) cleanup.add(() => simulation.close());
  const folder = await temporaryFolder();
  cleanup.add(folder.remove);
  const endpoints = catalogueOf(TOPICS)
    .endpoints.filter(({ scope }) => scope !== "hosted")
    .map(({ id }) => id);
  const config = await writeConfig(folder.path, sceneConfig(simulations, endpoints));
  const daemon = await startDaemon([`--config.file=${config}`]);
  cleanup.add(daemon.child.stop);
  return { simulations, daemon };
}

/**
 * The rules without `for`, so that the alerts of the scene fire within seconds, and end as soon: without it, one fires at an evaluation
 * that finds one of its recordings and not yet the other.
 */
export function impatient(rules: string): string {
  return rules.replaceAll(/^( +(?:keep_firing_)?for:) .*$/gm, "$1 0s");
}

/** Events while Prometheus scrapes: polls of one node begin to fail, and one hosted service refuses further requests. */
export function makeTrouble([first]: readonly Simulation[]): void {
  first?.set(7, "http-503");
  first?.hosted?.set("data", "rate-limited-bare");
}

/** A hosted endpoint that fails at once; its metrics are in no panel. */
const NOTICING = { "data.chains": { every: "2s" } };

/** The configuration of the scene: all endpoints, as often as a test needs. */
function sceneConfig(simulations: readonly Simulation[], endpoints: readonly string[]): unknown {
  const nodes = simulations.flatMap((simulation, network) =>
    simulation.nodes.map(({ name, url, nodeId }, index) => ({
      name: `${name}-${network}`,
      url,
      nodeId,
      network,
      index,
    })),
  );
  return {
    nodes: nodes.map(({ name, url, network, index }) => {
      const spec = SCENE[network]?.overrides?.some((each) => each.node === index + 1 && each.dialect === "spec");
      return { name, url, ...(spec === true ? { dialect: "spec" } : {}) };
    }),
    subnets: simulations.flatMap(({ subnets }, network) => subnets.map((subnet) => subnetConfig(subnet, network))),
    watch: {
      // Some show the odd cases of a record: young, seldom up, renewed by themselves.
      validators: simulations.flatMap((simulation) =>
        simulation
          .state()
          .validators.map(({ nodeId }, index) => ({
            node_id: nodeId,
            name: `validator ${index}`,
            reward_addresses: simulation.wallets.map(({ p }) => p),
          })),
      ),
      addresses: [
        ...(simulations[0]?.wallets.slice(0, 2) ?? []).flatMap(({ name, p, c }) => [
          { address: p, name: `${name}-P`, low: 1 },
          { address: c, name: `${name}-C` },
        ]),
        { address: RELAYER, name: "relayer", low: 5, chains: ["C", "l1one"] },
      ],
    },
    evm: { websocket: true, proof_probe: true },
    ...hostedConfig(
      simulations[0]?.hosted,
      nodes.slice(0, 3).map(({ nodeId }) => nodeId),
    ),
    endpoints: { ...Object.fromEntries(endpoints.map((id) => [id, { every: "2s", enabled: true }])), ...NOTICING },
  };
}

const RELAYER = "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC";
const CONTRACT = { chain: "43114", address: "0x5FbDB2315678AFECb367f032D93f642f64180aA4" };
/** Enough to poll everything at once. */
const BUDGET = { per_minute: 600_000, per_day: 120_000_000 };

/** Names of subnets and chains are unique in a configuration. */
function subnetConfig({ id, name, chainId, chainName }: Simulation["subnets"][number], network: number): object {
  const suffix = network === 0 ? "" : `-${network}`;
  return {
    id,
    name: `${name}${suffix}`,
    uptime_requirement: 0.8,
    chains: [{ id: chainId, name: `${chainName}${suffix}`, evm: true }],
  };
}

function hostedConfig(hosted: Simulation["hosted"], validators: readonly string[]): object {
  return {
    data_api: {
      url: hosted?.dataUrl,
      key: "a-key",
      key_header: "x-glacier-api-key",
      budget: BUDGET,
      network: "mainnet",
      validators,
      chains: ["43114"],
      accounts: [{ address: RELAYER, chains: ["43114"] }],
      contracts: [CONTRACT],
    },
    metrics_api: { url: hosted?.metricsUrl, budget: BUDGET, chains: ["43114", "total"], intervals: ["day"] },
  };
}

/** A query that finds nothing in the scene, with the reason; `sometimes` it finds something in some runs. */
type Silence = readonly [panel: string, query: RegExp, reason: string, sometimes?: "sometimes"];

/** A test refuses one that finds something after all. */
export const SILENT: readonly Silence[] = [
  ["Time behind", /behind_since/, "A node is behind after a while only.", "sometimes"],
  ["Peers by observed uptime", /range="0/, "Few ranges have peers in the scene.", "sometimes"],
  ["Nodes", /rows_invalid/, "No answer of the scene has a wrong row."],
  ["Free disk (bytes)", /predict_linear/, "A trend needs a day of data."],
  ["Unknown", /unless/, "Nodes observe the uptime of all validators of the scene."],
  ["Delegations", /large/, "No delegation of the scene is large."],
  ["Delegation fees earned (AVAX)", /accrued/, "No validator of the scene has earned any."],
  ["Rewards by validator (AVAX)", /accrued/, "No validator of the scene has earned any."],
  ["P-Chain balances (AVAX)", /!="unlocked"/, "No wallet of the scene has locked AVAX."],
  ["Probes per minute", /avax_exporter_probe/, "No probe is requested in the scene."],
  ["Downtime left", /< 0/, "No validator of the scene has lost its budget.", "sometimes"],
  ["Stake and delegators", /restaked/, "No validator of the scene has staked a reward again."],
  ["Node overview", /count by \(instance\)/, "One exporter polls the nodes of the scene: its column stays away."],
  ["Nodes", /certificate_expiry/, "The simulated nodes serve plain HTTP."],
  // A service that has had enough is left alone.
  ["Requests and failures per minute", /avax_hosted_poll_failures_total/, "One failure makes no rate.", "sometimes"],
];
