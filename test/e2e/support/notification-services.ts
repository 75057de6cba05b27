import { copyFile, writeFile } from "node:fs/promises";
import { createServer as createMailServer, type Socket } from "node:net";
import { join } from "node:path";
import { vi } from "vitest";
import { serveHook } from "./alertmanager.ts";
import { listenOn } from "./recording-server.ts";
import { runAlertmanager } from "./run-server.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A message as a service received it: the path of the request, or `mail`. */
type Message = { readonly to: string; readonly body: unknown };

type Mail = {
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded parts by content type. */
  readonly parts: Readonly<Record<string, string>>;
};

/** An alert as Prometheus sends it. */
export type SentAlert = {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  /** Present for a resolved alert. */
  readonly endsAt?: string;
};

type Receiver = Readonly<Record<string, unknown>> & { readonly name: string };
type Example = {
  readonly route: { readonly routes: ReadonlyArray<Readonly<Record<string, unknown>>> };
  readonly receivers: readonly Receiver[];
};

const WITHIN = { timeout: 20_000, interval: 50 };

/**
 * A real Alertmanager with the shipped example and its templates, whose services are servers of this process. Groups wait for
 * seconds instead of minutes: a busy process sends what began at its start half a second later, which was an old alert, sent alone.
 */
export async function startNotifying(example: Example) {
  const folder = await temporaryFolder();
  const messages: Message[] = [];
  const { url: services, close } = await serveHook((path, body) => {
    messages.push({ to: path.split("/")[1] ?? "", body });
    return path.startsWith("/pagerduty") ? 202 : 200;
  });
  const mail = createMailServer((socket) => receiveMail(socket, (body) => messages.push({ to: "mail", body })));
  const smarthost = `127.0.0.1:${await listenOn(mail)}`;

  const secret = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder.path, name), text);
    return join(folder.path, name);
  };
  const own = {
    pagerduty_configs: { url: `${services}/pagerduty`, routing_key_file: await secret("key", "a-key") },
    telegram_configs: { api_url: `${services}/telegram` },
    slack_configs: { api_url_file: await secret("slack", `${services}/slack`) },
    discord_configs: { webhook_url: `${services}/discord` },
    email_configs: { smarthost, require_tls: false, auth_username: "", auth_password_file: "" },
  };
  const receivers = example.receivers.map((receiver) =>
    Object.fromEntries(
      Object.entries(receiver).map(([key, value]) => [
        key,
        key in own ? (value as object[]).map((each) => ({ ...each, ...own[key as keyof typeof own] })) : value,
      ]),
    ),
  );
  const waits = { group_wait: "3s", group_interval: "500ms" };
  const routes = example.route.routes.map((route) => ({ ...route, ...waits }));
  const config = { ...example, route: { ...example.route, ...waits, routes }, receivers };
  await copyFile("grafana/alerts/avax.tmpl", join(folder.path, "avax.tmpl"));
  const flags = ["--web.external-url=http://alertmanager.example", "--web.route-prefix=/"];
  const { child, url: address } = await runAlertmanager(folder.path, config, { flags });
  return {
    /** Sends alerts and resolves with the messages about them that follow, by service, when there are as many as expected. */
    async notify(alerts: readonly SentAlert[], expected: number): Promise<readonly Message[]> {
      const about = aboutOf(alerts);
      const received = () => messages.filter(({ body }) => JSON.stringify(body).includes(about));
      const before = received().length;
      const { ok, status } = await fetch(`${address}/api/v2/alerts`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(alerts),
      });
      if (!ok) throw new Error(`Alertmanager answered ${status}`);
      await vi
        .waitUntil(() => received().length >= before + expected, WITHIN)
        .catch(() => {
          throw new Error(`${received().length - before} of ${expected} messages; ${child.stderr().slice(-2_000)}`);
        });
      return received()
        .slice(before)
        .toSorted((a, b) => (a.to < b.to ? -1 : 1));
    },
    async stop() {
      await child.stop();
      mail.close();
      await close();
      await folder.remove();
    },
  };
}

/** The word of their messages by which tests at the same time find their own: a node, else the name. */
function aboutOf(alerts: readonly SentAlert[]): string {
  const node = alerts.map(({ labels }) => labels["node"] ?? "").find((each) => /^[\w-]+$/.test(each));
  return node ?? alerts[0]?.labels["alertname"] ?? "";
}

/** Receives mail on a connection as SMTP without extensions. */
function receiveMail(socket: Socket, received: (mail: Mail) => void): void {
  let input = "";
  let data = false;
  const reply = (line: string): void => void socket.write(`${line}\r\n`);
  socket.setEncoding("utf8").on("error", () => socket.destroy());
  reply("220 test");
  socket.on("data", (chunk: string) => {
    input += chunk;
    for (;;) {
      const ending = data ? "\r\n.\r\n" : "\r\n";
      const end = input.indexOf(ending);
      if (end < 0) return;
      const text = input.slice(0, end);
      input = input.slice(end + ending.length);
      if (data) {
        data = false;
        received(parseMail(text));
        reply("250 ok");
      } else if (text === "DATA") {
        data = true;
        reply("354 go on");
      } else if (text === "QUIT") {
        reply("221 bye");
        socket.end();
      } else reply("250 ok");
    }
  });
}

function parseMail(text: string): Mail {
  const [head, body] = headAndBody(text.replaceAll("\r\n", "\n"));
  const headers = headersOf(head);
  const boundary = /boundary="?([^";\s]+)/.exec(headers["content-type"] ?? "")?.[1] ?? "";
  const parts = body.split(`--${boundary}`).slice(1, -1);
  return {
    headers,
    parts: Object.fromEntries(
      parts.map((part) => {
        const [partHead, encoded] = headAndBody(part.replace(/^\n/, ""));
        const type = headersOf(partHead)["content-type"]?.split(";")[0] ?? "";
        return [type, quotedPrintable(encoded)];
      }),
    ),
  };
}

function headAndBody(text: string): readonly [head: string, body: string] {
  const end = text.indexOf("\n\n");
  return [text.slice(0, end), text.slice(end + 2)];
}

function headersOf(head: string): Readonly<Record<string, string>> {
  const lines = head.replaceAll(/\n\s+/g, " ").split("\n");
  return Object.fromEntries(
    lines.map((line) => [line.split(":")[0]?.toLowerCase() ?? "", words(line.slice(line.indexOf(":") + 1).trim())]),
  );
}

/** A header with its encoded words decoded. */
function words(header: string): string {
  return header
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?utf-8\?q\?([^?]*)\?=/g, (_, word: string) => quotedPrintable(word.replaceAll("_", " ")));
}

function quotedPrintable(text: string): string {
  const bytes = text
    .replaceAll("=\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}
