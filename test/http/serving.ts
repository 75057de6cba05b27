import { afterEach } from "vitest";
import type { HttpDependencies } from "../../src/http/http-dependencies.ts";
import { startServer, type ServerOptions } from "../../src/http/server/start-server.ts";
import { ask, type Question } from "./ask.ts";
import { dependencies } from "./fixtures.ts";

/** Starts servers on free ports, and closes them after each test, or after all of the file. */
export function serving(end: (close: () => Promise<unknown>) => unknown = afterEach) {
  const closes: Array<() => Promise<void>> = [];
  end(() => Promise.all(closes.splice(0).map((close) => close())));

  async function start(over: Partial<HttpDependencies> = {}, options: ServerOptions = {}) {
    const { deps, logged } = dependencies(over);
    const running = await startServer({ listen: "127.0.0.1:0", ...options }, deps);
    closes.push(running.close);
    return { ...running, logged };
  }

  /** Starts a server and sends it one request. */
  async function get(
    path: string,
    over: Partial<HttpDependencies> = {},
    options: ServerOptions = {},
    question: Question = {},
  ) {
    const { address } = await start(over, options);
    return textOf(address + path, question);
  }

  return { start, get };
}

/** The answer to a request, with its body as text. */
export async function textOf(url: string, question: Question = {}) {
  const { status, headers, body } = await ask(url, question);
  return { status, headers, text: body.toString() };
}
