import { writeFile } from "node:fs/promises";
import { vi } from "vitest";
import { simulateHosted, type HostedOptions, type SimulatedHosted } from "../../../simulator/hosted/hosted.ts";
import { simulate, type Simulation } from "../../../simulator/simulate.ts";
import { configOf, DENIED, type Running } from "./alert-config.ts";
import { EXPORTERS, FLAGS, fleets, type ExporterName, type Fleet, type FleetName } from "./alert-fleets.ts";
import { fastClock, type Compression } from "./compression.ts";
import { startDaemon, writeConfig, type RunningDaemon } from "./daemon.ts";
import { cleanUpAfter, folder } from "./harness.ts";
import { startTlsFront } from "./tls-front.ts";

/** All targets of the alerts: networks, hosted services and the exporters that poll them, on one fast clock. */
export type Scene = {
  readonly networks: Readonly<Record<FleetName, Simulation>>;
  readonly hosted: Readonly<Record<ExporterName, SimulatedHosted>>;
  readonly exporters: Readonly<Record<ExporterName, RunningDaemon>>;
  /** Starts another network at the address of `swap`; resolves with it. */
  readonly swap: () => Promise<Simulation>;
  /** Gives an exporter a configuration that it cannot accept. */
  readonly breakConfig: (name: ExporterName) => Promise<void>;
};

const READY = { timeout: 60_000, interval: 100 };

const NAMES = Object.keys(EXPORTERS) as readonly ExporterName[];

const HOSTED: Readonly<Record<ExporterName, HostedOptions>> = {
  fleet: { denied: DENIED },
  blind: { key: "a-new-key" },
  odd: {},
  part: {},
  calm: {},
};

export async function startScene(compression: Compression): Promise<Scene> {
  const now = fastClock(compression);
  const plans: Readonly<Record<FleetName, Fleet>> = fleets(Math.floor(compression.start / 1000));
  const networks = await every(Object.keys(plans) as FleetName[], async (name) => {
    const simulation = await simulate({ ...plans[name].simulation, now });
    if (name !== "swap") cleanUpAfter(() => simulation.close());
    return simulation;
  });
  let swapped = networks.swap;
  cleanUpAfter(() => swapped.close());
  const fronts = await every(Object.keys(plans) as FleetName[], (name) => frontOf(plans[name], networks[name]));
  const hosted = await every(NAMES, async (name) => {
    const services = await simulateHosted({ ...HOSTED[name], now });
    cleanUpAfter(services.close);
    return services;
  });
  const at = await folder();
  const files = await every(NAMES, (name) => {
    const running = EXPORTERS[name].map((each): Running => ({
      name: each,
      fleet: plans[each],
      simulation: networks[each],
      tls: fronts[each],
    }));
    return writeConfig(at, configOf(name, running, hosted[name], compression.factor), `${name}.yaml`);
  });
  const start = async (name: ExporterName): Promise<RunningDaemon> => {
    const daemon = await startDaemon(
      [`--config.file=${files[name]}`, "--log.level=info", ...(FLAGS[name] ?? [])],
      compression,
    );
    cleanUpAfter(daemon.child.stop);
    return daemon;
  };
  // One after the other: the first polls of all at once are more than two processors do before the deadlines.
  const fleet = await start("fleet");
  await vi.waitUntil(fleet.isReady, READY);
  const calm = await start("calm");
  await vi.waitUntil(calm.isReady, READY);
  const exporters = { fleet, calm, blind: await start("blind"), odd: await start("odd"), part: await start("part") };
  return {
    networks,
    hosted,
    exporters,
    async swap() {
      const port = Number(new URL(networks.swap.nodes[0]?.url ?? "").port);
      await networks.swap.close();
      swapped = await simulate({ ...plans.swap.simulation, seed: 99, port, now });
      return swapped;
    },
    async breakConfig(name) {
      await writeFile(files[name], "nodes: none of this\n");
      await fetch(`${exporters[name].address}/-/reload`, { method: "POST" });
    },
  };
}

/** Starts the TLS server in front of a node, where the fleet has one. */
async function frontOf({ certificate }: Fleet, { nodes }: Simulation): Promise<Running["tls"]> {
  if (certificate === undefined) return undefined;
  const { node, days } = certificate;
  const front = await startTlsFront(nodes[node - 1]?.url ?? "", days);
  cleanUpAfter(front.close);
  return { node, url: front.url };
}

async function every<K extends string, V>(keys: readonly K[], make: (key: K) => Promise<V>): Promise<Record<K, V>> {
  return Object.fromEntries(await Promise.all(keys.map(async (key) => [key, await make(key)]))) as Record<K, V>;
}
