import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import {
  ApiError,
  type Api,
  type Call,
  type Endpoint,
  type Method,
  type CallOutcome,
  type Outcomes,
  type Resource,
} from "../src/api/endpoint.ts";
import { infoMethods } from "../src/api/node/info.ts";
import { bodyOf, requestText, resultOf, validated, withDate, type HttpAnswer } from "../src/api/transport/json-rpc.ts";
import type { Config } from "../src/config/config.ts";
import { defaultConfig, defaultNode } from "../src/config/default-config.ts";
import { configSchema } from "../src/config/schema/config-schema.ts";
import { factsReader } from "../src/poller/node/facts-reader.ts";
import { TOPICS } from "../src/topics/all/topics.ts";
import { catalogueOf, nodeEndpoints } from "../src/topics/define/catalogue.ts";
import { makeId, makeNodeId } from "../simulator/encoding/ids.ts";

/**
 * `npm run record -- URL NAME`: asks a node what every endpoint of the exporter asks, and writes the answers as they came to
 * `test/recordings/NAME.json`, its own metrics to `NAME.native-metrics.txt`. All requests only read. For whoever adds an endpoint or has
 * a node of a release that no recording shows.
 */

const USAGE = `npm run record -- URL NAME [options]
  --about=TEXT          what the recording shows, a sentence
  --config.file=FILE    subnets with their chains, watched validators and addresses to ask about
  --replace=TEXT[=NEW]  a text that no file may show, such as a node ID; made up without NEW; repeatable
  --wait=SECONDS        until endpoints that follow blocks are asked again; default 15
  --to=FOLDER           default test/recordings
`;

const FOLDER = new URL("../test/recordings/", import.meta.url).pathname;
const TIMEOUT_MS = 30_000;

type Sent = { readonly method: string; readonly path: string; readonly body?: string };
type Recorded = {
  readonly name: string;
  readonly request: Sent;
  readonly response:
    | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }
    | { readonly error: string };
};

type Recorder = {
  readonly api: Api;
  /** Sends any request and keeps its answer. */
  readonly send: (name: string, request: Sent) => Promise<HttpAnswer>;
  /** Sorted by name. */
  readonly answers: () => readonly Recorded[];
};

/** An `Api` that keeps each request with its raw answer; batches are sent as single calls, of which any batch can be made again. */
function recorderOf(url: string, names: ReadonlyMap<string, string>): Recorder {
  const kept = new Map<string, Recorded>();

  async function send(name: string, request: Sent): Promise<HttpAnswer> {
    const { method, path, body } = request;
    try {
      const response = await fetch(url + path, {
        method,
        ...(body === undefined ? {} : { body, headers: { "content-type": "application/json" } }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      const { date: _date, ...headers } = Object.fromEntries(response.headers);
      if (!kept.has(name))
        kept.set(name, { name, request, response: { status: response.status, headers, body: text } });
      return { status: response.status, headers: Object.fromEntries(response.headers), body: { text: () => text } };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (!kept.has(name)) kept.set(name, { name, request, response: { error: message } });
      throw new ApiError({ reason: "internal", message }, error);
    }
  }

  const ask = async (path: string, call: Call): Promise<unknown> => {
    const name = [...subjectOf(path, call.method.name, names), ...askedOf(path, call, names)].join(".");
    return resultOf(await send(name, { method: "POST", path, body: requestText(call) }), call.method);
  };
  const settled = async (path: string, call: Call): Promise<CallOutcome<unknown>> => {
    try {
      return { value: await ask(path, call) };
    } catch (error) {
      if (error instanceof ApiError) return { error };
      throw error;
    }
  };
  const api: Api = {
    call: async <P, R>(method: Method<P, R>, params: P) => (await ask(method.path, { method, params })) as R,
    batch: async <const C extends readonly Call[]>(path: string, calls: C) => {
      const outcomes: Array<CallOutcome<unknown>> = [];
      for (const call of calls) outcomes.push(await settled(path, call));
      return outcomes as unknown as Outcomes<C>;
    },
    get: async <R>(resource: Resource<R>, query: ReadonlyArray<readonly [string, string]> = []) => {
      const what = resource.path
        .replace("/ext/health", "")
        .split("/")
        .filter((part) => part !== "");
      const asked = query.map(([key, value]) => `${key}-${names.get(value) ?? value}`);
      const search = query
        .map(([key, value]) => `&${key}=${encodeURIComponent(value)}`)
        .join("")
        .replace("&", "?");
      const reply = await send(["health", "get", ...what, ...asked].join("."), {
        method: "GET",
        path: resource.path + search,
      });
      return validated(resource.result, withDate(bodyOf(reply, resource), reply, resource));
    },
  };
  return { api, send, answers: () => [...kept.values()].sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

const CHAIN_PATH = /^\/ext\/bc\/([^/]+)\/(\w+)$/;

/** The first parts of an answer's name: the interface, the chain where it is another than C, and the method. */
function subjectOf(path: string, method: string, names: ReadonlyMap<string, string>): readonly string[] {
  const [, chain = "", service = ""] = CHAIN_PATH.exec(path) ?? [];
  const [owner = "", ...rest] = method.split(".");
  if (path === "/ext/health") return ["health", "rpc", ...rest];
  if (service === "avax" || service === "ledger") return ["ledger", ...rest];
  if (service === "admin") return ["admin", method.slice(6), ...(method[5] === "_" ? ["spec-spelling"] : [])];
  const isOther = chain !== "C";
  return service === "" ? [owner, ...rest] : ["evm", ...(isOther ? [names.get(chain) ?? chain] : []), method];
}

/** The last part of an answer's name: what was asked, by the names of the configuration. */
function askedOf(path: string, { method, params }: Call, names: ReadonlyMap<string, string>): readonly string[] {
  const { encoding: _encoding, limit: _limit, ...given } = params as Readonly<Record<string, unknown>>;
  const values = Object.entries(given).flatMap(([key, value]) => {
    if (key === "nodeIDs" && Array.isArray(value)) return value.length === 0 ? [] : [NODES[value.length] ?? "nodes"];
    const prefix = key === "tags" ? "tag-" : method.name === "info.uptime" ? "subnet-" : "";
    return [value].flat().flatMap((each) => (typeof each === "string" ? [prefix + (names.get(each) ?? each)] : []));
  });
  const isOnOther = (CHAIN_PATH.exec(path)?.[1] ?? "C") !== "C";
  const shown = isOnOther ? values.filter((each) => each !== "latest") : values;
  if (shown.length === 0) return WHOLE.has(method.name) ? ["primary"] : [];
  return [shown.join("-").slice(0, 100)];
}

/** How many nodes were asked about. */
const NODES = ["", "one-node", "two"];

/** Methods that ask about the Primary Network where nothing is named. */
const WHOLE: ReadonlySet<string> = new Set(["platform.getCurrentValidators", "platform.getCurrentSupply"]);

/** What wrong requests get, which a test's server sends for whatever was not recorded. */
const WRONG: ReadonlyArray<readonly [name: string, request: Sent]> = [
  ["http.unknown-path", { method: "GET", path: "/ext/nosuch" }],
  [
    "http.info.unknown-method",
    { method: "POST", path: "/ext/info", body: '{"jsonrpc":"2.0","id":1,"method":"info.noSuch"}' },
  ],
  [
    "evm.nosuch_method",
    { method: "POST", path: "/ext/bc/C/rpc", body: '{"jsonrpc":"2.0","id":1,"method":"nosuch_method","params":[]}' },
  ],
];

const NATIVE: Sent = { method: "GET", path: "/ext/metrics" };

export type Options = {
  readonly url: string;
  readonly name: string;
  readonly about: string;
  readonly config: Config;
  /** Texts and what replaces them; made up where that is empty. */
  readonly replace: ReadonlyMap<string, string>;
  /** Until endpoints that follow blocks are asked again. */
  readonly wait: () => Promise<void>;
};

/** Records a node. Endpoints that it does not serve are recorded as it refuses them. @throws if it does not answer `info` */
export async function record({
  url,
  name,
  about,
  config,
  replace,
  wait,
}: Options): Promise<{ readonly answers: string; readonly metrics: string }> {
  const { names, ids } = namesIn(config);
  const recorder = recorderOf(url, names);
  const { api } = recorder;
  const [{ nodeID: nodeId }, { networkName }, { version }] = [
    await api.call(infoMethods.getNodeID, {}),
    await api.call(infoMethods.getNetworkName, {}),
    await api.call(infoMethods.getNodeVersion, {}),
  ];
  const node = { ...defaultNode(name, url), subnets: config.subnets.map(({ id }) => id) };
  const known = { config: node, identity: { nodeId, networkName } };
  const facts = factsReader({ ...config, nodes: [node] }, [known])(known);
  const previous = new Map<string, unknown>();
  const askAll = async (endpoints: ReadonlyArray<Endpoint<unknown>>, given = facts) => {
    for (const endpoint of endpoints)
      for (const key of endpoint.keys(given)) {
        const subject = `${endpoint.id} ${key}`;
        // A refusal is recorded, too.
        const value = await endpoint.ask(api, key, given, previous.get(subject)).catch(() => undefined);
        if (value !== undefined) previous.set(subject, value);
      }
  };
  const endpoints = nodeEndpoints(catalogueOf(TOPICS));
  await askAll(endpoints);
  const byRpc = { ...facts, options: { ...facts.options, healthTransport: "rpc" as const } };
  await askAll(
    endpoints.filter(({ methods }) => methods.some((each) => each.startsWith("GET "))),
    byRpc,
  );
  for (const [wrong, request] of WRONG) await recorder.send(wrong, request).catch(() => undefined);
  await wait();
  await askAll(endpoints.filter(({ follows }) => follows === true));
  const answers = recorder.answers();
  const metrics = await metricsOf(url);
  const text = [
    `{\n"about": ${JSON.stringify(about)},\n"version": ${JSON.stringify(version)},\n"ids": ${JSON.stringify({ ...ids, NODE_ID: nodeId })},\n"answers": [`,
    `${answers.map((each) => JSON.stringify(each)).join(",\n")}\n]}\n`,
  ].join("\n");
  return { answers: replaced(text, replace), metrics: replaced(metrics, replace) };
}

/** The node's own metrics; empty where it does not serve them. */
async function metricsOf(url: string): Promise<string> {
  const response = await fetch(url + NATIVE.path, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined);
  return response?.ok === true ? response.text() : "";
}

/** The names that a configuration has for IDs, and the IDs by the names that tests use. */
function namesIn({ subnets, watch }: Config) {
  const pairs = subnets.flatMap(({ id, name = id, chains }) => [
    [name.toLowerCase(), id, name.toUpperCase()] as const,
    ...chains.map((chain) => [chain.name ?? chain.id, chain.id, `${name.toUpperCase()}_CHAIN`] as const),
  ]);
  const people = watch.addresses.map(({ name, address }) => [name, address, name.toUpperCase()] as const);
  return {
    names: new Map([...pairs, ...people].map(([name, id]) => [id, name])),
    ids: Object.fromEntries([...pairs, ...people].map(([, id, name]) => [name, id])),
  };
}

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const CB58 = /^[1-9A-HJ-NP-Za-km-z]{44,52}$/;

/** A text of the same kind: a node ID, another ID, an IPv4 address of the range for tests, or letters. */
function madeUp(text: string, index: number): string {
  if (text.startsWith("NodeID-")) return makeNodeId("recording", index);
  if (CB58.test(text)) return makeId("recording", index);
  return IPV4.test(text) ? `198.18.0.${index + 1}` : "x".repeat(text.length);
}

function replaced(text: string, replace: Options["replace"]): string {
  return [...replace].reduce(
    (before, [old, made], index) => before.replaceAll(old, made === "" ? madeUp(old, index) : made),
    text,
  );
}

/** The configuration of a file, of which nodes and credentials are not used. */
function configOf(file: string | undefined): Config {
  if (file === undefined) return defaultConfig();
  const { subnets, watch, evm } = parse(readFileSync(file, "utf8")) as Readonly<Record<string, unknown>>;
  return configSchema.parse({ nodes: [{ name: "node", url: "http://127.0.0.1:9650" }], subnets, watch, evm });
}

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      about: { type: "string", default: "" },
      "config.file": { type: "string" },
      replace: { type: "string", multiple: true, default: [] },
      wait: { type: "string", default: "15" },
      to: { type: "string", default: FOLDER },
    },
  });
  const [url = "", name = ""] = positionals;
  if (!/^https?:\/\//.test(url) || !/^[\w.-]+$/.test(name)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const { answers, metrics } = await record({
    url: url.replace(/\/+$/, ""),
    name,
    about: values.about,
    config: configOf(values["config.file"]),
    replace: new Map(values.replace.map((pair) => [pair.replace(/=.*/s, ""), /=(.*)/s.exec(pair)?.[1] ?? ""])),
    wait: () => new Promise((resolve) => setTimeout(resolve, Number(values.wait) * 1000)),
  });
  writeFileSync(`${values.to}/${name}.json`, answers);
  if (metrics !== "") writeFileSync(`${values.to}/${name}.native-metrics.txt`, metrics);
  process.stdout.write(`${values.to}/${name}.json: ${answers.split('\n{"name":').length - 1} answers\n`);
  return 0;
}

if (import.meta.main) process.exitCode = await main();
