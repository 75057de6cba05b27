import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { alertmanagerExample } from "../../generate/alertmanager.ts";
import { startNotifying, type SentAlert } from "./support/notification-services.ts";

/** Each text of the shipped receivers and templates, as a real Alertmanager sends it; all at once, each about nodes of its own. */

let notifying: Awaited<ReturnType<typeof startNotifying>>;
beforeAll(async () => {
  notifying = await startNotifying(parse(alertmanagerExample()) as Parameters<typeof startNotifying>[0]);
}, 30_000);
afterAll(() => notifying.stop());

const TIMEOUT = 60_000;
const G = "https://g.example/d/avax-node?var-network=fuji&var-node=";

/** The form of Alertmanager that silences an alert of a test. */
const silence = (name: string, node: string): string =>
  `http://alertmanager.example/#/silences/new?filter=${encodeURIComponent(`{alertname="${name}",job="avax",network="fuji",node="${node}"}`)}`;
/** The same in HTML, whose escapes are lower case. */
const inHtml = (name: string, node: string): string =>
  silence(name, node).replaceAll(/%\w\w/g, (escape) => escape.toLowerCase());

/** When the alerts begin: now, because Alertmanager sends an older alert at once, without the others of its group. */
let began = new Date();
let SINCE = "";
let ENDED = "";
beforeAll(() => {
  began = new Date();
  const minute = (after: number) => new Date(began.getTime() + after).toISOString().slice(0, 16).replace("T", " ");
  SINCE = `(since ${minute(0)} UTC)`;
  ENDED = `(until ${minute(1000)} UTC)`;
});

function alert(name: string, severity: string, node: string, summary: string, over?: string): SentAlert {
  return {
    labels: { alertname: name, severity, job: "avax", network: "fuji", node },
    annotations: {
      summary: `${node} ${summary}`,
      description: `The node isn't < 3 & "well".`,
      action: "Start it. Open TCP port 9651.",
      runbook_url: `https://avax.example/runbooks/${name}`,
      dashboard_url: `${G}${encodeURIComponent(node)}`,
      ...(over === undefined ? {} : { over }),
    },
    startsAt: began.toISOString(),
  };
}

const resolved = (sent: SentAlert): SentAlert => ({ ...sent, endsAt: new Date(began.getTime() + 1000).toISOString() });
const lines = (...text: readonly string[]): string => text.map((line) => `${line}\n`).join("");

it.concurrent("a page of two nodes, of one that remains, and its end", { timeout: TIMEOUT }, async () => {
  const down = (node: string) => alert("AvaxNodeDown", "critical", node, "does not answer", "answers again");
  const [one, two] = [down("sim-3"), down("a<b>&c")];
  const runbook = "https://avax.example/runbooks/AvaxNodeDown";

  const event = (event_action: string, summary: string, firing: string, ended: string, counts: [string, string]) => ({
    to: "pagerduty",
    body: {
      ...{ routing_key: "a-key", dedup_key: expect.any(String) as string, event_action },
      ...{ client: "avax-exporter", client_url: runbook },
      payload: {
        ...{ summary, source: "avax-exporter", severity: "critical", class: "AvaxNodeDown", group: "fuji" },
        custom_details: { firing, resolved: ended, num_firing: counts[0], num_resolved: counts[1] },
      },
    },
  });
  const chat = (text: string) => ({
    to: "telegram",
    body: { chat_id: "-1", disable_web_page_preview: "true", parse_mode: "HTML", text },
  });
  const toDo = lines("What to do: Start it. Open TCP port 9651.", `Runbook: ${runbook}`, "");
  const ofThree = [
    `- sim-3 does not answer ${SINCE}`,
    `  The node isn't < 3 & "well".`,
    `  Dashboard: ${G}sim-3`,
    `  Silence for 2 h: ${silence("AvaxNodeDown", "sim-3")}`,
  ];
  const inChat = {
    three: `• sim-3 does not answer ${SINCE} <a href="${G.replace("&", "&amp;")}sim-3">Dashboard</a> <a href="${inHtml("AvaxNodeDown", "sim-3")}">Silence for 2 h</a>`,
    toDo: `<b>What to do:</b> Start it. Open TCP port 9651.\n<a href="${runbook}">Runbook</a>`,
  };

  expect(await notifying.notify([one, two], 2)).toEqual([
    event(
      "trigger",
      "CRITICAL: a<b>&c does not answer; also sim-3",
      toDo +
        lines(
          `- a<b>&c does not answer ${SINCE}`,
          `  The node isn't < 3 & "well".`,
          `  Dashboard: ${G}a%3Cb%3E%26c`,
          `  Silence for 2 h: ${silence("AvaxNodeDown", "a<b>&c")}`,
          ...ofThree,
        ),
      "",
      ["2", "0"],
    ),
    chat(
      lines(
        "<b>CRITICAL: a&lt;b&gt;&amp;c does not answer; also sim-3</b>",
        inChat.toDo,
        `• a&lt;b&gt;&amp;c does not answer ${SINCE} <a href="${G.replace("&", "&amp;")}a%3Cb%3E%26c">Dashboard</a> <a href="${inHtml("AvaxNodeDown", "a<b>&c")}">Silence for 2 h</a>`,
        inChat.three,
      ),
    ),
  ]);

  expect(await notifying.notify([one, resolved(two)], 2)).toEqual([
    event(
      "trigger",
      "CRITICAL: sim-3 does not answer",
      toDo + lines(...ofThree),
      lines("Resolved:", `- a<b>&c answers again after 1 s ${ENDED}`),
      ["1", "1"],
    ),
    chat(
      lines(
        "<b>CRITICAL: sim-3 does not answer</b>",
        inChat.toDo,
        inChat.three,
        "<b>Resolved:</b>",
        `• a&lt;b&gt;&amp;c answers again after 1 s ${ENDED}`,
      ),
    ),
  ]);

  const ended = `sim-3 answers again after 1 s ${ENDED}`;
  expect(await notifying.notify([resolved(one)], 2)).toEqual([
    event("resolve", "RESOLVED: sim-3 answers again after 1 s", "", lines("Resolved:", `- ${ended}`), ["0", "1"]),
    chat(lines("<b>RESOLVED: sim-3 answers again after 1 s</b>", "<b>Resolved:</b>", `• ${ended}`)),
  ]);
});

type Slack = { readonly attachments: readonly [Readonly<Record<string, unknown>>] };
type Mail = { readonly headers: Readonly<Record<string, string>>; readonly parts: Readonly<Record<string, string>> };

async function ticket(alerts: readonly SentAlert[]) {
  const [mail, slack] = await notifying.notify(alerts, 2);
  const { title, title_link, text, fallback, color } = (slack?.body as Slack).attachments[0];
  const { headers, parts } = mail?.body as Mail;
  return {
    slack: { title, title_link, text, fallback, color },
    subject: headers["subject"],
    plain: parts["text/plain"],
    html: parts["text/html"],
  };
}

const page = (...body: readonly string[]): string =>
  lines(
    "<!doctype html>",
    '<html lang="en">',
    '<body style="font-family: sans-serif; max-width: 40em">',
    ...body,
    "</body>",
    "</html>",
  );

it.concurrent("a ticket of two nodes, and its end", { timeout: TIMEOUT }, async () => {
  const low = (node: string) => alert("AvaxNodeDiskLow", "warning", node, "has 8 % of its disk left", "has room again");
  const alerts = [low("sim-4"), low("d<b>&c")];
  const title = "d<b>&c has 8 % of its disk left; also sim-4";
  const over = "RESOLVED: d<b>&c has room again after 1 s; also sim-4";
  const runbook = "https://avax.example/runbooks/AvaxNodeDiskLow";
  const dashboard = (node: string) => `${G.replace("&", "&amp;")}${node}`;

  expect(await ticket(alerts)).toEqual({
    slack: {
      title: `WARNING: ${title}`,
      title_link: runbook,
      fallback: `WARNING: ${title}`,
      color: "warning",
      text: lines(
        "*What to do:* Start it. Open TCP port 9651.",
        `<${runbook}|Runbook>`,
        `• *d&lt;b&gt;&amp;c has 8 % of its disk left* ${SINCE} <${dashboard("d%3Cb%3E%26c")}|Dashboard> <${silence("AvaxNodeDiskLow", "d<b>&c")}|Silence for 2 h>`,
        `The node isn't &lt; 3 &amp; "well".`,
        `• *sim-4 has 8 % of its disk left* ${SINCE} <${dashboard("sim-4")}|Dashboard> <${silence("AvaxNodeDiskLow", "sim-4")}|Silence for 2 h>`,
        `The node isn't &lt; 3 &amp; "well".`,
      ),
    },
    subject: `WARNING: ${title}`,
    plain: lines(
      "What to do: Start it. Open TCP port 9651.",
      `Runbook: ${runbook}`,
      "",
      `- d<b>&c has 8 % of its disk left ${SINCE}`,
      `  The node isn't < 3 & "well".`,
      `  Dashboard: ${G}d%3Cb%3E%26c`,
      `  Silence for 2 h: ${silence("AvaxNodeDiskLow", "d<b>&c")}`,
      `- sim-4 has 8 % of its disk left ${SINCE}`,
      `  The node isn't < 3 & "well".`,
      `  Dashboard: ${G}sim-4`,
      `  Silence for 2 h: ${silence("AvaxNodeDiskLow", "sim-4")}`,
      "",
    ),
    html: page(
      "<h2>WARNING: d&lt;b&gt;&amp;c has 8 % of its disk left; also sim-4</h2>",
      "<p><b>What to do:</b> Start it. Open TCP port 9651.</p>",
      `<p><a href="${runbook}">Runbook</a></p>`,
      "<ul>",
      `<li><b>d&lt;b&gt;&amp;c has 8 % of its disk left</b> ${SINCE}<br>The node isn&#39;t &lt; 3 &amp; &#34;well&#34;.<br><a href="${dashboard("d%3Cb%3E%26c")}">Dashboard</a><br><a href="${inHtml("AvaxNodeDiskLow", "d<b>&c")}">Silence for 2 h</a></li>`,
      `<li><b>sim-4 has 8 % of its disk left</b> ${SINCE}<br>The node isn&#39;t &lt; 3 &amp; &#34;well&#34;.<br><a href="${dashboard("sim-4")}">Dashboard</a><br><a href="${inHtml("AvaxNodeDiskLow", "sim-4")}">Silence for 2 h</a></li>`,
      "</ul>",
    ),
  });

  expect(await ticket(alerts.map(resolved))).toEqual({
    slack: {
      title: over,
      title_link: runbook,
      fallback: over,
      color: "good",
      text: lines(
        "*Resolved:*",
        `• d&lt;b&gt;&amp;c has room again after 1 s ${ENDED}`,
        `• sim-4 has room again after 1 s ${ENDED}`,
      ),
    },
    subject: over,
    plain: lines(
      "Resolved:",
      `- d<b>&c has room again after 1 s ${ENDED}`,
      `- sim-4 has room again after 1 s ${ENDED}`,
      "",
    ),
    html: page(
      "<h2>RESOLVED: d&lt;b&gt;&amp;c has room again after 1 s; also sim-4</h2>",
      "<h3>Resolved</h3>",
      "<ul>",
      `<li>d&lt;b&gt;&amp;c has room again after 1 s ${ENDED}</li>`,
      `<li>sim-4 has room again after 1 s ${ENDED}</li>`,
      "</ul>",
    ),
  });
});

it.concurrent("a ticket of many nodes shows the first and counts all", { timeout: TIMEOUT }, async () => {
  const alerts = Array.from({ length: 12 }, (_, at) =>
    alert("AvaxNodeOutdated", "warning", `many-${10 + at}`, "runs an old version"),
  );
  const { slack, plain, html, subject } = await ticket(alerts);
  expect(subject).toBe(
    "WARNING: many-10 runs an old version; also many-11, many-12, many-13, many-14, many-15 … (12 alerts)",
  );
  for (const text of [slack.text as string, plain, html]) {
    expect(text).toContain("10 of 12 alerts are shown.");
    expect(text).toContain("many-19 runs");
    expect(text).not.toContain("many-20 runs");
  }
});

it.concurrent("a ticket of another rule, without our annotations, has no gaps", { timeout: TIMEOUT }, async () => {
  const filter = encodeURIComponent('{alertname="HostOom",instance="h:1"}');
  const link = `http://alertmanager.example/#/silences/new?filter=${filter}`;
  const foreign = { labels: { alertname: "HostOom", instance: "h:1" }, annotations: {}, startsAt: began.toISOString() };
  expect(await ticket([foreign])).toEqual({
    slack: {
      title: "ALERT: HostOom",
      title_link: undefined,
      fallback: "ALERT: HostOom",
      color: "warning",
      text: `• *HostOom* ${SINCE} <${link}|Silence for 2 h>\n`,
    },
    subject: "ALERT: HostOom",
    plain: `- HostOom ${SINCE}\n  Silence for 2 h: ${link}\n\n`,
    html: page(
      "<h2>ALERT: HostOom</h2>",
      "<ul>",
      `<li><b>HostOom</b> ${SINCE}<br><a href="${link.replaceAll(/%\w\w/g, (each) => each.toLowerCase())}">Silence for 2 h</a></li>`,
      "</ul>",
    ),
  });
  // Without an address of Grafana the annotation is a path, which no service can open.
  const unlinked = alert("AvaxDataStale", "warning", "sim-6", "has old data");
  const annotations = { ...unlinked.annotations, dashboard_url: "/d/avax-node?var-node=sim-6" };
  expect((await ticket([{ ...unlinked, annotations }])).plain).toBe(
    lines(
      "What to do: Start it. Open TCP port 9651.",
      "Runbook: https://avax.example/runbooks/AvaxDataStale",
      "",
      `- sim-6 has old data ${SINCE}`,
      `  The node isn't < 3 & "well".`,
      `  Silence for 2 h: ${silence("AvaxDataStale", "sim-6")}`,
      "",
    ),
  );
});

it.concurrent("information, and its end", { timeout: TIMEOUT }, async () => {
  const socket = (node: string) => alert("AvaxEvmWebSocketDown", "info", node, "has no WebSocket");
  const alerts = [socket("sim-5"), socket("e<b>&c")];
  const [first] = await notifying.notify(alerts, 1);
  expect(first).toMatchObject({
    to: "discord",
    body: {
      embeds: [
        {
          title: "INFO: e<b>&c has no WebSocket; also sim-5",
          description: lines(
            "**What to do:** Start it. Open TCP port 9651.",
            "[Runbook](https://avax.example/runbooks/AvaxEvmWebSocketDown)",
            `• **e<b>&c has no WebSocket** ${SINCE} [Dashboard](${G}e%3Cb%3E%26c) [Silence for 2 h](${silence("AvaxEvmWebSocketDown", "e<b>&c")})`,
            `• **sim-5 has no WebSocket** ${SINCE} [Dashboard](${G}sim-5) [Silence for 2 h](${silence("AvaxEvmWebSocketDown", "sim-5")})`,
          ),
        },
      ],
    },
  });
  const [last] = await notifying.notify(alerts.map(resolved), 1);
  expect(last).toMatchObject({
    body: {
      embeds: [
        {
          title: "RESOLVED: over after 1 s: e<b>&c has no WebSocket; also sim-5",
          description: lines(
            "**Resolved:**",
            `• over after 1 s: e<b>&c has no WebSocket ${ENDED}`,
            `• over after 1 s: sim-5 has no WebSocket ${ENDED}`,
          ),
        },
      ],
    },
  });
});

/** The waiting time of a rule, and from its alert and its end the times that a notification shows. */
it.concurrent.each([
  [undefined, 0, "since", 42, "after 42 s"],
  ["10m", 600, "since", 899, "after 25 min"],
  ["1h", 3600, "since", 3629, "after 2 h"],
  ["15m", 900, "since", 5399, "after 1 h 45 min"],
  ["11m", 0, "firing since", 120, "after more than 2 min"],
])("a cause that came %s before its alert", { timeout: TIMEOUT }, async (waited, before, words, fired, after) => {
  const name = `AvaxWaited${waited ?? "Not"}`;
  const node = `waited-${waited ?? "not"}`;
  const base = alert(name, "warning", node, "is wrong", "is well");
  const sent = { ...base, annotations: { ...base.annotations, ...(waited === undefined ? {} : { waited }) } };
  // Alertmanager sends an old alert at once: it fires for the time in question.
  const startsAt = new Date(began.getTime() - fired * 1000);
  const at = (date: Date) => date.toISOString().slice(0, 16).replace("T", " ");
  const first = await ticket([{ ...sent, startsAt: startsAt.toISOString() }]);
  const cause = at(new Date(startsAt.getTime() - before * 1000));
  expect(first.plain).toContain(`- ${node} is wrong (${words} ${cause} UTC)\n`);
  const last = await ticket([{ ...sent, startsAt: startsAt.toISOString(), endsAt: began.toISOString() }]);
  expect(last.subject).toBe(`RESOLVED: ${node} is well ${after}`);
});

it.concurrent("an alert that lasts longer than its condition tells when that ended", { timeout: TIMEOUT }, async () => {
  const base = alert("AvaxLingered", "warning", "lingered", "is wrong", "is well");
  const startsAt = new Date(began.getTime() - 3_600_000).toISOString();
  const sent = { ...base, annotations: { ...base.annotations, waited: "10m", lingered: "450s" }, startsAt };
  await ticket([sent]);
  const last = await ticket([{ ...sent, endsAt: began.toISOString() }]);
  // 60 min + 10 min - 7.5 min.
  expect(last.subject).toBe("RESOLVED: lingered is well after 1 h 3 min");
  const ended = new Date(began.getTime() - 450_000).toISOString().slice(0, 16).replace("T", " ");
  expect(last.plain).toContain(`(until ${ended} UTC)`);
});

it.concurrent(
  "durations are written as on the pages, and code is plain where a service shows no code",
  { timeout: TIMEOUT },
  async () => {
    const base = alert("AvaxEndingSoon", "warning", "sim-10", "is left in 1d 4h 0m 12s, 8h 47m 59s, 25m 0s or 42s");
    const sent = { ...base, annotations: { ...base.annotations, action: "Set `low`." } };
    const { subject, plain, slack } = await ticket([sent]);
    expect(subject).toBe("WARNING: sim-10 is left in 1 d 4 h, 8 h 47 min, 25 min or 42 s");
    expect(plain).toContain("What to do: Set low.\n");
    expect(slack.text).toContain("*What to do:* Set `low`.\n");
    expect(slack.text).toContain("*sim-10 is left in 1 d 4 h, 8 h 47 min, 25 min or 42 s*");
  },
);

it.concurrent("a ticket of alerts about the same node names it once", { timeout: TIMEOUT }, async () => {
  const of = (node: string, chain: string): SentAlert => {
    const { labels, ...rest } = alert("AvaxChainNotRun", "warning", node, `does not run ${chain}`);
    return { ...rest, labels: { ...labels, chain } };
  };
  const alerts = [of("sim-8", "A"), of("sim-8", "B"), of("sim-9", "A"), of("sim-9", "B")];
  expect((await ticket(alerts)).subject).toBe("WARNING: sim-8 does not run A; also sim-9");
  const one = ["C", "D"].map((chain) => {
    const { labels, ...rest } = of("sim-8", chain);
    return { ...rest, startsAt: new Date().toISOString(), labels: { ...labels, alertname: "AvaxChainForked" } };
  });
  expect((await ticket(one)).subject).toBe("WARNING: sim-8 does not run C (2 alerts)");
});
