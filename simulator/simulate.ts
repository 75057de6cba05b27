import { transmit } from "./http/faults.ts";
import { createWorld, isL1, type World } from "./world/genesis.ts";
import { initialHistory, switched } from "./world/history.ts";
import { behaviourAt, createNetwork, versionAt, type Network } from "./world/network.ts";
import { simulateHosted, type SimulatedHosted } from "./hosted/hosted.ts";
import { settle, type SimulatedDialect, type SimulatorSettings, type SimulatorOptions } from "./world/options.ts";
import { answer } from "./router.ts";
import type { ScenarioName } from "./world/scenarios.ts";
import { listen, type NodeServer } from "./http/server.ts";
import { createSocketHub, type SocketHub } from "./evm/socket-hub.ts";
import { nodeName, stateAt, type NetworkState } from "./world/state.ts";
import { createTraffic, type RequestRecord } from "./http/traffic.ts";
import { ownersOf } from "./world/wallets.ts";
import type { View } from "./world/wire.ts";

/**
 * A simulated Avalanche network: nodes that listen on HTTP and answer like real ones. Answers are pure functions of the options, the
 * scenario changes and simulated time; this file adds the clock, the sockets and the list of changes.
 */

export type { SimulatedDialect, NetworkState, ScenarioName, SimulatorOptions };

export type Simulation = {
  readonly nodes: ReadonlyArray<{ readonly name: string; readonly url: string; readonly nodeId: string }>;
  /** A permissioned subnet (chain perm1), which the option `secondL1` makes an L1 too, and an L1 (chain l1one). */
  readonly subnets: ReadonlyArray<{
    readonly id: string;
    readonly name: string;
    readonly chainId: string;
    readonly chainName: string;
    readonly isL1: boolean;
  }>;
  /** Owners of stakes, with their addresses on P and C. */
  readonly wallets: ReadonlyArray<{ readonly name: string; readonly p: string; readonly c: string }>;
  /** The two hosted services, if the options enable them. */
  readonly hosted: SimulatedHosted | undefined;
  /** Replaces the scenarios of a node (1-based) or of all, "healthy" resets; with a release, the node runs that one from now on. */
  set(node: number | "all", scenario: ScenarioName | ReadonlyArray<ScenarioName>, version?: string): void;
  state(): NetworkState;
  /** The last 10,000 requests, oldest first; nodes are 1-based. */
  requests(): ReadonlyArray<RequestRecord>;
  readonly close: () => Promise<void>;
};

/** Starts the network; it listens when the promise resolves. */
export async function simulate(options: SimulatorOptions = {}): Promise<Simulation> {
  const now = options.now ?? Date.now;
  const settings = settle(options, now());
  const world = createWorld(settings);
  const clock = (): number => Math.floor(settings.start + (now() - settings.start) * (options.speed ?? 1));
  let network = createNetwork(world, initialHistory(settings, options.scenario ?? "healthy"));
  const traffic = createTraffic();
  const timers = new Set<NodeJS.Timeout>();
  const later = (run: () => void): void => {
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        run();
      },
      (options.slowSeconds ?? 3) * 1000,
    );
    timers.add(timer);
  };
  const sockets = createSocketHub((index) => viewOf(network, index, clock()));
  const servers = await listenAll(options, settings, sockets, (index, request, response) => {
    traffic.record(index + 1, request);
    const behaviour = behaviourAt(network, index, clock());
    if (behaviour.links === "down") {
      // Its process ended by itself since the last change. Nothing runs between requests: the first one notices.
      response.socket?.resetAndDestroy();
      openOrClose();
      return;
    }
    response.setHeader("date", new Date(clock()).toUTCString());
    transmit(behaviour.transport, response, () => answer(request, viewOf(network, index, clock())), later);
  });
  const hosted = options.hosted === true ? await startHosted(options, settings, clock) : undefined;
  const openOrClose = (): void => {
    servers.forEach((server, index) => {
      server.open(behaviourAt(network, index, clock()).links !== "down");
    });
  };
  openOrClose();
  return {
    nodes: servers.map(({ port }, i) => describe(world, i, options.host ?? "127.0.0.1", port)),
    subnets: world.subnets.map(({ id, name, chain, chainId }) => ({
      id,
      name,
      chainId,
      chainName: chain,
      isL1: isL1(world, chain),
    })),
    wallets: ownersOf(world).map((owner, i) => ({ name: `owner-${i + 1}`, p: `P-${owner}`, c: `C-${owner}` })),
    set: (node, scenario, version) => {
      const names = typeof scenario === "string" ? [scenario] : scenario;
      network = switched(network, { node, names, version }, clock());
      openOrClose();
    },
    hosted,
    state: () => stateAt(network, clock()),
    requests: () => traffic.recent(),
    close: async () => {
      timers.forEach((timer) => {
        clearTimeout(timer);
      });
      sockets.close();
      await hosted?.close();
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

/** The hosted services have the ports after those of the nodes, and the dialect of the network. */
function startHosted(
  options: SimulatorOptions,
  settings: SimulatorSettings,
  clock: () => number,
): Promise<SimulatedHosted> {
  const port = options.port ?? 0;
  return simulateHosted({
    now: clock,
    host: options.host ?? "127.0.0.1",
    port: port === 0 ? 0 : port + settings.nodes,
    seed: settings.seed,
    dialect: options.dialect === "spec" ? "spec" : "real",
  });
}

function describe(world: World, index: number, host: string, port: number): Simulation["nodes"][number] {
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return { name: nodeName(index), url, nodeId: world.members[index]?.nodeId ?? "" };
}

function viewOf(network: Network, index: number, at: number): View {
  const { dialects } = network.world.settings;
  return { network, index, at, dialect: dialects[index] ?? "avalanchego", version: versionAt(network, index, at) };
}

type Serve = (index: number, ...call: Parameters<Parameters<typeof listen>[2]>) => void;

async function listenAll(
  options: SimulatorOptions,
  settings: SimulatorSettings,
  sockets: SocketHub,
  serve: Serve,
): Promise<NodeServer[]> {
  const port = options.port ?? 0;
  const started = await Promise.allSettled(
    Array.from({ length: settings.nodes }, (_, index) =>
      listen(
        options.host ?? "127.0.0.1",
        port === 0 ? 0 : port + index,
        (request, response) => {
          serve(index, request, response);
        },
        (handshake, stream, head) => {
          sockets.upgrade(index, handshake, stream, head);
        },
      ),
    ),
  );
  const servers = started.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failed = started.find((result) => result.status === "rejected");
  if (failed === undefined) return servers;
  await Promise.all(servers.map((server) => server.close()));
  throw failed.reason;
}
