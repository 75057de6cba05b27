import { z } from "zod";
import { didYouMean, quoted } from "../config/base/error-texts.ts";
import { utcText } from "../diagnosis/wording.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import { alertmanagerOf, askAlertmanager, type Alertmanager } from "./remote/alertmanager.ts";
import type { Flags } from "./flags.ts";
import { askExporter, exporterOf, unanswered } from "./remote/ask-exporter.ts";
import { refuse } from "./text/refuse.ts";

/** Seconds. */
const STANDARD = 2 * 3_600;

const created = z.object({ silenceID: z.string() });
export const nodesOfStatus = z.object({ targets: z.array(z.object({ name: z.string(), up: z.boolean().optional() })) });

/** Silences the alerts about one node in Alertmanager for a time, and nothing else. A node that the exporter does not poll is refused. */
export async function silence(flags: Flags, system: System, args: readonly string[]): Promise<ExitCode> {
  const [node, ...others] = args;
  if (node === undefined || others.length > 0) return refuse(system, "silence", "expected the name of one node");
  const exporter = exporterOf(flags);
  try {
    const { targets } = await askExporter(exporter, "/api/v1/status", nodesOfStatus, {});
    const names = targets.map(({ name }) => name);
    if (!names.includes(node))
      return refuse(system, "silence", `no polled node is called ${quoted(node)}${didYouMean(node, names)}`, 1);
  } catch (error) {
    // A mistyped name would silence nothing.
    return unanswered(system, "silence", exporter.url, error, 1);
  }
  const made = await silenceNode(alertmanagerOf(flags), node, flags.for ?? STANDARD, flags, system);
  system.out(`${node} is silent until ${utcText(made.until)}: silence ${made.id}\n`);
  return 0;
}

/** A silence of all alerts about a node. @param seconds how long @throws Refused */
export async function silenceNode(
  asked: Alertmanager,
  node: string,
  seconds: number,
  { comment = "Maintenance", job }: Pick<Flags, "comment" | "job">,
  { env, hostname }: Pick<System, "env" | "hostname">,
): Promise<{ readonly id: string; readonly until: number }> {
  const now = Date.now() / 1000;
  const equal = (name: string, value: string) => ({ name, value, isRegex: false, isEqual: true });
  const body = {
    matchers: [
      { name: "alertname", value: "Avax.+", isRegex: true, isEqual: true },
      equal("node", node),
      ...(job === undefined ? [] : [equal("job", job)]),
    ],
    startsAt: new Date(now * 1000).toISOString(),
    endsAt: new Date((now + seconds) * 1000).toISOString(),
    createdBy: `${env["USER"] ?? "avax-exporter"}@${hostname}`,
    comment,
  };
  const answer = await askAlertmanager(asked, "/api/v2/silences", JSON.stringify(body));
  return { id: created.parse(JSON.parse(answer)).silenceID, until: now + seconds };
}

/** Ends a silence now. @throws Refused */
export async function endSilence(asked: Alertmanager, id: string): Promise<void> {
  await askAlertmanager(asked, `/api/v2/silence/${encodeURIComponent(id)}`, undefined, "DELETE");
}
