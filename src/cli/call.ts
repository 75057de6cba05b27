import { createClient, type Client } from "../api/transport/client.ts";
import type { Connection } from "../api/transport/connection.ts";
import { inDialect, type Dialect } from "../api/node/dialect.ts";
import { remedyFor } from "../api/remedy-for.ts";
import type { Api, Endpoint } from "../api/endpoint.ts";
import { UNHEALTHY } from "../api/node/health.ts";
import { METHODS, methodNamed, type Callable } from "../api/node/methods.ts";
import { z } from "zod";
import type { Config, NodeConfig } from "../config/config.ts";
import { defaultNode } from "../config/default-config.ts";
import { nearest } from "../config/base/nearest.ts";
import { didYouMean, quoted } from "../config/base/error-texts.ts";
import { callHosted, isHostedTarget } from "./call/call-hosted.ts";
import { helpText } from "./read-arguments.ts";
import { callableEndpoints, callNames, callEndpoint } from "./call/call-endpoint.ts";
import { callHelp, endpointHelp, methodHelp } from "./call/call-help.ts";
import { readParams } from "./call/read-params.ts";
import type { Reviver } from "../config/base/parse-json.ts";
import { attemptOf } from "./init/attempt.ts";
import { configured } from "../daemon/load-settings.ts";
import type { Flags } from "./flags.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import { plainAddress, quotedAddress } from "./text/urls.ts";
import { withProgress } from "./text/with-progress.ts";
import { refuse, refuseFile } from "./text/refuse.ts";

/** A node, and what is sent to it. */
type Plan = Target & {
  readonly node: string;
  readonly chain: string;
  /** Seconds. */
  readonly timeout: number;
  readonly what: Request | Endpoint<unknown>;
};

type Target = { readonly connection: Connection; readonly dialect: Dialect | "auto"; readonly settings: NodeConfig };

/** One request, ready to be sent. */
type Request = { readonly method: Callable; readonly params: unknown };

/** Default timeout, seconds. */
const DEFAULT_TIMEOUT = 30;

type Problem = { readonly problem: string };

const isProblem = (value: object): value is Problem => "problem" in value;

/** Sends one request to a node and prints the result as JSON: a typed curl. */
export async function call(flags: Flags, system: System, args: readonly string[]): Promise<ExitCode> {
  if (flags.help === true) return help(args, system);
  const loaded = configured(flags["config.file"], system);
  if (!loaded.ok) return refuseFile(system, loaded.problems);
  const [target, name, text] = args;
  if (isHostedTarget(target))
    return callHosted([target, name, text], loaded.loaded.config, flags["call.timeout"] ?? DEFAULT_TIMEOUT, system);
  const plan = planned(args, flags, loaded.loaded.config);
  if (isProblem(plan)) return refuse(system, "call", `${plan.problem}\nTry call --help.`);
  const { what } = plan;
  if ("method" in what && what.method.writes && flags["allow-write"] !== true) {
    system.err(refusal(plan, what));
    return 1;
  }
  const client = createClient(plan.connection);
  try {
    return "method" in what
      ? await send(client, plan, what, system)
      : await poll(client, plan, what, flags.chain !== undefined, loaded.loaded.config, system);
  } finally {
    await client.close().catch(() => undefined);
  }
}

async function send(client: Client, plan: Plan, request: Request, system: System): Promise<ExitCode> {
  const answer = attemptOf(client, plan.timeout)((api) => ask(api, plan, request));
  const { value, failure } = await withProgress(system, `asking ${plan.node}`, answer);
  if (failure === undefined) {
    system.out(`${JSON.stringify(value, null, 2)}\n`);
    return 0;
  }
  const { reason, message, rpcMessage } = failure;
  const remedy = remedyFor(plan.connection.url, failure);
  const words = rpcMessage === undefined ? message : `${request.method.name}: ${rpcMessage}`;
  system.err(`${plan.node}: ${reason}: ${words}${remedy === undefined ? "" : `; ${remedy}`}\n`);
  return 1;
}

/** Prints the requests of one poll of an endpoint with their answers. */
async function poll(
  client: Client,
  { node, settings, chain, timeout }: Plan,
  endpoint: Endpoint<unknown>,
  isOneChain: boolean,
  config: Config,
  system: System,
): Promise<ExitCode> {
  const only = isOneChain ? chain : undefined;
  const polled = await callEndpoint(endpoint, attemptOf(client, timeout), { config, node: settings, chain: only });
  if (isProblem(polled)) return refuse(system, "call", polled.problem, 1);
  system.out(`${JSON.stringify(polled.exchanges, null, 2)}\n`);
  for (const failure of polled.failures) system.err(`${node}: ${endpoint.id}: ${failure}\n`);
  return polled.failures.length === 0 ? 0 : 1;
}

function help(args: readonly string[], system: System): ExitCode {
  const name = args.at(-1) ?? "";
  const text = methodHelp(name) ?? endpointHelp(name) ?? (args.length < 2 ? callHelp(helpText("call")) : undefined);
  if (text === undefined) return refuse(system, "call", noSuchMethod(name, {}));
  system.out(text);
  return 0;
}

function planned([node, name, text, ...rest]: readonly string[], flags: Flags, config: Config): Plan | Problem {
  if (node === undefined || name === undefined) return { problem: "a node and a method are required" };
  if (rest.length > 0) return { problem: `unexpected argument ${quoted(rest[0] ?? "")} after the parameters` };
  const mistyped = mistypedMethod(name, flags);
  if (mistyped !== undefined) return { problem: mistyped };
  const target = targetOf(node, config);
  if (isProblem(target)) return target;
  const timeout = flags["call.timeout"] ?? DEFAULT_TIMEOUT;
  const plan = { node, ...target, chain: chainId(flags.chain ?? "C", config), timeout };
  const method = methodNamed(name);
  const endpoint = callableEndpoints().get(name);
  const read = method === undefined ? undefined : readParams(method, text, withIds(config));
  // The name of an endpoint that is also that of a method with parameters means the endpoint where none are given.
  const isPoll = endpoint !== undefined && (read === undefined || (text === undefined && isProblem(read)));
  if (isPoll && text !== undefined) return { problem: `${name} is an endpoint and takes no parameters` };
  if (isPoll) return { ...plan, what: endpoint };
  if (method === undefined || read === undefined) return { problem: noSuchMethod(name, flags) };
  if (isProblem(read)) return read;
  if (flags.chain !== undefined && !method.perChain)
    return { problem: `${name} is not a method of an EVM chain; remove --chain` };
  return { ...plan, what: { method, params: read.params } };
}

function noSuchMethod(name: string, flags: Flags): string {
  return `unknown method ${quoted(name)}${didYouMean(name, callNames(flags["allow-write"] === true)) || "; call --help lists all methods"}`;
}

/** Undeclared methods that are known to change something. Any other name that is not known is more probably a mistake. */
const CHANGES = /^(eth_(send|sign|submit)|personal_|debug_|platform\.issue)/;

/** The problem of a name that is not known, and that would be sent as a change of the node: it is probably a mistyped method. */
function mistypedMethod(name: string, flags: Flags): string | undefined {
  if (callableEndpoints().has(name)) return undefined;
  const method = methodNamed(name);
  if (method !== undefined && (METHODS.has(method.name) || !method.writes)) return undefined;
  const isWriting = flags["allow-write"] === true;
  const isMeant = isWriting || CHANGES.test(name);
  const isSent = method !== undefined && isMeant && nearest(name, callNames(isWriting)) === undefined;
  return isSent ? undefined : noSuchMethod(name, flags);
}

/** A configured node by its name, else the node at a URL. */
function targetOf(node: string, { nodes, subnets }: Config): Target | Problem {
  const found = nodes.find(({ name }) => name === node);
  if (found !== undefined)
    return { connection: { ...found, expectNodeId: found.nodeId }, dialect: found.dialect, settings: found };
  const url = plainAddress(node);
  if (url === undefined) {
    const names = nodes.map(({ name }) => name);
    const found = quotedAddress(node);
    return { problem: `${found} is neither a URL without credentials nor a configured node${didYouMean(node, names)}` };
  }
  const connection = { url, headers: {}, connections: 1, maxResponseBytes: 256 * 1024 * 1024 };
  const settings = { ...defaultNode(node, url), subnets: subnets.map(({ id }) => id) };
  return { connection, dialect: "auto", settings };
}

/** The blockchain ID of a configured chain; any other name is sent as it is, so that node aliases work. */
function chainId(chain: string, config: Config): string {
  return encodeURIComponent(configuredChain(chain, config) ?? chain);
}

/** A chain by its name or ID, or by the name of a subnet with one chain. */
function configuredChain(name: string, { subnets }: Config): string | undefined {
  const chains = subnets.flatMap((subnet) => subnet.chains);
  const [only, ...others] = subnets.find((subnet) => subnet.name === name)?.chains ?? [];
  return (
    chains.find((each) => each.id === name || each.name === name)?.id ?? (others.length === 0 ? only?.id : undefined)
  );
}

/** Reads parameters with IDs in place of configured names of chains and subnets. */
function withIds(config: Config): Reviver {
  return (key, value) => {
    if (typeof value !== "string") return value;
    if (key === "chain" || key === "blockchainID") return configuredChain(value, config) ?? value;
    return key === "subnetID" ? (config.subnets.find(({ name }) => name === value)?.id ?? value) : value;
  };
}

async function ask(api: Api, { chain, dialect }: Plan, { method, params }: Request): Promise<unknown> {
  if (method.get) {
    const { path } = method.spelling(chain, "spec");
    return api.get({ name: method.name, path, about: "", result: z.unknown(), also: UNHEALTHY }, query(params));
  }
  const send = (spelt: Dialect): Promise<unknown> => {
    const { name, path } = method.spelling(chain, spelt);
    return api.call(
      { name, path, about: "", params: z.unknown(), result: z.unknown(), exact: true, writes: method.writes },
      params,
    );
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

function refusal({ node, connection, chain, dialect }: Plan, { method, params }: Request): string {
  const { name, path } = method.spelling(chain, dialect === "auto" ? "spec" : dialect);
  return [
    `avax-exporter call: refused: ${method.name} can change the node or the network. ${method.about}`,
    `Not sent: ${name} with ${JSON.stringify(params)} to ${connection.url}${path} (${node}).`,
    "To send it, add --allow-write.",
    "",
  ].join("\n");
}
