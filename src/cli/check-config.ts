import { amount } from "../diagnosis/wording.ts";
import { configured, problemText } from "../daemon/configuration.ts";
import type { Flags } from "./flags.ts";
import { ownShard } from "../daemon/own-shard.ts";
import { shareOf, sharesOf } from "../daemon/share-text.ts";
import type { ExitCode, System } from "../runtime/system.ts";

/**
 * Prints every problem of the configuration with its place, or that it is valid. With `--shard.total` it also prints the nodes
 * of each shard, with `--shard.index` the share of one shard.
 */
export function checkConfig(flags: Flags, system: System): ExitCode {
  const file = flags["config.file"];
  if (file === undefined) {
    system.err("check-config requires --config.file=FILE\n");
    return 2;
  }
  const total = flags["shard.total"] ?? 1;
  const shard = flags["shard.index"] === undefined ? undefined : ownShard(flags, system);
  if (shard !== undefined && "problem" in shard) {
    system.err(`check-config: ${shard.problem}\n`);
    return 2;
  }
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
