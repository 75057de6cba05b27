import type { Config } from "../config/config.ts";
import { defaultConfig } from "../config/default-config.ts";
import { quoted } from "../config/base/words.ts";
import { reportOf } from "../diagnosis/report.ts";
import { doctorSince } from "./doctor-since.ts";
import { unobservedNodes } from "../diagnosis/unobserved.ts";
import { configured, polled, problemText } from "../daemon/configuration.ts";
import { examine } from "../daemon/examine.ts";
import type { Flags } from "./flags.ts";
import type { ExitCode, System } from "../runtime/system.ts";

/** Default timeout, seconds. */
const DEFAULT_TIMEOUT = { least: 30, perNode: 0.09 };

/** Polls once and prints a diagnosis. Fails on a critical problem, and when a node could not be examined. */
export async function doctor(flags: Flags, system: System, args: readonly string[]): Promise<ExitCode> {
  if (flags.since !== undefined || flags.exporter !== undefined) return doctorSince(flags, system, args);
  const config = chosen(flags, system, args);
  if ("usage" in config) {
    system.err(`avax-exporter doctor: ${config.usage}\n`);
    return 2;
  }
  if ("problems" in config) {
    system.err(config.problems);
    return 1;
  }
  const report = await examine(config, { limit: flags["doctor.timeout"] ?? timeoutFor(config), system });
  system.out(reportOf(report, system.isTerminal === true && (system.env["NO_COLOR"] ?? "") === ""));
  return report.diagnosis.counts.critical > 0 || unobservedNodes(report).length > 0 ? 1 : 0;
}

function timeoutFor({ nodes }: Config): number {
  return Math.max(DEFAULT_TIMEOUT.least, nodes.length * DEFAULT_TIMEOUT.perNode);
}

type Refusal = { readonly usage: string } | { readonly problems: string };

/** The nodes at the URLs, else those of the configuration, else the node of this machine. */
function chosen(flags: Flags, system: System, args: readonly string[]): Config | Refusal {
  if (args.length > 0 && flags["config.file"] !== undefined) return { usage: "pass URLs or --config.file, not both" };
  if (args.length > 0) return nodesAt(args);
  const loaded = configured(flags["config.file"], system);
  return loaded.ok ? polled(loaded.loaded.config) : { problems: problemText(loaded.problems) };
}

/** A node for each URL, named by its host and port. */
export function nodesAt(args: readonly string[]): Config | { readonly usage: string } {
  const config = defaultConfig();
  const [model] = config.nodes;
  const urls = [...new Set(args)].map((text) => ({ text, url: URL.canParse(text) ? new URL(text) : undefined }));
  const wrong = urls.find(({ url }) => url?.protocol !== "http:" && url?.protocol !== "https:");
  if (wrong !== undefined) return { usage: `${quoted(wrong.text)} is not a URL such as http://127.0.0.1:9650` };
  const nodes = urls.flatMap(({ url }) => {
    if (url === undefined || model === undefined) return [];
    const path = url.pathname.replace(/\/+$/, "");
    return [{ ...model, name: `${url.host}${path}`, url: `${url.origin}${path}` }];
  });
  if (urls.some(({ url }) => url !== undefined && (url.username !== "" || url.password !== "")))
    return { usage: "a URL contains credentials; put the node into a configuration file" };
  return { ...config, nodes };
}
