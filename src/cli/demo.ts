import { VmConfigs } from "../api/node/admin.ts";
import { TxFee } from "../api/node/info.ts";
import type { Config } from "../config/config.ts";
import { defaultConfig } from "../config/default-config.ts";
import { simulate, type Simulation } from "../simulator/simulate.ts";
import { createDaemon } from "../daemon/daemon.ts";
import type { Flags } from "./flags.ts";
import { createLogger } from "../daemon/logger.ts";
import { DEMO_ACCOUNT, demoHosted } from "./demo-hosted.ts";
import { lateNodes, withLateNodes } from "./late-nodes.ts";
import { serve } from "../daemon/serve.ts";
import { simulatorOptions } from "./simulation.ts";
import type { ExitCode, System } from "../runtime/system.ts";
import { aboutOf } from "../daemon/version.ts";
import { webFlagsProblem } from "./web-flags.ts";

/** A fleet worth looking at: several kinds of trouble, beside healthy nodes, and an upgrade that is due in an hour. */
const DEMO = {
  nodes: 8,
  scenario: [
    { node: 1, name: "upgrade-ahead" },
    { node: 3, name: "low-uptime" },
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

const SITES = ["north", "south"];
const HOT_WALLET = { address: DEMO_ACCOUNT, name: "hot-wallet", low: 1, chains: ["C"] };

/** Starts a simulated network and the exporter on it, and says where everything is. */
export async function demo(flags: Flags, system: System): Promise<ExitCode> {
  const options = simulatorOptions(flags, { port: 0, hosted: true, ...DEMO });
  const wrong = "problem" in options ? options.problem : webFlagsProblem(flags);
  if ("problem" in options || wrong !== undefined) {
    system.err(`${wrong ?? ""}\n`);
    return 2;
  }
  const simulation = await simulate(options);
  const config = demoConfig(simulation);
  const late = lateNodes(simulation);
  const log = createLogger("warn", "logfmt", system.err);
  const first = createDaemon({
    config: { ...config, nodes: config.nodes.filter(({ name }) => !late.has(name)) },
    log,
    ...aboutOf(system),
    exporterMetrics: true,
  });
  const daemon = withLateNodes(first, config);
  const served = await serve(daemon, flags, system, log, {
    listen: flags["web.listen-address"] ?? "127.0.0.1:9750",
    reload: () => Promise.resolve({ ok: false, message: "the demo has no configuration file" }),
    maskedConfig: () => "# the demo's nodes are made up; see config.example.yaml\n",
    onListening: ({ address }) => system.out(introduction(address, simulation, options.scenario)),
    onComplete: () => system.out(`Complete: ${daemon.exposition.series()} series. Stop with Ctrl-C.\n`),
  });
  await simulation.close();
  return served ? 0 : 1;
}

/** The configuration that watches a whole simulated network. */
export function demoConfig(simulation: Simulation): Config {
  const base = defaultConfig();
  const [node] = base.nodes;
  if (node === undefined) return base;
  return {
    ...base,
    ...demoHosted(simulation),
    watch: { ...base.watch, addresses: [...simulation.wallets.slice(0, 2).flatMap(watched), HOT_WALLET] },
    evm: { ...base.evm, websocket: true, proofProbe: true },
    endpoints: { [VmConfigs.id]: { enabled: true }, [TxFee.id]: { enabled: true } },
    nodes: simulation.nodes.map(({ name, url }, index) => ({
      ...node,
      name,
      url,
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

/** A wallet's addresses on P and C, each under a name of its own. */
function watched({ name, p, c }: Simulation["wallets"][number]): Config["watch"]["addresses"] {
  return [
    { address: p, name: `${name}-P`, low: 1, chains: [] },
    { address: c, name: `${name}-C`, chains: [] },
  ];
}

function introduction(address: string, simulation: Simulation, scenario: unknown): string {
  const special = new Map(
    Array.isArray(scenario)
      ? (scenario as Array<{ node: number; name: string }>).map(({ node, name }) => [node, name])
      : [],
  );
  return [
    "avax-exporter demo: a simulated network and the exporter that watches it",
    "",
    `  metrics      ${address}/metrics`,
    `  status page  ${address}/`,
    "",
    ...simulation.nodes.map(
      ({ name, url }, index) => `  ${name.padEnd(13)}${url}/ext/health  ${special.get(index + 1) ?? "healthy"}`,
    ),
    ...(simulation.hosted === undefined
      ? []
      : [`  data-api     ${simulation.hosted.dataUrl}`, `  metrics-api  ${simulation.hosted.metricsUrl}`]),
    "",
    "",
  ].join("\n");
}
