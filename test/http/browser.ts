import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { requireTool } from "../e2e/support/tools.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";

/** A page in headless Chromium, driven by its debugging protocol over a WebSocket. */
export type Page = {
  /** Opens an address and resolves when it is loaded. */
  readonly open: (url: string) => Promise<void>;
  /** The value of an expression in the page. */
  readonly run: <T>(expression: string) => Promise<T>;
  /** Resolves when the expression is true in the page. */
  readonly until: (expression: string) => Promise<void>;
  /** Runs an expression that leads to another page, and resolves when that is loaded. */
  readonly leave: (expression: string) => Promise<void>;
  /** Sends a command of the protocol. */
  readonly send: (method: string, params?: object) => Promise<Readonly<Record<string, unknown>>>;
  /** Writes a picture of the page as wide as this. */
  readonly picture: (file: string, width: number, dark: boolean) => Promise<void>;
  /** What the page complained about: errors of scripts, and what its policy forbade. */
  readonly complaints: readonly string[];
};

export type Browser = { readonly page: () => Promise<Page>; readonly close: () => Promise<void> };

const PATIENCE_MS = 15_000;

export async function startBrowser(): Promise<Browser> {
  const folder = await temporaryFolder();
  const child = spawn(
    requireTool("chromium"),
    [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--hide-scrollbars",
      "--remote-debugging-port=0",
      `--user-data-dir=${folder.path}`,
      "about:blank",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const [, found] = /DevTools listening on ws:\/\/([^/]+)\//.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new Error(`chromium ended: ${said.slice(-500)}`)));
  });
  const sockets: WebSocket[] = [];
  return {
    async page() {
      const answer = await fetch(`http://${address}/json/new?about:blank`, { method: "PUT" });
      const { webSocketDebuggerUrl } = (await answer.json()) as { webSocketDebuggerUrl: string };
      const socket = new WebSocket(webSocketDebuggerUrl);
      sockets.push(socket);
      await new Promise((resolve, reject) => {
        socket.onopen = resolve;
        socket.onerror = () => reject(new Error("chromium cannot be driven"));
      });
      return pageOf(socket);
    },
    async close() {
      for (const socket of sockets) socket.close();
      child.kill();
      await exited;
      await folder.remove();
    },
  };
}

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly entry?: { readonly text: string; readonly level: string };
    readonly exceptionDetails?: { readonly text: string };
  };
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
};

async function pageOf(socket: WebSocket): Promise<Page> {
  const answers = new Map<number, (message: Message) => void>();
  const complaints: string[] = [];
  let loaded: (() => void) | undefined;
  let id = 0;
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) answers.get(message.id)?.(message);
    if (message.method === "Page.loadEventFired") loaded?.();
    if (message.method === "Runtime.exceptionThrown") complaints.push(message.params?.exceptionDetails?.text ?? "");
    if (message.method === "Log.entryAdded" && message.params?.entry?.level === "error")
      complaints.push(message.params.entry.text);
  };
  const send: Page["send"] = async (method, params = {}) => {
    const mine = ++id;
    const { promise, resolve } = Promise.withResolvers<Message>();
    answers.set(mine, resolve);
    socket.send(JSON.stringify({ id: mine, method, params }));
    const { result, error } = await promise;
    if (result === undefined) throw new Error(`${method}: ${error?.message ?? "no answer"}`);
    return result;
  };
  const run = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = (await send("Runtime.evaluate", {
      expression,
      returnByValue: true,
      awaitPromise: true,
    })) as {
      result: { value: T };
      exceptionDetails?: { text: string; exception?: { description?: string } };
    };
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  for (const domain of ["Page", "Runtime", "Log"]) await send(`${domain}.enable`);
  return {
    send,
    run,
    complaints,
    async open(url) {
      const { promise, resolve } = Promise.withResolvers<void>();
      loaded = resolve;
      await send("Page.navigate", { url });
      await promise;
    },
    async until(expression) {
      // Asked from here: a page without scripts has no timers either.
      for (const end = Date.now() + PATIENCE_MS; !(await run<boolean>(`Boolean(${expression})`));) {
        if (Date.now() > end) throw new Error(`never came true: ${expression}`);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    },
    async leave(expression) {
      const { promise, resolve } = Promise.withResolvers<void>();
      loaded = resolve;
      // The page that would answer goes away.
      await run(expression).catch(() => undefined);
      await promise;
    },
    async picture(file, width, dark) {
      const features = [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }];
      await send("Emulation.setEmulatedMedia", { features });
      const size = { width, height: 900, deviceScaleFactor: 1, mobile: false };
      await send("Emulation.setDeviceMetricsOverride", size);
      const { data } = await send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true });
      await writeFile(file, Buffer.from(String(data), "base64"));
    },
  };
}
