import { nodeSources } from "../config/read/sources.ts";
import { amount } from "../diagnosis/wording.ts";
import { configured, loadWeb } from "../daemon/load-settings.ts";
import { problemText, type Result } from "../config/base/config-problem.ts";
import type { Flags } from "./flags.ts";
import type { Config } from "../config/config.ts";
import type { Loaded } from "../config/load-config.ts";
import type { LoadedWeb } from "../config/web/load-web-config.ts";
import { nodesOf } from "../daemon/shard/shard.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import { refuse } from "./text/refuse.ts";

/**
 * Prints every problem of the configuration and of the web configuration with its place, or that they are valid. With
 * `--shard.total` it also prints the nodes of each shard.
 */
export function checkConfig(flags: Flags, system: System): ExitCode {
  const { "config.file": file, "web.config.file": webFile, "shard.total": shards = 1 } = flags;
  if (file === undefined && webFile === undefined)
    return refuse(system, "check-config", "--config.file=FILE or --web.config.file=FILE is missing");
  const main = file === undefined ? undefined : configured(file, system, shards > 1);
  const web = webFile === undefined ? undefined : loadWeb(webFile, nodeSources(system.env));
  if (file !== undefined && main !== undefined) printResult(file, main, system);
  if (main?.ok === true) system.out(shards > 1 ? sharesOf(main.loaded.config, shards) : "");
  if (webFile !== undefined && web !== undefined) printResult(webFile, web, system);
  return main?.ok === false || web?.ok === false ? 1 : 0;
}

type Checked = Result<Partial<Loaded & LoadedWeb>>;

function printResult(file: string, result: Checked, { out, err }: System): void {
  const problems = result.ok ? (result.loaded.warnings ?? []) : result.problems;
  err(problemText(problems));
  if (!result.ok) return err(`${file}: ${amount(problems.length, "problem")}\n`);
  const { config } = result.loaded;
  out(`${file}: valid${config === undefined ? "" : `, ${amount(config.nodes.length, "node")}`}\n`);
}

/** The nodes of each shard, one shard per line. */
function sharesOf(config: Config, total: number): string {
  return Array.from({ length: total }, (_, index) => {
    const names = nodesOf(config, { index, total }).map(({ name }) => name);
    return `shard ${index}: ${amount(names.length, "node")}: ${names.join(", ") || "none"}\n`;
  }).join("");
}
