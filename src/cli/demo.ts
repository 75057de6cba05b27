import { simulate, type Simulation } from "../../simulator/simulate.ts";
import { createDaemon } from "../daemon/daemon.ts";
import type { Flags } from "./flags.ts";
import { createLogger } from "../daemon/logger.ts";
import { listenPlaces } from "./listen-places.ts";
import { demoConfig } from "./demo/demo-config.ts";
import { lateNodes, withLateNodes } from "./demo/late-nodes.ts";
import { serve } from "../daemon/serve.ts";
import { createFreeing, ownHeap } from "../runtime/heap.ts";
import { simulated } from "./simulate.ts";
import type { ExitCode, System } from "../runtime/system.ts";
import { aboutOf } from "../daemon/version.ts";
import { refuse } from "./refuse.ts";

/** The demo's fleet: nodes with several problems, healthy nodes, and an upgrade that is due in an hour. */
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
  const config = demoConfig(simulation);
  const late = lateNodes(simulation);
  const log = createLogger("warn", "logfmt", system.err);
  const first = createDaemon({
    config: { ...config, nodes: config.nodes.filter(({ name }) => !late.has(name)) },
    log,
    ...aboutOf(system),
    exporterMetrics: true,
    watching: true,
    freeing: createFreeing(ownHeap()),
    links: { url: flags["web.external-url"], dashboardsUrl: flags["web.dashboards-url"] },
  });
  const daemon = withLateNodes(first, config);
  const served = await serve(daemon, system, log, {
    ...places,
    maxRequests: flags["web.max-requests"],
    externalUrl: flags["web.external-url"],
    telemetryPath: flags["web.telemetry-path"],
    badges: flags["web.badges"],
    reload: () => Promise.resolve({ ok: false, message: "the demo has no configuration file" }),
    maskedConfig: () => "# the demo generates its configuration; config.example.yaml shows the format\n",
    onListening: ({ address }) => system.out(introduction(address, simulation)),
    onComplete: () => system.out(`Complete: ${daemon.exposition.series()} series. Stop with Ctrl-C.\n`),
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
