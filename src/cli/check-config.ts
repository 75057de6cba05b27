import { nodeSources } from "../config/read/sources.ts";
import { amount } from "../diagnosis/wording.ts";
import { configured, loadWeb } from "../daemon/settings.ts";
import { problemText } from "../config/base/problem.ts";
import type { Flags } from "./flags.ts";
import { ownShard } from "../daemon/own-shard.ts";
import type { Config } from "../config/config.ts";
import { nodesOf, type Shard } from "../daemon/shard/shard.ts";
import type { ExitCode, System } from "../daemon/system.ts";

/**
 * Prints every problem of the configuration and of the web configuration with its place, or that they are valid. With
 * `--shard.total` it also prints the nodes of each shard, with `--shard.index` the share of one shard.
 */
export function checkConfig(flags: Flags, system: System): ExitCode {
  const { "config.file": file, "web.config.file": webFile } = flags;
  if (file === undefined && webFile === undefined) {
    system.err("check-config requires --config.file=FILE or --web.config.file=FILE\n");
    return 2;
  }
  const shard = flags["shard.index"] === undefined ? undefined : ownShard(flags, system);
  if (shard !== undefined && "problem" in shard) {
    system.err(`check-config: ${shard.problem}\n`);
    return 2;
  }
  const codes = [
    file === undefined ? 0 : checkMain(file, flags, shard, system),
    webFile === undefined ? 0 : checkWeb(webFile, system),
  ];
  return codes.includes(1) ? 1 : 0;
}

function checkMain(file: string, flags: Flags, shard: Shard | undefined, system: System): ExitCode {
  const total = flags["shard.total"] ?? 1;
  const result = configured(file, system, total > 1);
  if (!result.ok) {
    system.err(problemText(result.problems));
    system.err(`${file}: ${amount(result.problems.length, "problem")}\n`);
    return 1;
  }
  system.err(problemText(result.loaded.warnings));
  const { config } = result.loaded;
  system.out(`${file}: valid, ${amount(config.nodes.length, "node")}\n`);
  if (shard !== undefined) system.out(shareOf(config, shard));
  else if (total > 1) system.out(sharesOf(config, total));
  return 0;
}

function checkWeb(file: string, { env, out, err }: System): ExitCode {
  const result = loadWeb(file, nodeSources(env));
  if (result.ok) {
    err(problemText(result.loaded.warnings));
    out(`${file}: valid\n`);
    return 0;
  }
  err(problemText(result.problems));
  err(`${file}: ${amount(result.problems.length, "problem")}\n`);
  return 1;
}

/** Describes the share of one shard. */
function shareOf(config: Config, shard: Shard): string {
  const own = nodesOf(config, shard);
  const hosted = [config.dataApi, config.metricsApi].some((service) => service !== undefined);
  const networks = [...new Set(config.nodes.map(({ network }) => network ?? ""))];
  const whole = `networks (${networks.join(", ")}), watched addresses${hosted ? " and hosted services" : ""}`;
  return [
    `shard ${shard.index} (of 0 to ${shard.total - 1}) polls ${amount(own.length, "node")}: ${list(own)}`,
    shard.index === 0 ? `  also exports ${whole}` : `  shard 0 exports ${whole}`,
    "",
  ].join("\n");
}

/** Lists the nodes of each shard, one shard per line. */
function sharesOf(config: Config, total: number): string {
  return Array.from({ length: total }, (_, index) => {
    const own = nodesOf(config, { index, total });
    return `shard ${index}: ${amount(own.length, "node")}: ${list(own)}\n`;
  }).join("");
}

function list(nodes: ReadonlyArray<{ readonly name: string }>): string {
  return nodes.length === 0 ? "none" : nodes.map(({ name }) => name).join(", ");
}
