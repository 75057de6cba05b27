import { createServer } from "node:http";
import { createDaemon, type Daemon } from "../../src/daemon/daemon.ts";
import { demoConfig } from "../../src/cli/demo.ts";
import { closeServer, listenOn } from "../../test/e2e/support/recording-server.ts";
import type { Config } from "../../src/config/config.ts";
import type { Log } from "../../src/runtime/log.ts";
import { simulate, type ScenarioName, type Simulation, type SimulatorOptions } from "../../simulator/simulate.ts";

/**
 * Time runs faster here, for the networks, the daemon and Prometheus alike: an hour of history in a few minutes. The daemon's
 * samples carry the time of this clock. It goes on by one second at a time, and waits where the machine is too busy.
 */
export type FastClock = {
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly speed: number;
  /** Calls `second` for each second that passes; the returned function stops the clock. */
  readonly run: (second: () => void) => () => void;
};

export function fastClock(start: number, speed: number): FastClock {
  let base = start;
  let since = Date.now();
  return {
    speed,
    now: () => base + Math.min(999, (Date.now() - since) * speed),
    run: (second) => {
      const timer = setInterval(() => {
        base += 1000;
        since = Date.now();
        second();
      }, 1000 / speed);
      return () => clearInterval(timer);
    },
  };
}

/** Something that happens to a node (1-based) in the minute of the picture's hour. */
export type Event = { readonly minute: number; readonly node: number; readonly scenario: ScenarioName };

/** A network of the picture: its nodes by name, and what is the matter with them. */
export type Story = {
  readonly names: readonly string[];
  readonly options: Omit<SimulatorOptions, "now">;
  readonly events: readonly Event[];
};

export type World = { readonly address: string; readonly daemon: Daemon; readonly close: () => Promise<void> };

/** Starts the networks and one daemon that watches them all. */
export async function startWorld(stories: readonly Story[], clock: FastClock): Promise<World> {
  const began = clock.now();
  const simulations = await Promise.all(
    stories.map(({ options, names }) => simulate({ ...options, nodes: names.length, now: clock.now })),
  );
  const daemon = createDaemon({
    config: configOf(simulations, stories),
    log: QUIET,
    version: "0.1.0",
    revision: "pictures",
    nodeVersion: process.version,
    exporterMetrics: true,
    clock: {
      now: () => clock.now() / 1000,
      elapsed: () => performance.now() / 1000,
      // Deadlines are of real time: a busy machine shall not look like a network in trouble.
      after: (seconds, run) => {
        const timer = setTimeout(run, Math.max(0, seconds * 1000));
        return () => clearTimeout(timer);
      },
    },
  });
  const pending = stories.map(({ events }) => [...events]);
  const stop = clock.run(() => {
    const minute = (clock.now() - began) / 60_000;
    pending.forEach((events, index) => {
      while (events[0] !== undefined && events[0].minute <= minute) {
        const { node, scenario } = events.shift() as Event;
        simulations[index]?.set(node, scenario);
      }
    });
    daemon.poller.tick();
  });
  const server = await serveStamped(daemon, clock);
  return {
    address: server.address,
    daemon,
    close: async () => {
      stop();
      await server.close();
      await daemon.poller.close();
      await Promise.all(simulations.map((simulation) => simulation.close()));
    },
  };
}

const QUIET: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A wallet on the EVM chains. */
const RELAYER: Config["watch"]["addresses"][number] = {
  address: "0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc",
  name: "relayer",
  low: 5,
  chains: ["C", "l1one"],
};

/** One configuration for the nodes of all networks, under their names of the story. */
function configOf(simulations: readonly Simulation[], stories: readonly Story[]): Config {
  const configs = simulations.map((simulation) => demoConfig(simulation));
  const [first] = configs;
  if (first === undefined) throw new Error("no network");
  return {
    ...first,
    nodes: configs.flatMap(({ nodes }, index) =>
      nodes.map((node, place) => ({
        ...node,
        name: stories[index]?.names[place] ?? node.name,
        // A server of the specification is not found out for all that it has.
        dialect: stories[index]?.options.overrides?.find((each) => each.node === place + 1)?.dialect ?? node.dialect,
      })),
    ),
    // Names of subnets and chains are there once in a configuration.
    subnets: configs.flatMap(({ subnets }, index) =>
      subnets.map((subnet) => (index === 0 ? subnet : suffixed(subnet, stories[index]?.options.network?.name ?? ""))),
    ),
    watch: {
      ...first.watch,
      addresses: [
        ...configs.flatMap(({ watch }, index) =>
          watch.addresses
            // An account of EVM chains is the same on all networks: the relayer stands for it.
            .filter(({ address }) => !address.startsWith("0x"))
            .map((each) => ({ ...each, name: `${stories[index]?.options.network?.name ?? ""}-${each.name}` })),
        ),
        RELAYER,
      ],
      // The last validators show the odd cases of a record: young, seldom up, renewed by themselves.
      validators:
        simulations[0]
          ?.state()
          .validators.slice(-4)
          .map(({ nodeId }) => nodeId) ?? [],
    },
    // What is not asked by default, because it needs rights or leaves traces.
    evm: { ...first.evm, websocket: true, proofProbe: true },
    endpoints: { "info.getTxFee": { enabled: true, every: 300 }, "admin.getVMConfig": { enabled: true } },
  };
}

function suffixed(subnet: Config["subnets"][number], by: string): Config["subnets"][number] {
  return {
    ...subnet,
    name: `${subnet.name}-${by}`,
    chains: subnet.chains.map((chain) => ({ ...chain, name: `${chain.name}-${by}` })),
  };
}

/** The daemon's exposition with the fast clock's time on every sample. */
async function serveStamped(
  daemon: Daemon,
  clock: FastClock,
): Promise<{ readonly address: string; readonly close: () => Promise<void> }> {
  const server = createServer((_request, response) => {
    void daemon.metrics({ accept: undefined, acceptEncoding: undefined, only: undefined }).then(({ chunks }) => {
      const stamp = ` ${Math.floor(clock.now())}`;
      const text = Buffer.concat(chunks)
        .toString()
        .replaceAll(/^[^#\n].*$/gm, (line) => line + stamp);
      response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(text);
    });
  });
  return { address: `127.0.0.1:${await listenOn(server)}`, close: () => closeServer(server) };
}
