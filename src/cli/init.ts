import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { quoted } from "../config/base/error-texts.ts";
import { unreadable } from "../config/read/sources.ts";
import { commentedYaml } from "../config/write/commented-yaml.ts";
import { ownCommand } from "../daemon/own-command.ts";
import { summaryOf } from "../diagnosis/report-of.ts";
import { amount } from "../diagnosis/wording.ts";
import { systemClock } from "../runtime/clock.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import { examined } from "./doctor.ts";
import type { Flags } from "./flags.ts";
import { addNodes } from "./init/add-nodes.ts";
import { checked } from "./init/checked.ts";
import { draftOf } from "./init/configuration-draft.ts";
import { distinct, refuseUnanswered, surveyed, surveyText } from "./init/surveyed.ts";
import { noteLines } from "./init/survey-lines.ts";
import { listedUrls, urlsOf } from "./text/urls.ts";
import { isColoured } from "./text/printable.ts";
import { refuse } from "./text/refuse.ts";
import { askReach, takenPorts } from "./stack/ask-reach.ts";
import { askSending } from "./stack/ask-sending.ts";
import { EXPORTER_CONFIG, refusedFolder, stackSteps, writeStack, type StackAnswers } from "./stack/write-stack.ts";

const DEFAULT_URL = "http://127.0.0.1:9650";
const DEFAULT_FILE = "avax-exporter.yaml";
/** `--output=-`: the configuration goes to standard output, everything else to standard error. */
const STANDARD_OUTPUT = "-";
/** Address of the exporter in the job for Prometheus. */
const ADDRESS = "127.0.0.1:9750";

/** Surveys the nodes and writes a configuration for them. Fails when no node answers, and never replaces a file. */
export async function init(flags: Flags, system: System, args: readonly string[]): Promise<ExitCode> {
  const { stack, add } = flags;
  if (stack !== undefined && flags.output !== undefined)
    return refuse(system, "init", "--stack names the folder: omit --output");
  if (stack !== undefined && add === true) return refuse(system, "init", "--add takes a file: name it with --output");
  const ofStack = (["receiver", "page", "ticket", "reached-at", "node-exporter"] as const).find(
    (name) => flags[name] !== undefined,
  );
  if (stack === undefined && ofStack !== undefined) return refuse(system, "init", `--${ofStack} belongs to --stack`);
  const listed = flags.from === undefined ? [] : listedUrls(flags.from);
  const urls = urlsOf(args.length + listed.length === 0 ? [DEFAULT_URL] : [...args, ...listed]);
  if ("usage" in urls) return refuse(system, "init", urls.usage);
  const problem = stack === undefined ? undefined : refusedFolder(stack);
  if (problem !== undefined) return refuse(system, "init", problem, 1);
  const file = stack === undefined ? (flags.output ?? DEFAULT_FILE) : `${stack}/${EXPORTER_CONFIG}`;
  if (add === true) return addNodes(file, urls, flags["allow-down"], system);
  const isPrinted = file === STANDARD_OUTPUT;
  const say = isPrinted ? system.err : system.out;
  if (!isPrinted && existsSync(file))
    return refuse(
      system,
      "init",
      `${file} exists and is not replaced\nAdd nodes to it with --add, write another file with --output=FILE, or print with --output=-.`,
      1,
    );
  const asked = await surveyed(urls, system, say);
  const surveys = distinct(asked);
  const now = systemClock.now();
  const draft = draftOf(surveys, noteLines);
  say(surveyText(asked, surveys, draft.names, now));
  refuseUnanswered(asked, flags["allow-down"]);
  const text = `${header(surveys.length, now)}${commentedYaml(draft.value, draft.notes)}`;
  const config = checked(file, text, system);
  if (config === undefined) return 1;
  let answers: StackAnswers | undefined;
  if (isPrinted) system.out(text);
  else {
    answers = stack === undefined ? undefined : await askAnswers(flags, system);
    const failure = answers === undefined ? create(file, text) : createStack(stack ?? "", text, answers, system);
    if (failure !== undefined) return refuse(system, "init", failure, 1);
    say(`Wrote ${file}: valid, ${amount(config.nodes.length, "node")}.\n\n`);
  }
  const report = await examined(config, flags["doctor.timeout"], system);
  say(`Doctor:\n${summaryOf(report, isColoured(system))}\n`);
  const program = ownCommand(system);
  say(
    stack === undefined
      ? next(isPrinted ? DEFAULT_FILE : file, program)
      : stackSteps(resolve(stack), program, answers?.host, await takenPorts(answers?.nodeExporter ?? false)),
  );
  return 0;
}

/** Asks who gets the alerts, and how people reach the machine. @throws Refused */
async function askAnswers(flags: Flags, system: System): Promise<StackAnswers> {
  const sending = await askSending(flags, system);
  return { sending, nodeExporter: flags["node-exporter"] === true, ...(await askReach(flags["reached-at"], system)) };
}

/** Writes the folder. The reason if that fails, in a sentence. */
function createStack(folder: string, config: string, answers: StackAnswers, { owner }: System): string | undefined {
  if (owner === undefined) return "--stack needs a process of its own";
  return writeStack(config, answers, { folder: resolve(folder), ...owner });
}

function header(nodes: number, now: number): string {
  const date = new Date(now * 1000).toISOString().slice(0, 10);
  return [
    `# Configuration of avax-exporter, written by \`avax-exporter init\` on ${date}`,
    `# from the answers of ${amount(nodes, "node")}.`,
    "# config.example.yaml shows every option with its default.",
    "",
    "",
  ].join("\n");
}

/** Creates the file, unless it exists. The reason if it cannot be created, in a sentence. */
function create(file: string, text: string): string | undefined {
  try {
    writeFileSync(file, text, { flag: "wx", mode: 0o644 });
    return undefined;
  } catch (error) {
    return `${quoted(file)} cannot be written: ${unreadable(error)}`;
  }
}

function next(file: string, program: string): string {
  return [
    "Prometheus:",
    "",
    "scrape_configs:",
    "  - job_name: avax-exporter",
    "    scrape_interval: 15s",
    "    static_configs:",
    `      - targets: ["${ADDRESS}"]`,
    "rule_files:",
    "  - grafana/alerts/rules.yaml # of avax-exporter",
    "",
    "Next:",
    "",
    `  ${program} doctor --config.file=${file}`,
    `  ${program} --config.file=${file}`,
    "",
    `Metrics: http://${ADDRESS}/metrics; status page: http://${ADDRESS}/`,
    "",
  ].join("\n");
}
