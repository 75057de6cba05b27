import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { startChild, type Child } from "./child.ts";
import { closeServer, freePort, listenOn } from "./recording-server.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { requireTool } from "./tools.ts";

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
  readonly child: Child;
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
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      sent.push({ ...(JSON.parse(Buffer.concat(chunks).toString()) as Omit<Notification, "at">), at: Date.now() });
      response.writeHead(200).end();
    });
  });
  const webhook = { url: `http://127.0.0.1:${await listenOn(server)}/`, send_resolved: sendResolved };
  const receivers = routing.receivers.map(({ name }) => ({ name, webhook_configs: [webhook] }));
  const file = join(folder.path, "alertmanager.yaml");
  await writeFile(file, JSON.stringify({ ...routing, receivers }));
  const address = `http://127.0.0.1:${await freePort()}`;
  const child = startChild(requireTool("alertmanager"), [
    `--config.file=${file}`,
    `--storage.path=${join(folder.path, "data")}`,
    `--web.listen-address=${new URL(address).host}`,
    "--cluster.listen-address=",
    "--log.level=warn",
  ]);
  return {
    child,
    address,
    alerts: async () => (await (await fetch(`${address}/api/v2/alerts`)).json()) as Received[],
    notifications: () => sent,
    async stop() {
      await child.stop();
      await closeServer(server);
      await folder.remove();
    },
  };
}
