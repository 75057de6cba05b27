import { describe, expect, it } from "vitest";
import type { Api, Method } from "../../src/api/endpoint.ts";
import { adminMethods } from "../../src/api/node/admin.ts";
import { evmMethods, validatorsMethod } from "../../src/api/node/evm-methods.ts";
import { healthMethods, healthResources } from "../../src/api/node/health.ts";
import { infoMethods } from "../../src/api/node/info.ts";
import { ledgerMethods } from "../../src/api/node/waiting-utxos.ts";
import { stateMethods } from "../../src/api/node/platform-state.ts";
import { blockMethods } from "../../src/api/node/platform-blocks.ts";
import { platformMethods } from "../../src/api/node/platform.ts";
import { clientOf, failureOf } from "../support/clients.ts";
import { RECORDINGS, recordingOf, type RecordedAnswer } from "../support/recordings.ts";
import { serve } from "../support/servers.ts";

/**
 * The real client and the schemas read every recorded answer of the node's interfaces, and refuse none. The figures are those of recorded-metrics.test.ts.
 */

type Any = Method<unknown, unknown>;
const METHODS = new Map(
  [
    ...[healthMethods, infoMethods, evmMethods, { validatorsMethod }],
    ...[platformMethods, stateMethods, blockMethods],
    ...[adminMethods("C", "spec"), adminMethods("C", "avalanchego")],
    ...[ledgerMethods("spec"), ledgerMethods("avalanchego")],
  ].flatMap((methods) => Object.values(methods as Readonly<Record<string, Any>>).map((each) => [each.name, each])),
);

const INCLUDED = /^(health|info|platform|admin|ledger)\./;
/** Not covered here: `call` sends these methods without a declaration, or another test covers them. */
const EXCLUDED = /^platform\.(get(Validator)?Fee(State|Config)|getProposedHeight|getSubnet\.s[12]|getL1Validator\..+)$/;

/** The name of the called method; empty for a GET, a batch and what is no request. */
const methodOf = ({ request: { body } }: RecordedAnswer): string =>
  /^\{"jsonrpc".*"method":"([^"]+)"/.exec(body ?? "")?.[1] ?? "";

const answersOf = (recording: string): readonly RecordedAnswer[] =>
  recordingOf(recording).answers.filter((answer) => {
    const { name } = answer;
    if (name.startsWith("evm.")) return METHODS.has(methodOf(answer));
    return INCLUDED.test(name) && !EXCLUDED.test(name);
  });

/** Sends a recorded request with the exporter's method or resource. @throws if there is none */
function askAs(api: Api, { request: { method, path, body } }: RecordedAnswer): Promise<unknown> {
  if (method === "GET") {
    const [plain, query] = path.split("?");
    const resource = Object.values(healthResources).find((each) => each.path === plain);
    if (resource === undefined) throw new Error(`no resource for ${path}`);
    return api.get(resource, [...new URLSearchParams(query)]);
  }
  const { method: name, params } = JSON.parse(body ?? "") as { readonly method: string; readonly params?: object };
  const found = METHODS.get(name);
  if (found === undefined) throw new Error(`no method ${name}`);
  return api.call(found, params ?? {});
}

/** The expected reason of failure, from the bytes of a recorded answer. */
function reasonExpected({ request, response: { status, body } }: RecordedAnswer): string | undefined {
  // The health API reports what is wrong with 503.
  if (request.method === "GET") return undefined;
  if (status === 503) return "not_bootstrapped";
  if (status !== 200) return "http_status";
  if (!/^\{"jsonrpc":"2.0",("id":\d+,)?"error"/.test(body)) return undefined;
  return /can't find|ill-formed|-32601/.test(body) ? "unsupported" : "rpc_error";
}

describe.each(RECORDINGS)("%s", (name) => {
  it("has no answer that the schemas refuse", async () => {
    let current: RecordedAnswer | undefined;
    const { url } = await serve((_request, response) => {
      response.writeHead(current?.response.status ?? 599);
      response.end(current?.response.body);
    });
    const client = clientOf(url);
    const answers = answersOf(name);
    for (const answer of answers) {
      current = answer;
      const ask = client.within(5, (api) => askAs(api, answer));
      const expected = reasonExpected(answer);
      const reason = expected === undefined ? await ask.then(() => undefined) : (await failureOf(ask)).reason;
      expect({ answer: answer.name, reason }).toEqual({ answer: answer.name, reason: expected });
    }
    expect(answers).not.toEqual([]);
  });
});
