import { createClient } from "../api/transport/client.ts";
import type { Connection } from "../api/transport/connection.ts";
import { inDialect, type Dialect } from "../api/node/dialect.ts";
import { ApiError, type Api } from "../api/endpoint.ts";
import { UNHEALTHY } from "../api/node/health.ts";
import { METHODS, methodNamed, type Callable } from "../api/node/methods.ts";
import { z } from "zod";
import type { Config } from "../config/config.ts";
import { didYouMean, quoted } from "../config/base/words.ts";
import { callHosted, isHostedTarget } from "./call-hosted.ts";
import { callHelp, methodHelp } from "./call-help.ts";
import { readParams } from "./call-params.ts";
import { configured, problemText } from "../daemon/configuration.ts";
import type { Flags } from "./flags.ts";
import type { ExitCode, System } from "../runtime/system.ts";

/** One request, ready to be sent. */
type Plan = {
  readonly node: string;
  readonly connection: Connection;
  readonly dialect: Dialect | "auto";
  readonly method: Callable;
  readonly params: unknown;
  readonly chain: string;
  /** Seconds. */
  readonly timeout: number;
};

/** Default timeout, seconds. */
const DEFAULT_TIMEOUT = 30;

type Problem = { readonly problem: string };

const isProblem = (value: object): value is Problem => "problem" in value;

/** Sends one request to a node and prints the result as JSON: a typed curl. */
export async function call(flags: Flags, system: System, args: readonly string[]): Promise<ExitCode> {
  if (flags.help === true) return help(args, system);
  const loaded = configured(flags["config.file"], system);
  if (!loaded.ok) {
    system.err(problemText(loaded.problems));
    return 1;
  }
  const [target, name, text] = joined(args);
  if (isHostedTarget(target)) {
    return callHosted([target, name, text], loaded.loaded.config, flags["call.timeout"] ?? DEFAULT_TIMEOUT, system);
  }
  const plan = planned(args, flags, loaded.loaded.config);
  if (isProblem(plan)) {
    system.err(`avax-exporter call: ${plan.problem}\nTry call --help.\n`);
    return 2;
  }
  if (plan.method.writes && flags["allow-write"] !== true) {
    system.err(refusal(plan));
    return 1;
  }
  const client = createClient(plan.connection);
  try {
    const result = await client.within(plan.timeout, (api) => ask(api, plan));
    system.out(`${JSON.stringify(result, null, 2)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { reason, message, rpcMessage } = error.failure;
    system.err(
      `${plan.node}: ${reason}: ${rpcMessage === undefined ? message : `${plan.method.name}: ${rpcMessage}`}\n`,
    );
    return 1;
  } finally {
    await client.close().catch(() => undefined);
  }
}

function help(args: readonly string[], system: System): ExitCode {
  const name = joined(args).at(-1);
  const text = name === undefined ? callHelp() : (methodHelp(name) ?? (args.length > 1 ? undefined : callHelp()));
  if (text === undefined) {
    system.err(`avax-exporter call: ${noSuchMethod(name ?? "")}\n`);
    return 2;
  }
  system.out(text);
  return 0;
}

/** `GET /ext/health` is accepted as one word or as two. */
function joined(args: readonly string[]): readonly string[] {
  const at = args.indexOf("GET");
  return at < 0 ? args : args.toSpliced(at, 2, `GET ${args[at + 1] ?? ""}`);
}

function planned(given: readonly string[], flags: Flags, config: Config): Plan | Problem {
  const [node, name, text, ...rest] = joined(given);
  if (node === undefined || name === undefined) return { problem: "a node and a method are required" };
  if (rest.length > 0) return { problem: `unexpected argument ${quoted(rest[0] ?? "")} after the parameters` };
  const method = methodNamed(name);
  if (method === undefined) return { problem: noSuchMethod(name) };
  const target = targetOf(node, config);
  if (isProblem(target)) return target;
  const read = readParams(method, text);
  if (isProblem(read)) return read;
  const timeout = flags["call.timeout"] ?? DEFAULT_TIMEOUT;
  const chain = flags.chain ?? "C";
  if (flags.chain !== undefined && !method.perChain)
    return { problem: `${name} is not a method of an EVM chain; remove --chain` };
  return { node, ...target, method, params: read.params, chain: chainId(chain, config), timeout };
}

function noSuchMethod(name: string): string {
  return `unknown method ${quoted(name)}${didYouMean(name, [...METHODS.keys()])}`;
}

/** A configured node by its name, else the node at a URL. */
function targetOf(node: string, { nodes }: Config): Pick<Plan, "connection" | "dialect"> | Problem {
  const found = nodes.find(({ name }) => name === node);
  if (found !== undefined) return { connection: { ...found, expectNodeId: found.nodeId }, dialect: found.dialect };
  const url = URL.canParse(node) ? new URL(node) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    const names = nodes.map(({ name }) => name);
    return { problem: `${quoted(node)} is neither a URL nor a configured node${didYouMean(node, names)}` };
  }
  if (url.username !== "" || url.password !== "" || url.search !== "")
    return { problem: "the URL contains credentials or a query; configure the node and pass its name" };
  const connection = {
    url: `${url.origin}${url.pathname.replace(/\/+$/, "")}`,
    headers: {},
    connections: 1,
    maxResponseBytes: 256 * 1024 * 1024,
  };
  return { connection, dialect: "auto" };
}

/** The blockchain ID of a configured chain; any other name is sent as it is, so that node aliases work. */
function chainId(chain: string, { subnets }: Config): string {
  const known = subnets.flatMap(({ chains }) => chains).find(({ id, name }) => name === chain || id === chain);
  return encodeURIComponent(known?.id ?? chain);
}

async function ask(api: Api, plan: Plan): Promise<unknown> {
  const { method, params, chain, dialect } = plan;
  if (method.get) {
    const { path } = method.spelling(chain, "spec");
    return api.get({ name: method.name, path, about: "", result: z.unknown(), also: UNHEALTHY }, query(params));
  }
  const send = (spelt: Dialect): Promise<unknown> => {
    const { name, path } = method.spelling(chain, spelt);
    return api.call({ name, path, about: "", params: z.unknown(), result: z.unknown(), exact: true }, params);
  };
  if (!method.hasDialects) return send("spec");
  if (!method.writes) return inDialect(dialect, undefined, send);
  // A method that can change something is sent once: a read-only method finds the dialect first.
  const found = await inDialect(dialect, undefined, async (spelt) => {
    if (dialect === "auto") await method.probe(api, chain, spelt);
    return spelt;
  });
  return send(found);
}

function query(params: unknown): ReadonlyArray<readonly [string, string]> {
  const { tag = [] } = params as { readonly tag?: string | readonly string[] };
  return (typeof tag === "string" ? [tag] : tag).map((each) => ["tag", each] as const);
}

function refusal({ node, connection, method, params, chain, dialect }: Plan): string {
  const { name, path } = method.spelling(chain, dialect === "auto" ? "spec" : dialect);
  return [
    `avax-exporter call: refused: ${method.name} can change the node or the network. ${method.about}`,
    `Not sent: ${name} with ${JSON.stringify(params)} to ${connection.url}${path} (${node}).`,
    "To send it, add --allow-write.",
    "",
  ].join("\n");
}
