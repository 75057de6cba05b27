import { runChecks } from "./checks.ts";
import { CHAINS, heightOf } from "../world/heights.ts";
import { chainState } from "../world/chains.ts";
import { peersOf } from "../world/peers.ts";
import { plain, type Interface, type View } from "../world/wire.ts";

/** Native metrics of a real node, not in the specification: a few families in the Prometheus text format. */

const PATH = "/ext/metrics";
const TYPE = "text/plain; version=0.0.4; charset=utf-8";

export const nativeMetrics: Interface = (request, view) => {
  if (request.path !== PATH || view.dialect === "spec") return undefined;
  if (request.method !== "GET") return plain(405, "Method Not Allowed\n");
  return { status: 200, type: TYPE, body: families(view).join("") };
};

function families(view: View): readonly string[] {
  const failing = runChecks(view).filter(({ error }) => error !== undefined).length;
  const heights = CHAINS.filter((chain) => chainState(view, chain) === "running").map(
    (chain) => [`{chain="${chain}"}`, Math.floor(heightOf(view.network, view.index, chain, view.at))] as const,
  );
  return [
    gauge("avalanche_health_checks_failing", "number of currently failing health checks", [
      ['{check="health",tag="all"}', failing],
    ]),
    gauge("avalanche_network_peers", "Number of network peers", [["", peersOf(view).length]]),
    gauge("avalanche_snowman_last_accepted_height", "height of the last accepted block", heights),
  ];
}

function gauge(name: string, help: string, samples: ReadonlyArray<readonly [labels: string, value: number]>): string {
  const lines = samples.map(([labels, value]) => `${name}${labels} ${value}\n`).join("");
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines}`;
}
