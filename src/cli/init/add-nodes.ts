import { writeFileSync } from "node:fs";
import { quoted } from "../../config/base/error-texts.ts";
import type { Config } from "../../config/config.ts";
import { unreadable } from "../../config/read/sources.ts";
import { withItem } from "../../config/write/with-item.ts";
import { configured } from "../../daemon/load-settings.ts";
import type { ExitCode, System } from "../../daemon/system.ts";
import { amount, listed } from "../../diagnosis/wording.ts";
import { systemClock } from "../../runtime/clock.ts";
import { fileText, Refused, refuseFile } from "../text/refuse.ts";
import { checked } from "./checked.ts";
import { nodeNames, nodeOf } from "./configuration-draft.ts";
import type { Survey } from "./survey.ts";
import { distinct, refuseUnanswered, surveyed, surveyText } from "./surveyed.ts";
import { noteLines } from "./survey-lines.ts";

/** `init --add`: puts the nodes into an existing file, whose other lines stay as they are. @throws Refused */
export async function addNodes(
  file: string,
  urls: readonly string[],
  allowsDown: boolean | undefined,
  system: System,
): Promise<ExitCode> {
  let text = fileText(file);
  const present = configured(file, system);
  if (!present.ok) return refuseFile(system, present.problems);
  const { nodes, subnets } = present.loaded.config;
  const asked = await surveyed(urls, system, system.out);
  const surveys = distinct(asked);
  const names = nodeNames(surveys, nodes);
  system.out(surveyText(asked, surveys, names, systemClock.now()));
  refuseUnanswered(asked, allowsDown);
  const known = surveys.flatMap((found) => nodes.filter((node) => isSame(node, found)).map(({ name }) => name));
  if (known.length > 0) throw new Refused(`${file} has ${listed(known, 5)} already, so nothing was written`);
  for (const [index, found] of surveys.entries()) {
    const added = withItem(text, "nodes", nodeOf(found, names[index] ?? "", subnets), noteLines(found));
    if (added === undefined)
      throw new Refused(`${file} has no list of nodes that can be continued: add the node by hand`);
    text = added;
  }
  const config = checked(file, text, system);
  if (config === undefined) return 1;
  write(file, text);
  system.out(`Added ${listed(names, 5)} to ${file}: valid, ${amount(config.nodes.length, "node")}.\n`);
  for (const id of new Set(surveys.flatMap((found) => found.subnets.map((subnet) => subnet.id))))
    if (!subnets.some((subnet) => subnet.id === id))
      system.out(`Subnet ${id} is not in ${file}: add it under subnets, and to its nodes.\n`);
  system.out("A running exporter takes it on SIGHUP, or by itself with --config.enable-auto-reload.\n");
  return 0;
}

function isSame(node: Config["nodes"][number], { url, nodeId }: Survey): boolean {
  return node.url === url || (nodeId !== undefined && node.nodeId === nodeId);
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new Refused(`${quoted(file)} cannot be written: ${unreadable(error)}`);
  }
}
