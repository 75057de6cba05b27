import type { Config } from "../config/config.ts";
import { nodesOf, type Shard } from "../poller/shard/shard.ts";

/** Describes the share of one shard. */
export function shareOf(config: Config, shard: Shard): string {
  const own = nodesOf(config, shard);
  const hosted = [config.dataApi, config.metricsApi].some((service) => service !== undefined);
  const networks = [...new Set(config.nodes.map(({ network }) => network ?? ""))];
  const whole = `networks (${networks.join(", ")}), watched addresses${hosted ? " and hosted services" : ""}`;
  return [
    `shard ${shard.index} (of 0 to ${shard.total - 1}) polls ${own.length} ${own.length === 1 ? "node" : "nodes"}: ${list(own)}`,
    shard.index === 0 ? `  also exports ${whole}` : `  shard 0 exports ${whole}`,
    "",
  ].join("\n");
}

/** Lists the nodes of each shard, one shard per line. */
export function sharesOf(config: Config, total: number): string {
  return Array.from({ length: total }, (_, index) => {
    const own = nodesOf(config, { index, total });
    return `shard ${index}: ${own.length} ${own.length === 1 ? "node" : "nodes"}: ${list(own)}\n`;
  }).join("");
}

function list(nodes: ReadonlyArray<{ readonly name: string }>): string {
  return nodes.length === 0 ? "none" : nodes.map(({ name }) => name).join(", ");
}
