import type { Config } from "../config/config.ts";
import { defaultConfig, defaultNode } from "../config/default-config.ts";
import type { DiagnosisReport } from "../diagnosis/finding.ts";
import { reportOf } from "../diagnosis/report-of.ts";
import { unobservedNodes } from "../diagnosis/unobserved-nodes.ts";
import { configured, polled } from "../daemon/load-settings.ts";
import { examine, type Step } from "../daemon/examine.ts";
import { paint } from "../diagnosis/wording.ts";
import { VERSION } from "../daemon/version.ts";
import { unknownFamilies } from "./doctor/unknown-families.ts";
import { unknownText } from "./doctor/unknown-text.ts";
import { dayText, printedDay } from "./text/day-text.ts";
import { askExporter, exporterOf, unanswered } from "./remote/ask-exporter.ts";
import type { Flags } from "./flags.ts";
import { progressBar, withProgress } from "./text/with-progress.ts";
import { urlsOf } from "./text/urls.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import { isColoured } from "./text/printable.ts";
import { refuse, refuseFile } from "./text/refuse.ts";

/** Default timeout, seconds: at least, and for each node of a large fleet. */
const LEAST_TIMEOUT = 30;
const TIMEOUT_PER_NODE = 0.09;

/** Polls once and prints a diagnosis. 1: there are problems; 2: it could not look at all nodes, and found none. */
export async function doctor(flags: Flags, system: System, args: readonly string[]): Promise<ExitCode> {
  if ((flags.since ?? flags.exporter) !== undefined && flags.unknown === true)
    return refuse(system, "doctor", "--unknown asks nodes: pass neither --since nor --exporter");
  if (flags.since !== undefined || flags.exporter !== undefined) return doctorSince(flags, system, args);
  const config = chosen(flags, system, args);
  if (config === undefined) return 2;
  const report = await examined(config, flags["doctor.timeout"], system);
  if (flags.unknown === true) return printUnknown(report, config, system);
  system.out(reportOf(report, isColoured(system)));
  const { critical, warning } = report.diagnosis.counts;
  if (critical + warning > 0) return 1;
  return unobservedNodes(report).length > 0 ? 2 : 0;
}

/** Prints what is new to this release, with the nodes' own metrics. 1: something is; 2: it could not look at all nodes, and found nothing. */
async function printUnknown(report: DiagnosisReport, { nodes }: Config, system: System): Promise<ExitCode> {
  const found: Array<readonly [node: string, families: readonly string[] | undefined]> = [];
  // One after the other: each answer has a megabyte.
  for (const node of nodes) if (!node.publicServer) found.push([node.name, await unknownFamilies(node)]);
  const senders = found.flatMap(([node, families = []]) => families.map((name) => ({ name, node })));
  const families = [...Map.groupBy(senders, ({ name }) => name)].map(([name, all]) => ({
    ...{ kind: "family" as const, name },
    nodes: all.map(({ node }) => node),
  }));
  const unread = found.flatMap(([node, all]) => (all === undefined ? [node] : []));
  const names = [...report.unknown, ...families];
  system.out(unknownText(report, names, unread, VERSION));
  if (names.length > 0) return 1;
  return unobservedNodes(report).length > 0 ? 2 : 0;
}

/** Prints the history of a running exporter. 1: a problem is open; 2: the exporter does not answer. */
async function doctorSince(flags: Flags, system: System, args: readonly string[]): Promise<ExitCode> {
  const { since, "doctor.timeout": timeout } = flags;
  const exporter = exporterOf(flags);
  if (since === undefined) return refuse(system, "doctor", "--exporter needs --since, such as --since=24h");
  if (args.length > 0 || flags["config.file"] !== undefined)
    return refuse(system, "doctor", "--since asks an exporter, not nodes: pass neither URLs nor --config.file");
  try {
    const answer = askExporter(exporter, "/api/v1/history", printedDay, { since: `${since}s` }, timeout);
    const day = await withProgress(system, `asking ${exporter.url}`, answer);
    system.out(dayText(day, paint(isColoured(system))));
    const open = day.problems.filter(({ ended }) => ended === undefined);
    return open.some(({ severity }) => severity === "critical" || severity === "warning") ? 1 : 0;
  } catch (error) {
    return unanswered(system, "doctor", exporter.url, error, 2);
  }
}

/** Examines the nodes and shows the progress. @param limit seconds; default: by the number of nodes */
export function examined(config: Config, limit: number | undefined, system: System): Promise<DiagnosisReport> {
  let bar = "examining";
  const onStep = ({ name, done, total }: Step): void => void (bar = progressBar(name, done, total));
  const standard = Math.max(LEAST_TIMEOUT, config.nodes.length * TIMEOUT_PER_NODE);
  const report = examine(config, { limit: limit ?? standard, system, onStep });
  return withProgress(system, () => bar, report);
}

/** The nodes at the URLs, else those of the configuration, else the node of this machine; it prints why there are none. */
function chosen(flags: Flags, system: System, args: readonly string[]): Config | undefined {
  const file = flags["config.file"];
  if (args.length > 0) {
    const found = file === undefined ? nodesAt(args) : { usage: "pass URLs or --config.file, not both" };
    if (!("usage" in found)) return found;
    refuse(system, "doctor", found.usage);
    return undefined;
  }
  const loaded = configured(file, system);
  if (loaded.ok) return polled(loaded.loaded.config);
  refuseFile(system, loaded.problems);
  return undefined;
}

/** A node for each URL, named by its host and port. */
export function nodesAt(args: readonly string[]): Config | { readonly usage: string } {
  const urls = urlsOf(args);
  if ("usage" in urls) return urls;
  return { ...defaultConfig(), nodes: urls.map((url) => defaultNode(url.replace(/^https?:\/\//, ""), url)) };
}
