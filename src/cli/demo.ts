import { simulate, type Simulation } from "../../simulator/simulate.ts";
import { createDaemon } from "../daemon/daemon.ts";
import type { Flags } from "./flags.ts";
import { createLogger } from "../daemon/create-logger.ts";
import { listenPlaces, pagesOf } from "./listen-places.ts";
import { serve } from "../daemon/serve.ts";
import { simulated } from "./simulate.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import { aboutOf } from "../daemon/version.ts";
import { refuse } from "./text/refuse.ts";
import { VmConfigs } from "../api/node/admin.ts";
import { TxFee } from "../api/node/info.ts";
import type { Config } from "../config/config.ts";
import { parseDuration } from "../config/base/units.ts";
import { ALERTS } from "../topics/all/alerts.ts";
import { defaultConfig, defaultNode } from "../config/default-config.ts";
import { NOTHING_WANTED } from "../api/hosted/hosted-endpoint.ts";
import { PUBLIC_BUDGET } from "../config/schema/data-api-section.ts";
import { tokenOf } from "../../simulator/hosted/hosted-evm.ts";

/** The demo's fleet: nodes with several problems, healthy nodes, and an upgrade that is due in an hour. */
const DEMO = {
  nodes: 8,
  scenario: [
    { node: 1, name: "upgrade-ahead" },
    { node: 3, name: "low-uptime" },
    { node: 3, name: "delegation-ending" },
    { node: 4, name: "left-behind" },
    { node: 5, name: "unhealthy-check" },
    { node: 6, name: "bootstrapping" },
    { node: 7, name: "benched" },
    { node: 7, name: "edge-uptime" },
    { node: 7, name: "stake-ending" },
    { node: 8, name: "upgrade-unknown" },
    { node: 8, name: "l1-balance-short" },
    { node: 8, name: "admin-on" },
  ],
} as const;

/** Starts a simulated network and the exporter on it, and prints their addresses. */
export async function demo(flags: Flags, system: System): Promise<ExitCode> {
  const places = listenPlaces(flags, system, "127.0.0.1:9750");
  if ("problem" in places) {
    system.err(`${places.problem}\n`);
    return places.code;
  }
  const options = simulated(flags, { port: 0, hosted: true, ...DEMO });
  if ("problem" in options) return refuse(system, "demo", options.problem);
  const simulation = await simulate(options);
  const log = createLogger("warn", "logfmt", system.err);
  const daemon = createDaemon({
    config: demoConfig(simulation),
    log,
    ...aboutOf(system),
    exporterMetrics: true,
    watching: true,
  });
  const served = await serve(daemon, system, log, {
    ...places,
    ...pagesOf(flags),
    note: HURRIES,
    reload: () => Promise.resolve({ ok: false, message: "the demo has no configuration file" }),
    maskedConfig: () => "# the demo generates its configuration; config.example.yaml shows the format\n",
    onListening: ({ address }) => system.out(introduction(address, simulation)),
    onComplete() {
      daemon.poller.collect();
      system.out(`Complete: ${daemon.exposition.series()} series. Stop with Ctrl-C.\n`);
    },
  });
  await simulation.close();
  return served ? 0 : 1;
}

function introduction(address: string, simulation: Simulation): string {
  const states = simulation.state().nodes;
  return [
    "avax-exporter demo: a simulated network and the exporter that watches it",
    "",
    `  metrics      ${address}/metrics`,
    `  status page  ${address}/`,
    "",
    `  ${HURRIES}`,
    "",
    ...simulation.nodes.map(
      ({ name, url }, index) => `  ${name.padEnd(13)}${url}/ext/health  ${states[index]?.scenarios.join(", ") ?? ""}`,
    ),
    ...(simulation.hosted === undefined
      ? []
      : [`  data-api     ${simulation.hosted.dataUrl}`, `  metrics-api  ${simulation.hosted.metricsUrl}`]),
    "",
    "",
  ].join("\n");
}

/** An account of the simulated EVM chains. */
const DEMO_ACCOUNT = "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC";

const SITES = ["north", "south"];
const HOT_WALLET = { address: DEMO_ACCOUNT, name: "hot-wallet", low: 1, chains: ["C"] };

/** The configuration that watches a whole simulated network. */
export function demoConfig(simulation: Simulation): Config {
  const base = defaultConfig();
  return {
    ...base,
    ...demoHosted(simulation),
    watch: { ...base.watch, addresses: [...simulation.wallets.slice(0, 2).flatMap(watched), HOT_WALLET] },
    alerts: shortened(),
    evm: { ...base.evm, websocket: true, proofProbe: true },
    endpoints: { [VmConfigs.id]: { enabled: true }, [TxFee.id]: { enabled: true } },
    nodes: simulation.nodes.map(({ name, url }, index) => ({
      ...defaultNode(name, url),
      labels: { site: SITES[index % SITES.length] ?? "" },
      subnets: simulation.subnets.map(({ id }) => id),
    })),
    subnets: simulation.subnets.map(({ id, name, chainId, chainName }) => ({
      id,
      name,
      chains: [{ id: chainId, name: chainName, evm: true }],
    })),
  };
}

/** A person looks at a demo for minutes: its alerts fire after a tenth of their time. */
const HURRY = 10;
const HURRIES = "This is a demo: alerts fire after a tenth of their time.";

function shortened(): Config["alerts"] {
  const durations = ALERTS.map((alert) => [`${alert.name}.for`, parseDuration(alert.for) ?? 0] as const);
  return Object.fromEntries(
    durations.flatMap(([name, seconds]) => (seconds === 0 ? [] : [[name, `${Math.ceil(seconds / HURRY)}s`]])),
  );
}

/** A wallet's addresses on P and C, each under a name of its own. */
function watched({ name, p, c }: Simulation["wallets"][number]): Config["watch"]["addresses"] {
  return [
    { address: p, name: `${name}-P`, low: 1, chains: [] },
    { address: c, name: `${name}-C`, chains: [] },
  ];
}

const COLLECTION = "0x5FbDB2315678AFECb367f032D93f642f64180aA4";
const WALLET = "avax1g29kh4fppl5t6kh9wk5et588s34a86hqjv0tae";

/** The demo's configuration of the simulated hosted services: a sample of everything; empty without services. */
function demoHosted({ hosted, nodes }: Simulation): Pick<Config, "dataApi" | "metricsApi"> {
  if (hosted === undefined) return {};
  const account = { chain: "43114", address: DEMO_ACCOUNT };
  const connection = { budget: PUBLIC_BUDGET };
  return {
    dataApi: {
      ...connection,
      url: hosted.dataUrl,
      wanted: {
        ...NOTHING_WANTED,
        avaxAssetId: "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z",
        validators: nodes.slice(0, 3).map(({ nodeId }) => nodeId),
        wallets: [WALLET],
        utxoChains: ["p-chain", "x-chain"],
        blockChains: ["p-chain"],
        accounts: [account],
        names: new Map([
          [WALLET, "treasury"],
          [DEMO_ACCOUNT, "hot-wallet"],
        ]),
        chains: ["43114", "99001"],
        tokens: [{ chain: "43114", address: tokenOf("43114") }],
        contracts: [{ chain: "43114", address: COLLECTION }],
        collections: [{ chain: "43114", address: COLLECTION }],
        nfts: [{ chain: "43114", address: COLLECTION, tokenId: "1" }],
      },
    },
    metricsApi: {
      ...connection,
      url: hosted.metricsUrl,
      wanted: { ...NOTHING_WANTED, metricChains: ["43114", "total"], intervals: ["day", "hour"] },
    },
  };
}
