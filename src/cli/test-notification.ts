import { setTimeout as sleep } from "node:timers/promises";
import { TEST_ALERT } from "../../generate/alertmanager.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import { amount } from "../diagnosis/wording.ts";
import type { Flags } from "./flags.ts";
import { noAnswer, refuse } from "./text/refuse.ts";

const DEFAULT_ALERTMANAGER = "http://127.0.0.1:9093";
/** For each half, milliseconds: its configuration sends a test within ten seconds, a service answers within some. */
const WITHIN = 40_000;
/** For each request, milliseconds. */
const LIMIT = 10_000;
const SEVERITIES = ["critical", "warning"] as const;
const NAMES = { critical: "page", warning: "ticket" } as const;

/** A sentence that names the problem and the remedy. */
class Refused extends Error {}

/**
 * Sends a page and a ticket through Alertmanager, then their resolution, and prints what it did with them: 0 when its services accepted
 * each. Alertmanager counts by service, not by alert: another notification at the same time can be counted as one of these.
 */
export async function testNotification(flags: Flags, system: System): Promise<ExitCode> {
  const url = flags.alertmanager ?? DEFAULT_ALERTMANAGER;
  const labels = { alertname: TEST_ALERT, job: flags.job ?? "avax-exporter", network: "test", node: "test" };
  const startsAt = new Date().toISOString();
  const send = async (endsAt?: string): Promise<void> => {
    const alerts = SEVERITIES.map((severity) => ({
      labels: { ...labels, severity },
      annotations: {
        summary: `Test ${NAMES[severity]}: nothing is wrong`,
        description: "`avax-exporter test-notification` sent this. No node is concerned.",
        action: "None. Its resolution follows within a minute.",
      },
      startsAt,
      ...(endsAt === undefined ? {} : { endsAt }),
    }));
    await ask(url, "/api/v2/alerts", JSON.stringify(alerts));
  };
  try {
    const metrics = await ask(url, "/metrics");
    if (!metrics.includes("alertmanager_build_info{")) throw new Refused(`${url} is not an Alertmanager`);
    const before = countsIn(metrics);
    await send();
    system.out(`Alertmanager ${url} accepted a test page and a test ticket.\n`);
    const sent = await delivered(url, before, "page and ticket", system);
    // The resolution follows in any case: an unsent test must not stay open.
    const middle = countsIn(await ask(url, "/metrics"));
    await send(new Date().toISOString());
    const resolved = sent && (await delivered(url, middle, "their resolution", system));
    if (!resolved) return 1;
    system.out("Look at the receiver: a page, a ticket and both resolutions must be there.\n");
    return 0;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return refuse(system, "test-notification", error.message, 1);
  }
}

type Counts = { readonly ok: number; readonly failed: number };

/** Waits until the services accepted two notifications, or refused one, and prints the result. */
async function delivered(url: string, before: Counts, what: string, { out, err }: System): Promise<boolean> {
  const start = performance.now();
  // Alertmanager counts a request before its failure: it was accepted when the reading after it has no failure either.
  let earlier = before;
  for (;;) {
    const now = countsIn(await ask(url, "/metrics"));
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

/** The answer of Alertmanager, to a POST where there is a body. */
async function ask(url: string, path: string, body?: string): Promise<string> {
  try {
    const response = await fetch(`${url}${path}`, {
      ...(body === undefined ? {} : { method: "POST", body, headers: { "content-type": "application/json" } }),
      signal: AbortSignal.timeout(LIMIT),
    });
    const text = await response.text();
    if (response.ok) return text;
    throw new Refused(`${url} answered ${response.status}: ${text.slice(0, 200).trim()}`);
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused(
      `${url}: ${noAnswer(error, LIMIT)}; pass the address of a running Alertmanager as --alertmanager`,
    );
  }
}
