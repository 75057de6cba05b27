import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { ApiError } from "../api/endpoint.ts";
import { span } from "../config/base/durations.ts";
import { wrapped } from "../config/base/wrapped.ts";
import type { DeepReadonly } from "../config/config.ts";
import { rowsOf, USUAL_DOWN } from "../diagnosis/restart/restart-plan.ts";
import { amount, utcText } from "../diagnosis/wording.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import { alertmanagerOf } from "./remote/alertmanager.ts";
import type { Flags } from "./flags.ts";
import { table } from "./text/table.ts";
import { askExporter, exporterOf, unanswered } from "./remote/ask-exporter.ts";
import { endSilence, nodesOfStatus, silenceNode } from "./silence.ts";
import { printable } from "./text/printable.ts";
import { refuse } from "./text/refuse.ts";

/** Seconds between two questions while a node has to wait. */
const AGAIN = 5;
/** Seconds for which a node was safe before the command that waits says so. */
const SETTLED = 60;

const block = z.object({ reason: z.string(), why: z.string() });
const printedPlan = z.object({
  down: z.number(),
  nodes: z.array(z.object({ node: z.string(), state: z.enum(["safe", "wait", "done"]), block: block.optional() })),
  away: z.array(z.object({ node: z.string(), why: z.string() })),
  batches: z.array(z.object({ from: z.number(), nodes: z.array(z.string()) })),
  left: z.array(z.object({ node: z.string(), block })),
  deadlines: z.array(
    z.object({ network: z.string(), upgrade: z.string().optional(), at: z.number(), fits: z.boolean() }),
  ),
});
type Plan = DeepReadonly<z.output<typeof printedPlan>>;

/**
 * Prints which nodes of a running exporter can go down now, and the order. With a node: whether it can, 0 or 1, for hooks that
 * restart it; with a time, as soon as it can.
 */
export async function restartPlan(
  flags: Flags,
  system: System,
  _args: readonly string[],
  sleep: (seconds: number) => Promise<unknown> = (seconds) => pause(seconds * 1000),
): Promise<ExitCode> {
  const { down, node, wait, version } = flags;
  const exporter = exporterOf(flags);
  if (wait !== undefined && node === undefined) return refuse(system, "restart-plan", "--wait needs --node");
  const query = { down: down === undefined ? undefined : `${down}s`, version };
  const plan = (): Promise<Plan> => askExporter(exporter, "/api/v1/restart", printedPlan, query);
  try {
    if (node !== undefined) {
      const code = await answeredAbout(node, plan, wait ?? 0, sleep, system);
      // A hook restarts it next: the silence ends by itself.
      if (code === 0 && flags.silence === true) await silenceAll([node], down ?? USUAL_DOWN, flags, system);
      return code;
    }
    const found = await plan();
    system.out(planText(found));
    if (flags.silence !== true) return 0;
    const [batch] = found.batches;
    if (batch === undefined) return refuse(system, "restart-plan", "no batch can be restarted", 1);
    return await silencedBatch(batch.nodes, flags, system, sleep);
  } catch (error) {
    return unanswered(system, "restart-plan", exporter.url, error, 1);
  }
}

type Silence = { readonly node: string; readonly id: string; readonly until: number };

async function silenceAll(
  nodes: readonly string[],
  seconds: number,
  flags: Flags,
  system: System,
): Promise<readonly Silence[]> {
  const asked = alertmanagerOf(flags);
  const made: Silence[] = [];
  for (const node of nodes) made.push({ node, ...(await silenceNode(asked, node, seconds, flags, system)) });
  for (const { node, until } of made) system.out(`${printable(node)} is silent until ${utcText(until)}\n`);
  return made;
}

/** Silences nodes until each was down and is back, or until the time of its restart is over. 1: one was not back. */
async function silencedBatch(
  nodes: readonly string[],
  flags: Flags,
  system: System,
  sleep: (seconds: number) => Promise<unknown>,
): Promise<ExitCode> {
  const exporter = exporterOf(flags);
  const seconds = flags.down ?? USUAL_DOWN;
  const open = new Map((await silenceAll(nodes, seconds, flags, system)).map((each) => [each.node, each]));
  system.out("Restart them now.\n");
  const wasDown = new Set<string>();
  for (let passed = 0; open.size > 0 && passed < seconds; passed += AGAIN) {
    await sleep(AGAIN);
    // An exporter that restarts is back soon.
    const found = await Promise.all([
      askExporter(exporter, "/api/v1/status", nodesOfStatus, {}),
      askExporter(exporter, "/api/v1/restart", printedPlan, {}),
    ]).catch(() => undefined);
    const [{ targets }, { away }] = found ?? [{ targets: [] }, { away: [] }];
    for (const { name, up } of targets) {
      if (up === false) wasDown.add(name);
      const silence = open.get(name);
      // A node that bootstraps is up, and not back yet.
      const isBack = up === true && away.every(({ node }) => node !== name);
      if (!isBack || !wasDown.has(name) || silence === undefined) continue;
      await endSilence(alertmanagerOf(flags), silence.id);
      open.delete(name);
      system.out(`${printable(name)} is back: its silence has ended\n`);
    }
  }
  for (const node of open.keys())
    system.out(
      `${printable(node)} ${wasDown.has(node) ? "is not back" : "did not go down"}: its silence has run out\n`,
    );
  return open.size === 0 ? 0 : 1;
}

/**
 * Whether a node can be restarted. Who waits gets no "safe" before it was so for a minute: another node that went down just now may
 * not have been polled since.
 * @param wait seconds
 */
async function answeredAbout(
  node: string,
  plan: () => Promise<Plan>,
  wait: number,
  sleep: (seconds: number) => Promise<unknown>,
  system: System,
): Promise<ExitCode> {
  const tell = (words: string): void => system.out(`${printable(node)}: ${words}\n`);
  for (let [passed, safe] = [0, 0]; ; passed += AGAIN, safe += AGAIN) {
    const isLast = passed >= wait;
    const found = await plan().catch((error: unknown) => {
      // An exporter that restarts is back soon.
      if (isLast || !(error instanceof ApiError)) throw error;
      return undefined;
    });
    const own = found?.nodes.find((each) => each.node === node);
    if (found !== undefined && own === undefined)
      return refuse(system, "restart-plan", `no polled node is called ${printable(node)}`, 1);
    const isSafe = own !== undefined && own.block === undefined;
    if (!isSafe) safe = -AGAIN;
    if (own?.state === "done" || (isSafe && safe >= Math.min(SETTLED, wait))) {
      tell(own.state);
      return 0;
    }
    if (isLast) {
      tell(`wait: ${printable(own?.block?.why ?? "it has been safe for less than a minute.")}`);
      return 1;
    }
    await sleep(AGAIN);
  }
}

/** The plan for a terminal: each node, then the order. */
function planText({ down, nodes, away, batches, left, deadlines }: Plan): string {
  const answerTo = ({ state, block }: Plan["nodes"][number]) =>
    block === undefined ? state : `wait: ${printable(block.why)}`;
  const rows = rowsOf(nodes, answerTo).flatMap((same): ReadonlyArray<readonly [string, string]> => {
    const [first] = same;
    if (first === undefined) return [];
    const names = same.map(({ node }) => printable(node));
    if (names.length === 1) return [[printable(first.node), answerTo(first)]];
    return [
      [amount(names.length, "node"), answerTo(first)],
      ["", names.join(", ")],
    ];
  });
  const order = [
    ...(away.length === 0
      ? []
      : [`Not back yet: ${away.map(({ node, why }) => `${printable(node)} ${printable(why)}`).join("; ")}`]),
    ...batches.map(
      ({ from, nodes: names }, index) =>
        `Batch ${index + 1}, not before ${utcText(from)}: ${names.map(printable).join(", ")}`,
    ),
    ...left.map(({ node, block }) => `No batch for ${printable(node)}: ${printable(block.why)}`),
    ...deadlines.map(
      ({ network, upgrade, at, fits }) =>
        `${printable(network)}: ${printable(upgrade ?? "the upgrade")} activates on ${utcText(at)}, ${fits ? "after" : "NOT after"} the last batch`,
    ),
  ];
  const lines = [
    `Nodes that can go down for ${span(down)} now, each for itself:`,
    ...table(rows),
    "",
    ...order.flatMap((line) => wrapped(line, "  ", "")),
  ];
  return `${lines.join("\n")}\n`;
}
