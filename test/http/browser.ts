import { spawn } from "node:child_process";
import { requireTool } from "../e2e/support/tools.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";

/** A page in headless Chromium, controlled by its debugging protocol. */
export type Page = {
  /** Opens a URL; resolves when it is loaded. */
  readonly open: (url: string) => Promise<void>;
  /** Evaluates an expression in the page. */
  readonly run: <T>(expression: string) => Promise<T>;
  /** Waits until the expression is true in the page. */
  readonly until: (expression: string) => Promise<void>;
  /** Evaluates an expression that opens another page; resolves when that is loaded. */
  readonly leave: (expression: string) => Promise<void>;
  /** Sends a command of the protocol. */
  readonly send: (method: string, params?: object) => Promise<Readonly<Record<string, unknown>>>;
  /** Errors of scripts and violations of the content security policy. */
  readonly errors: readonly string[];
};

export type Browser = { readonly page: () => Promise<Page>; readonly close: () => Promise<void> };

const TIMEOUT_MS = 15_000;

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
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const [, found] = /DevTools listening on ws:\/\/([^/]+)\//.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new Error(`chromium ended: ${output.slice(-500)}`)));
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
  const errors: string[] = [];
  let loaded: (() => void) | undefined;
  let id = 0;
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) answers.get(message.id)?.(message);
    if (message.method === "Page.loadEventFired") loaded?.();
    if (message.method === "Runtime.exceptionThrown") errors.push(message.params?.exceptionDetails?.text ?? "");
    if (message.method === "Log.entryAdded" && message.params?.entry?.level === "error")
      errors.push(message.params.entry.text);
  };
  const send: Page["send"] = async (method, params = {}) => {
    const current = ++id;
    const { promise, resolve } = Promise.withResolvers<Message>();
    answers.set(current, resolve);
    socket.send(JSON.stringify({ id: current, method, params }));
    const { result, error } = await promise;
    if (result === undefined) throw new Error(`${method}: ${error?.message ?? "no answer"}`);
    return result;
  };
  const run = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = (await send("Runtime.evaluate", {
      expression,
      returnByValue: true,
      awaitPromise: true,
    })) as { result: { value: T }; exceptionDetails?: { text: string; exception?: { description?: string } } };
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  const load = async (begin: () => Promise<unknown>) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    loaded = resolve;
    await begin();
    await promise;
  };
  for (const domain of ["Page", "Runtime", "Log"]) await send(`${domain}.enable`);
  return {
    send,
    run,
    errors,
    open: (url) => load(() => send("Page.navigate", { url })),
    async until(expression) {
      // Polled from here, because a page without scripts has no timers.
      for (const end = Date.now() + TIMEOUT_MS; !(await run<boolean>(`Boolean(${expression})`));) {
        if (Date.now() > end) throw new Error(`never came true: ${expression}`);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    },
    // No result arrives when the page is left.
    leave: (expression) => load(() => run(expression).catch(() => undefined)),
  };
}
