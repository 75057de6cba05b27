import { describe, expect, it } from "vitest";
import { adminMethods } from "../../src/api/node/admin.ts";
import type { Method } from "../../src/api/endpoint.ts";
import { ledgerMethods } from "../../src/api/node/ledger.ts";
import { balanceMethods } from "../../src/api/node/platform-balance.ts";
import { blockMethods } from "../../src/api/node/platform-blocks.ts";
import { chainMethods } from "../../src/api/node/platform-chains.ts";
import { supplyMethods } from "../../src/api/node/platform-supply.ts";
import { platformMethods } from "../../src/api/node/platform.ts";
import { clientOf, failureOf } from "../support/clients.ts";
import { RECORDINGS, recordingOf, type RecordedAnswer } from "../support/recordings.ts";
import { serve, type Serving } from "../support/servers.ts";

/** Every recorded answer of the P-Chain, admin and ledger interfaces goes through the real client to the exporter's schemas. */

type Any = Method<unknown, unknown>;
const METHODS = new Map(
  [
    ...[platformMethods, supplyMethods, chainMethods, balanceMethods, blockMethods],
    ...[adminMethods("C", "spec"), adminMethods("C", "avalanchego")],
    ...[ledgerMethods("spec"), ledgerMethods("avalanchego")],
  ].flatMap((methods) => Object.values(methods as Readonly<Record<string, Any>>).map((each) => [each.name, each])),
);

/** Asked by nobody here: the fee methods are another topic's, the others are sent on as they are by `call`. */
const NOT_OURS = /^platform\.(get(Validator)?Fee(State|Config)|getProposedHeight|getSubnet\.s[12])$/;

const OURS = /^(platform|admin|ledger)\./;
const oursOf = (recording: string): readonly RecordedAnswer[] =>
  recordingOf(recording).answers.filter(({ name }) => OURS.test(name) && !NOT_OURS.test(name));

/** Serves one recorded answer after another. */
async function replaying(): Promise<{ readonly serving: Serving; readonly next: (answer: RecordedAnswer) => void }> {
  let current: RecordedAnswer | undefined;
  const serving = await serve((_request, response) => {
    response.writeHead(current?.response.status ?? 599);
    response.end(current?.response.body);
  });
  return { serving, next: (answer) => (current = answer) };
}

function methodOf({ request }: RecordedAnswer): Any {
  const { method } = JSON.parse(request.body ?? "") as { readonly method: string };
  const found = METHODS.get(method);
  if (found === undefined) throw new Error(`no method ${method}`);
  return found;
}

/** The reason by which a recorded answer must fail, read from its bytes. */
function reasonExpected({ response: { status, body } }: RecordedAnswer): string | undefined {
  if (status === 503) return "not_bootstrapped";
  if (status !== 200) return "http_status";
  if (!body.includes('"error"')) return undefined;
  return /can't find|ill-formed/.test(body) ? "unsupported" : "rpc_error";
}

describe.each(RECORDINGS)("%s", (name) => {
  it("holds no answer that the schemas refuse", async () => {
    const { serving, next } = await replaying();
    const client = clientOf(serving.url);
    const answers = oursOf(name);
    for (const answer of answers) {
      next(answer);
      const ask = client.within(5, (api) => api.call(methodOf(answer), {}));
      const expected = reasonExpected(answer);
      const reason = expected === undefined ? await ask.then(() => undefined) : (await failureOf(ask)).reason;
      expect({ answer: answer.name, reason }).toEqual({ answer: answer.name, reason: expected });
    }
    expect(answers.length).toBeGreaterThan(25);
  });
});
