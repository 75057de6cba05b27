import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Server as SocketServer } from "node:net";
import { answerTo } from "../../support/answer-id.ts";
import { answer, type RecordedAnswer, type Recording } from "./recording.ts";

/** A parsed request; `rpc` is set when the body is one JSON-RPC request. */
export type Question = {
  readonly method: string;
  readonly path: string;
  readonly query: ReadonlyArray<readonly [string, string]>;
  readonly rpc?: Rpc;
  /** JSON-RPC requests in one body. */
  readonly batch?: readonly Rpc[];
  /** A body that is neither. */
  readonly text?: string;
};

/** `params` is a list for an EVM. */
type Rpc = { readonly method: string; readonly params: Readonly<Record<string, unknown>>; readonly id?: unknown };

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body, where it was prepared as bytes. */
  readonly bytes?: Buffer;
};

export type RecordingServerOptions = {
  /** 0 lets the system choose. */
  readonly port?: number;
  /** Awaited before the answer leaves. */
  readonly hold?: (question: Question) => Promise<void> | undefined;
  /** Changes an answer, for input that no recording has. */
  readonly twist?: (question: Question, reply: Reply) => Reply;
};

export type RecordingServer = {
  readonly url: string;
  readonly port: number;
  /** Resolves with the first request for which `is` holds. */
  readonly asked: (is: (question: Question) => boolean) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Serves a recording on a loopback port, as the node that it was taken from. */
export async function startRecordingServer(
  recording: Recording,
  options: RecordingServerOptions = {},
): Promise<RecordingServer> {
  const node = indexOf(recording);
  const waiting: Array<{ readonly is: (question: Question) => boolean; readonly resolve: () => void }> = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then(async (body) => {
      const question = questionOf(request.method ?? "", request.url ?? "", body);
      for (const { is, resolve } of waiting) if (is(question)) resolve();
      await options.hold?.(question);
      const reply = replyTo(node, question);
      const { status, headers, body: text } = options.twist?.(question, reply) ?? reply;
      // Recorded answers have no date, and that of this machine would be wrong.
      response.sendDate = false;
      response.writeHead(status, headers).end(answerTo(body, text));
    });
  });
  const port = await listenOn(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    asked: (is) => new Promise((resolve) => waiting.push({ is, resolve })),
    close: () => closeServer(server),
  };
}

/** The answers of a recorded node, without a server. */
export function createPlayer(recording: Recording): Player {
  const node = indexOf(recording);
  return (method, target, body) => {
    const question = questionOf(method, target, body);
    return { question, reply: replyTo(node, question) };
  };
}

/** Answers a request: its method, its path with the query, and its body. */
export type Player = (method: string, target: string, body: string) => Answered;

export type Answered = { readonly question: Question; readonly reply: Reply };

/** Listens on the loopback interface and resolves with the port. */
export function listenOn(server: SocketServer, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.removeListener("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Resolves when the port is free again. */
export function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}

/** A port at which nothing listens now, below those that systems give to connections: no other one takes it until it is used. */
export async function freePort(): Promise<number> {
  const server = createServer();
  try {
    const port = await listenOn(server, 12_000 + Math.floor(Math.random() * 20_000));
    await closeServer(server);
    return port;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    return freePort();
  }
}

type Played = { readonly recording: Recording; readonly answers: ReadonlyMap<string, RecordedAnswer> };

/** Well-formed requests by their key. Answers named `http.…` are for malformed requests (without id, in a batch, to another host). */
function indexOf(recording: Recording): Played {
  const wellFormed = recording.answers.filter(({ name }) => !name.startsWith("http."));
  const answers = new Map<string, RecordedAnswer>();
  for (const each of wellFormed) {
    const key = keyOf(questionOf(each.request.method, each.request.path, each.request.body ?? ""));
    if (!answers.has(key)) answers.set(key, each);
  }
  return { recording, answers };
}

/** The recorded answer, under the ID of this request. */
function replyTo(played: Played, question: Question): Reply {
  const reply = replyAsRecorded(played, question);
  return question.rpc === undefined
    ? reply
    : { ...reply, body: answerTo(JSON.stringify({ id: question.rpc.id }), reply.body) };
}

function replyAsRecorded(played: Played, question: Question): Reply {
  const { recording, answers } = played;
  const found = answers.get(keyOf(question));
  if (found !== undefined) return asRecorded(found);
  const onPath = [...answers.values()].filter(({ request }) => pathOf(request.path) === question.path);
  const first = onPath[0];
  if (first === undefined || first.response.status === 404) return asRecorded(answer(recording, "http.unknown-path"));
  // A chain that is bootstrapping gives the same answer to every request.
  if (onPath.every(({ response }) => response.status === 503)) return asRecorded(first);
  if (question.batch !== undefined && question.path.endsWith("/rpc")) return batchOf(played, question, question.batch);
  if (question.rpc === undefined) return asRecorded(answer(recording, "http.unknown-path"));
  const { method, params } = question.rpc;
  if (method === "platform.getCurrentValidators") return someValidators(played, params);
  const error = NOT_FOUND[method]?.(params);
  if (error !== undefined) return rpcError(recording, { code: -32000, message: error, data: null });
  return noSuchMethod(recording, method, question.path);
}

/** The error of a node for an unknown object, for requests with parameters that were not recorded. */
const NOT_FOUND: Readonly<Record<string, (params: Rpc["params"]) => string | undefined>> = {
  "avax.getUTXOs": ({ addresses }) =>
    Array.isArray(addresses) && addresses.length === 0 ? "no addresses provided" : undefined,
  "platform.getCurrentSupply": () => "fetching current supply failed: not found",
  "platform.getBlockByHeight": ({ height }) => `couldn't get block at height ${String(height)}: not found`,
};

/** An EVM answers the requests of a batch one by one, in their order, each under its id. */
function batchOf(played: Played, { method, path, query }: Question, batch: readonly Rpc[]): Reply {
  const replies = batch.map((rpc) => replyTo(played, { method, path, query, rpc }));
  const items = replies.map(({ body }, index) => ({ ...(JSON.parse(body) as object), id: batch[index]?.id }));
  return { status: 200, headers: replies[0]?.headers ?? {}, body: JSON.stringify(items) };
}

/**
 * The exporter requests its own watch list, which was not requested when the recording was made. The recording does have the
 * records: those of the whole set, at the same moment. So the answer is that set without the node IDs that were not requested,
 * like that of a node. The set of an unknown subnet is empty on a real node, and not an error.
 */
function someValidators({ answers }: Played, { subnetID, nodeIDs }: Readonly<Record<string, unknown>>): Reply {
  const params = subnetID === undefined ? {} : { subnetID };
  const rpc = { method: "platform.getCurrentValidators", params };
  const whole = answers.get(keyOf({ method: "POST", path: "/ext/bc/P", query: [], rpc }));
  const known =
    whole ?? answers.get(keyOf({ method: "POST", path: "/ext/bc/P", query: [], rpc: { ...rpc, params: {} } }));
  if (known === undefined) throw new Error("the recording has no validator set");
  const envelope = JSON.parse(known.response.body) as { result: { validators: ReadonlyArray<{ nodeID: string }> } };
  const all = whole === undefined ? [] : envelope.result.validators;
  const validators = Array.isArray(nodeIDs) ? all.filter(({ nodeID }) => nodeIDs.includes(nodeID)) : all;
  return { ...asRecorded(known), body: `${JSON.stringify({ ...envelope, result: { validators } })}\n` };
}

/** The error text of AvalancheGo, from the recorded request for `info.noSuch`; an EVM chain has another text. */
function noSuchMethod(recording: Recording, method: string, path: string): Reply {
  if (path.endsWith("/rpc")) {
    return rpcError(recording, { code: -32601, message: `the method ${method} does not exist/is not available` });
  }
  const [service = "", name = ""] = method.split(".");
  const spelled = `${service}.${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return rpcError(recording, { code: -32000, message: `rpc: can't find method "${spelled}"`, data: null });
}

function rpcError(recording: Recording, error: object): Reply {
  const recorded = asRecorded(answer(recording, "http.info.unknown-method"));
  return { ...recorded, body: `${JSON.stringify({ jsonrpc: "2.0", error, id: 1 })}\n` };
}

function asRecorded({ response: { status, headers, body } }: RecordedAnswer): Reply {
  const sent = Object.entries(headers).filter(([name]) => name === "node-id" || name === "content-type");
  return { status, headers: Object.fromEntries(sent), body };
}

/** The parsed request. @param target the path with its query */
export function questionOf(method: string, target: string, body: string): Question {
  const { pathname, searchParams } = new URL(target, "http://node");
  const question = { method, path: pathname, query: [...searchParams] };
  if (body === "") return question;
  const json: unknown = jsonOf(body);
  if (Array.isArray(json)) return { ...question, batch: json.map(rpcOf).filter((rpc) => rpc !== undefined) };
  const rpc = rpcOf(json);
  return rpc === undefined ? { ...question, text: body } : { ...question, rpc };
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function rpcOf(json: unknown): Rpc | undefined {
  if (typeof json !== "object" || json === null || !("method" in json) || typeof json.method !== "string")
    return undefined;
  const { method, params, id } = json as { method: string; params?: Rpc["params"]; id?: unknown };
  return { method, params: single(params ?? {}), id };
}

/** Go accepts named parameters alone and as the only element of a list. */
function single(params: Rpc["params"]): Rpc["params"] {
  const only: unknown = Array.isArray(params) && params.length === 1 ? params[0] : undefined;
  return typeof only === "object" && only !== null && !Array.isArray(only) ? (only as Rpc["params"]) : params;
}

/** The same text for equivalent requests: the id, the order of keys and of the query do not matter. */
function keyOf({ method, path, query, rpc, batch, text }: Question): string {
  const search = query.map(([name, value]) => `${name}=${value}`).sort();
  const asked = batch?.map(askedOf) ?? (rpc === undefined ? (text ?? null) : askedOf(rpc));
  return JSON.stringify([method, path, search, asked]);
}

/** No parameters are the same as an empty list or object of them. */
function askedOf({ method, params }: Rpc): unknown {
  return Object.keys(params).length === 0 ? [method] : [method, sorted(params)];
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  // Go reads 19 and "19" alike where it wants an integer.
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, each]) => [key, sorted(each)]);
}

function pathOf(target: string): string {
  return new URL(target, "http://node").pathname;
}

/** The text of a request. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
