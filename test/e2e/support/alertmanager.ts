import { createServer } from "node:http";
import { bodyOf, closeServer, listenOn } from "./recording-server.ts";
import { runAlertmanager } from "./run-server.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** An alert as Alertmanager has it. */
export type Received = {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Identifies the alert. */
  readonly fingerprint: string;
  readonly status: { readonly state: string; readonly inhibitedBy: readonly string[] };
};

/** An alert in a notification: `firing` or `resolved`. */
export type Notified = Omit<Received, "status"> & { readonly status: string };

/** A notification. */
export type Notification = {
  readonly receiver: string;
  readonly status: string;
  readonly groupLabels: Readonly<Record<string, string>>;
  readonly alerts: readonly Notified[];
  /** When it was received, Unix milliseconds. */
  readonly at: number;
};

export type Alertmanager = {
  readonly address: string;
  /** The present alerts, including inhibited ones. */
  readonly alerts: () => Promise<readonly Received[]>;
  /** Everything that was sent so far, oldest first. */
  readonly notifications: () => readonly Notification[];
  readonly stop: () => Promise<void>;
};

export type Routing = { readonly receivers: ReadonlyArray<{ readonly name: string }> };

/**
 * A real Alertmanager with this routing, whose receivers are replaced by webhooks into this process.
 * @param sendResolved whether it notifies of resolved alerts, too
 */
export async function startAlertmanager(routing: Routing, sendResolved = false): Promise<Alertmanager> {
  const folder = await temporaryFolder();
  const sent: Notification[] = [];
  const hook = await serveHook((_path, body) => {
    sent.push({ ...(body as Omit<Notification, "at">), at: Date.now() });
    return 200;
  });
  const webhook = { url: hook.url, send_resolved: sendResolved };
  const receivers = routing.receivers.map(({ name }) => ({ name, webhook_configs: [webhook] }));
  const { child, url: address } = await runAlertmanager(folder.path, { ...routing, receivers });
  return {
    address,
    alerts: async () => (await (await fetch(`${address}/api/v2/alerts`)).json()) as Received[],
    notifications: () => sent,
    async stop() {
      await child.stop();
      await hook.close();
      await folder.remove();
    },
  };
}

/** A service for notifications. `receive` takes the path and the JSON of a request, and returns the status of the answer. */
export async function serveHook(
  receive: (path: string, body: unknown) => number,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    void bodyOf(request).then((text) => {
      const status = receive(request.url ?? "", JSON.parse(text));
      response.writeHead(status, { "content-type": "application/json" });
      // As Telegram has it; the other services look at the status alone.
      response.end(JSON.stringify({ ok: true, result: { message_id: 1, date: 1, chat: { id: -1 } } }));
    });
  });
  return { url: `http://127.0.0.1:${await listenOn(server)}`, close: () => closeServer(server) };
}
