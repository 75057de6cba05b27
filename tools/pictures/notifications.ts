import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SERVICES } from "../../generate/notification-services.ts";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { isImmediate } from "../../src/topics/all/runbook-text.ts";
import { expand } from "../../src/diagnosis/expand-template.ts";
import { withFewColours } from "./few-colours.ts";
import { heightOfPage, screenshot } from "./screenshot.ts";

/** Pictures of a page and a ticket as each service gets them: Alertmanager's own tool renders the shipped templates. */

const WIDTH = 620;
const STACK = "http://watch.example.org";

type Texts = Readonly<Record<string, unknown>>;
type Alert = {
  readonly name: string;
  readonly severity: string;
  readonly nodes: readonly string[];
  readonly value: number;
};

const PAGE: Alert = { name: "AvaxNodeDownBudgetLow", severity: "critical", nodes: ["val-3"], value: 31_620 };
const TICKET: Alert = { name: "AvaxNodeDiskLow", severity: "warning", nodes: ["val-2", "val-4"], value: 8 };

/** What a service shows of its texts. `html`: options that Alertmanager renders as HTML. */
type Look = {
  readonly alert: Alert;
  readonly html?: readonly string[];
  readonly style: string;
  readonly draw: (texts: Readonly<Record<string, string>>) => string;
};

const LOOKS: Readonly<Record<string, Look>> = {
  pagerduty: {
    alert: PAGE,
    style:
      ".card { border-top: 4px solid #c8102e; } pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f4f6f7; padding: 12px; }",
    draw: ({ description = "", severity = "", group = "", client_url = "", "details.firing": firing = "" }) =>
      `<h1>${escaped(description)}</h1><p class="soft">Severity: ${severity} · Class: ${PAGE.name} · Group: ${group}</p>
      <p><a href="${client_url}">View in avax-exporter</a></p><p class="soft">Details · firing</p><pre>${escaped(firing)}</pre>`,
  },
  pushover: {
    alert: PAGE,
    html: ["message"],
    style: ".card { border-radius: 18px; max-width: 420px; margin: auto; }",
    draw: ({ title = "", message = "", url_title = "", priority = "" }) =>
      `<h1>${escaped(title)}</h1><div class="lines">${message}</div><p><a href="">${url_title}</a></p>
      <p class="soft">${priority === "2" ? "Emergency: rings every minute until it is acknowledged" : ""}</p><p><button>Acknowledge</button></p>`,
  },
  telegram: {
    alert: PAGE,
    html: ["message"],
    style: "body { background: #c6d8e6; } .card { border-radius: 14px 14px 14px 2px; max-width: 470px; }",
    draw: ({ message = "" }) => `<div class="lines">${message}</div>`,
  },
  slack: {
    alert: TICKET,
    style: ".card { border-left: 4px solid #daa038; } a { color: #1264a3; }",
    draw: ({ title = "", title_link = "", text = "" }) =>
      `<h1><a href="${title_link}">${escaped(title)}</a></h1><div class="lines">${text
        .replaceAll(/<([^|>]+)\|([^>]+)>/g, '<a href="$1">$2</a>')
        .replaceAll(/\*([^*\n]+)\*/g, "<b>$1</b>")
        .replaceAll(/`([^`\n]+)`/g, "<code>$1</code>")}</div>`,
  },
  email: {
    alert: TICKET,
    html: ["html"],
    style:
      "h2 { font-size: 17px; } .head { border-bottom: 1px solid #d5dade; margin-bottom: 12px; padding-bottom: 8px; }",
    draw: ({ "headers.Subject": subject = "", html = "" }) =>
      `<div class="head"><b>${escaped(subject)}</b><br><span class="soft">alertmanager@example.org</span></div>${html.replaceAll(/<!doctype html>|<\/?(html|body)[^>]*>/g, "")}`,
  },
  discord: {
    alert: TICKET,
    style:
      "body { background: #313338; } .card { background: #2b2d31; color: #dbdee1; border-left: 4px solid #daa038; } a { color: #00a8fc; } code { background: #1e1f22; }",
    draw: ({ title = "", message = "" }) =>
      `<h1>${escaped(title)}</h1><div class="lines">${escaped(message)
        .replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, '<a href="$2">$1</a>')
        .replaceAll(/\*\*([^*\n]+)\*\*/g, "<b>$1</b>")
        .replaceAll(/`([^`\n]+)`/g, "<code>$1</code>")}</div>`,
  },
};

/** Draws a notification of each service. */
export async function drawNotifications(folder: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), "avax-notifications-"));
  for (const [service, look] of Object.entries(LOOKS)) {
    const data = join(work, `${service}.json`);
    await writeFile(data, JSON.stringify(dataOf(look.alert)));
    const options = flat(SERVICES[service as keyof typeof SERVICES].texts as Texts);
    const texts = Object.entries(options).map(
      ([key, text]) => [key, rendered(text, look.html?.includes(key) === true, data)] as const,
    );
    const page = join(work, `${service}.html`);
    await writeFile(page, documentOf(look.style, look.draw(Object.fromEntries(texts))));
    const url = `file://${page}`;
    const file = join(folder, `notification-${service}.png`);
    await screenshot(url, { width: WIDTH, height: await heightOfPage(url, WIDTH), file });
    await withFewColours(file);
    console.log(`notification-${service}.png`);
  }
  await rm(work, { recursive: true });
}

/** The alert as Alertmanager has it: annotations of the shipped rule, filled in as Prometheus does. */
function dataOf({ name, severity, nodes, value }: Alert) {
  const rule = ALERTS.find((each) => each.name === name);
  if (rule === undefined) throw new Error(`no alert ${name}`);
  const { summary, description, action, for: time } = rule;
  const waited = isImmediate(time) ? {} : { waited: time };
  const common = { alertname: name, severity, job: "avax-exporter", network: "mainnet" };
  const startsAt = new Date(Date.UTC(2026, 10, 27, 3, 12)).toISOString();
  const alerts = nodes.map((node, index) => {
    const labels = { ...common, node };
    const filled = (text: string): string => expand(text, { labels, value: value + index });
    const annotations = {
      ...{ summary: filled(summary), description: filled(description), action, ...waited },
      runbook_url: `${STACK}:9750/runbooks/${name}`,
      dashboard_url: `${STACK}:3000/d/avax-node?var-node=${node}`,
    };
    return { status: "firing", labels, annotations, startsAt };
  });
  return {
    status: "firing",
    alerts,
    commonLabels: nodes.length === 1 ? { ...common, node: nodes[0] } : common,
    externalURL: `${STACK}:9093`,
  };
}

function rendered(text: string, isHtml: boolean, data: string): string {
  const { status, stdout, stderr } = spawnSync(
    "amtool",
    [
      ...["template", "render", "--template.glob=grafana/alerts/avax.tmpl", `--template.text=${text}`],
      ...[`--template.type=${isHtml ? "html" : "text"}`, `--template.data=${data}`],
    ],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** The texts of nested options by their path: `details.firing`. */
function flat(texts: Texts, before = ""): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === "string"
        ? [[`${before}${key}`, value] as const]
        : typeof value === "object"
          ? Object.entries(flat(value as Texts, `${before}${key}.`))
          : [],
    ),
  );
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function documentOf(style: string, body: string): string {
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; padding: 16px; background: #eef1f3; font: 14px/1.5 "DejaVu Sans", sans-serif; }
    .card { background: #fff; border-radius: 6px; padding: 14px 16px; overflow-wrap: anywhere; }
    h1 { font-size: 16px; margin: 0 0 8px; } p { margin: 8px 0; } .soft { color: #6b757d; }
    .lines { white-space: pre-line; } code, pre { font: 12px "DejaVu Sans Mono", monospace; } a { color: #2470c8; }
    ${style}</style><body><div class="card">${body}</div>
    <script>document.body.dataset.height = Math.ceil(document.querySelector(".card").getBoundingClientRect().bottom + 16)</script>`;
}
