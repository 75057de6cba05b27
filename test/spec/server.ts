import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { HOSTED_FIELDS } from "../../generate/fields/hosted-fields.ts";
import { NODE_FIELDS } from "../../generate/fields/node-fields.ts";
import { fieldsOf, filled, valuesAt } from "../../generate/fields/values.ts";
import { bodyOf, listenOn } from "../e2e/support/recording-server.ts";

/**
 * A node and the two hosted services as the specifications have them, with the values of the tables of fields, and strict: every
 * method, parameter and query that the specifications lack is refused. It shares no code with the exporter and the simulator.
 */

type Json = Readonly<Record<string, unknown>>;

/** Parameters by method: named ones of an object, `[]` for an empty list, `[{…}]` for one object in a list, `list` for any list. */
const PARAMETERS: Readonly<Record<string, readonly string[] | "[]" | "list">> = {
  "info.isBootstrapped": ["chain"],
  "info.getBlockchainID": ["alias"],
  "info.peers": ["nodeIDs"],
  "info.uptime": ["subnetID"],
  "platform.getBalance": ["addresses"],
  "platform.getBlockByHeight": ["height", "encoding"],
  "platform.getBlockchainStatus": ["blockchainID"],
  "platform.getCurrentSupply": ["subnetID"],
  "platform.getCurrentValidators": ["subnetID", "nodeIDs"],
  "ledger.getUTXOs": ["addresses", "sourceChain", "startIndex", "limit", "encoding"],
  admin_getVMConfig: "[]",
};
const PATHS: ReadonlyArray<readonly [path: string, methods: RegExp]> = [
  ["/ext/info", /^info\./],
  ["/ext/bc/P", /^platform\./],
  ["/ext/bc/C/rpc", /^(eth|net|web3|txpool)_/],
  ["/ext/bc/C/admin", /^admin_/],
  ["/ext/bc/C/ledger", /^ledger\./],
];
const QUERY =
  /^(pageToken|pageSize|startBlock|endBlock|sortOrder|startTimestamp|endTimestamp|currency|network|feature|addresses|nodeIds|assetId|minUtxoAmount|includeSpent|sortBy|validationStatus|timeInterval|tag|contractAddress)$/;

/** A UTXO of 3.000000007 AVAX in the codec of the atomic memory. */
function utxo(): string {
  const bytes = Buffer.alloc(2 + 32 + 4 + 32 + 4 + 8 + 8 + 4 + 4 + 20);
  Buffer.from("21e67317cbc4be2aeb00677ad6462778a8f52274b9d605df2591b23027a87dff", "hex").copy(bytes, 38);
  bytes.writeUInt32BE(7, 70);
  bytes.writeBigUInt64BE(3_000_000_007n, 74);
  const checksum = createHash("sha256").update(bytes).digest().subarray(-4);
  return `0x${Buffer.concat([bytes, checksum]).toString("hex")}`;
}

/** The answer of a method: every field of its table at its path. */
function answerOf(table: string, values: Readonly<Record<string, string>>): Json {
  const root: Record<string, unknown> = {};
  for (const { path, sent } of fieldsOf(filled(table, values))) {
    const keys = path.split(/\.|(?=\[)/).map((key) => (key.startsWith("[") ? Number(key.slice(1, -1)) : key));
    let at: Record<string | number, unknown> = root;
    for (const [index, key] of keys.entries()) {
      const isLast = index === keys.length - 1;
      at[key] ??= isLast ? JSON.parse(sent) : typeof keys[index + 1] === "number" ? [] : {};
      at = at[key] as Record<string | number, unknown>;
    }
  }
  return root;
}

const NONE = "4294967294";

function resultOf(method: string, params: Json, list: readonly unknown[]): unknown {
  const known = valuesAt(Date.now() / 1000);
  const ids: Readonly<Record<string, string | undefined>> = { X: known["XCHAIN"], P: known["PRIMARY"] };
  const values = {
    ...known,
    UTXO: utxo(),
    HEIGHT: String(params["height"]),
    ALIAS: ids[String(params["alias"])] ?? "2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5",
    BLOCK: list[0] === "latest" ? "0x410de85" : String(list[0]),
  };
  const isOfSubnet = "subnetID" in params;
  if (method === "platform.getCurrentSupply" && isOfSubnet) return undefined;
  const table = NODE_FIELDS[isOfSubnet ? `${method} {subnetID}` : method];
  const answer = table === undefined ? undefined : answerOf(table, values);
  return answer !== undefined && /^(eth|net|web3|txpool)_/.test(method) ? answer["result"] : answer;
}

/** What is wrong with the parameters of a call. */
function faultOf(method: string, params: unknown): string | undefined {
  const allowed = PARAMETERS[method] ?? (/^(eth|net|web3|txpool)_/.test(method) ? "list" : []);
  if (allowed === "list") return Array.isArray(params) ? undefined : "not a list";
  if (allowed === "[]")
    return Array.isArray(params) && params.length === 0 ? undefined : "too many arguments, want at most 0";
  const one = method.startsWith("ledger.") && Array.isArray(params) ? (params[0] as unknown) : params;
  if (typeof one !== "object" || one === null || Array.isArray(one)) return "not an object";
  return Object.keys(one).find((key) => !allowed.includes(key));
}

function replyTo(path: string, call: Json, refused: string[]): Json {
  const { jsonrpc, id, method, params } = call;
  const name = String(method);
  const isServed = PATHS.some(([at, methods]) => at === path && methods.test(name));
  const list = Array.isArray(params) ? (params as unknown[]) : [];
  const named = (typeof list[0] === "object" ? list[0] : params) as Json;
  const fault = jsonrpc !== "2.0" || typeof id !== "number" ? "envelope" : faultOf(name, params);
  const isKnown = isServed && NODE_FIELDS[name] !== undefined;
  if (isKnown && fault !== undefined) refused.push(`${name}: ${fault}`);
  const result = isKnown && fault === undefined ? resultOf(name, named, list) : undefined;
  if (result !== undefined) return { jsonrpc: "2.0", id, result };
  const message = isKnown ? `not found (${fault ?? NONE})` : `the method ${name} does not exist/is not available`;
  return { jsonrpc: "2.0", id, error: { code: isKnown ? -32000 : -32601, message } };
}

function hosted(path: string): string | undefined {
  if (path.startsWith("/ext")) return NODE_FIELDS[`GET ${path}`];
  const patterns = Object.entries(HOSTED_FIELDS).map(
    ([name, table]) => [new RegExp(`^GET ${name.slice(4).replaceAll(/\{\w+\}/g, "[^/:]+")}$`), table] as const,
  );
  return patterns.find(([pattern]) => pattern.test(`GET ${path}`))?.[1];
}

/** Starts the server. `refused` has what a strict server does not take. */
export async function startServer(): Promise<{ url: string; refused: string[]; close: () => void }> {
  const refused: string[] = [];
  const answer = (request: IncomingMessage, body: string): readonly [status: number, body: unknown] => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://x");
    if (request.method === "GET") {
      const odd = [...searchParams.keys()].filter((name) => !QUERY.test(name));
      const size = Number(searchParams.get("pageSize") ?? 1);
      if (odd.length > 0 || size > (pathname.endsWith("listErc721") ? 500 : 100)) refused.push(request.url ?? "");
      const table = hosted(decodeURIComponent(pathname));
      return table === undefined ? [404, {}] : [200, answerOf(table, valuesAt(Date.now() / 1000))];
    }
    if (!PATHS.some(([path]) => path === pathname)) return [404, {}];
    const calls = JSON.parse(body) as Json | readonly Json[];
    if (!Array.isArray(calls)) return [200, replyTo(pathname, calls as Json, refused)];
    if (!pathname.endsWith("/rpc") || calls.length > 40) refused.push(`batch at ${pathname}`);
    return [200, (calls as readonly Json[]).map((call) => replyTo(pathname, call, refused))];
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void bodyOf(request).then((body) => {
      const [status, json] = answer(request, body);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
    });
  });
  return { url: `http://127.0.0.1:${await listenOn(server)}`, refused, close: () => void server.close() };
}
