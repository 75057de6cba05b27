import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { TEST_ALERT } from "../../generate/alertmanager.ts";
import { WATCHDOG } from "../topics/exporter/exporter-alerts.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import { amount } from "../diagnosis/wording.ts";
import { alertmanagerOf, askAlertmanager as ask, LIMIT, type Alertmanager } from "./remote/alertmanager.ts";
import type { Flags } from "./flags.ts";
import { noAnswer, Refused } from "./text/refuse.ts";

/** For each half, milliseconds: its configuration sends a test within ten seconds, a service answers within some. */
const WITHIN = 40_000;
const SEVERITIES = ["critical", "warning"] as const;
const NAMES = { critical: "page", warning: "ticket" } as const;

/**
 * Sends a page and a ticket through Alertmanager, then their resolution, and prints what it did with them: 0 when its services accepted
 * each. Alertmanager counts by service, not by alert: another notification at the same time can be counted as one of these.
 * The test has the links of a real alert, and prints whether they open from here.
 */
export async function testNotification(flags: Flags, system: System): Promise<ExitCode> {
  const asked = alertmanagerOf(flags);
  const { url } = asked;
  const labels = { alertname: TEST_ALERT, job: flags.job ?? "avax-exporter", network: "test", node: "test" };
  const startsAt = new Date().toISOString();
  const metrics = await ask(asked, "/metrics");
  if (!metrics.includes("alertmanager_build_info{")) throw new Refused(`${url} is not an Alertmanager`);
  const links = await linksOf(asked);
  const send = async (endsAt?: string): Promise<void> => {
    const alerts = SEVERITIES.map((severity) => ({
      labels: { ...labels, severity },
      annotations: {
        summary: `Test ${NAMES[severity]}: nothing is wrong`,
        description: "`avax-exporter test-notification` sent this. No node is concerned.",
        action: "Open the links. The resolution follows within a minute.",
        ...links,
      },
      startsAt,
      ...(endsAt === undefined ? {} : { endsAt }),
    }));
    await ask(asked, "/api/v2/alerts", JSON.stringify(alerts));
  };
  const before = countsIn(metrics);
  await send();
  system.out(`Alertmanager ${url} accepted a test page and a test ticket.\n`);
  const sent = await delivered(asked, before, "page and ticket", system);
  // The resolution follows in any case: an unsent test must not stay open.
  const middle = countsIn(await ask(asked, "/metrics"));
  await send(new Date().toISOString());
  const resolved = sent && (await delivered(asked, middle, "their resolution", system));
  for (const link of Object.values(links)) system.out(`  ${await opened(link)}\n`);
  if (!resolved) return 1;
  const none = Object.keys(links).length === 0 ? "; its alerts have no links" : ", with links that open on your phone";
  system.out(`Look at the receiver: a page, a ticket and both resolutions must be there${none}.\n`);
  return 0;
}

const watchdogs = z.array(
  z.object({ annotations: z.object({ runbook_url: z.string().optional(), dashboard_url: z.string().optional() }) }),
);

/** The links of the alert that always fires. */
async function linksOf(asked: Alertmanager): Promise<Readonly<Record<string, string>>> {
  const answer = await ask(asked, `/api/v2/alerts?filter=${encodeURIComponent(`alertname="${WATCHDOG}"`)}`);
  const [first] = watchdogs.safeParse(JSON.parse(answer)).data ?? [];
  const links = Object.entries(first?.annotations ?? {});
  return Object.fromEntries(links.flatMap(([name, link]) => (link === undefined ? [] : [[name, link] as const])));
}

/** Whether a link opens from here, in a sentence. */
async function opened(link: string): Promise<string> {
  try {
    const { ok, status } = await fetch(link, { signal: AbortSignal.timeout(LIMIT) });
    if (status === 401) return `${link} opens, with the login`;
    return ok ? `${link} opens` : `${link} does not open: it answered ${status}`;
  } catch (error) {
    return `${link} does not open: ${noAnswer(error, LIMIT)}`;
  }
}

type Counts = { readonly ok: number; readonly failed: number };

/** Waits until the services accepted two notifications, or refused one, and prints the result. */
async function delivered(asked: Alertmanager, before: Counts, what: string, { out, err }: System): Promise<boolean> {
  const start = performance.now();
  // Alertmanager counts a request before its failure: it was accepted when the reading after it has no failure either.
  let earlier = before;
  for (;;) {
    const now = countsIn(await ask(asked, "/metrics"));
    const seconds = Math.ceil((performance.now() - start) / 1000);
    if (now.failed > before.failed) {
      err(
        `avax-exporter test-notification: ${what}: ${amount(now.failed - before.failed, "request")} failed; the log of Alertmanager has the reason\n`,
      );
      return false;
    }
    if (earlier.ok >= before.ok + SEVERITIES.length) {
      out(`  ${what}: accepted after ${seconds} s\n`);
      return true;
    }
    if (performance.now() - start > WITHIN) {
      err(
        `avax-exporter test-notification: ${what}: ${now.ok - before.ok} of ${SEVERITIES.length} were sent within ${WITHIN / 1000} s; a silence holds them back, and without the routes for ${TEST_ALERT} (\`export alertmanager\`) a ticket waits for minutes\n`,
      );
      return false;
    }
    earlier = now;
    await sleep(500);
  }
}

/** Requests to services since the start of Alertmanager. */
function countsIn(metrics: string): Counts {
  const sum = (name: string): number =>
    [...metrics.matchAll(new RegExp(`^alertmanager_notification_requests${name}_total\\{.*\\} (\\S+)$`, "gm"))].reduce(
      (total, [, value]) => total + Number(value),
      0,
    );
  const failed = sum("_failed");
  return { ok: sum("") - failed, failed };
}
