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

/** The real client and the schemas read every recorded answer of the P-Chain, admin and ledger interfaces. */

type Any = Method<unknown, unknown>;
const METHODS = new Map(
  [
    ...[platformMethods, supplyMethods, chainMethods, balanceMethods, blockMethods],
    ...[adminMethods("C", "spec"), adminMethods("C", "avalanchego")],
    ...[ledgerMethods("spec"), ledgerMethods("avalanchego")],
  ].flatMap((methods) => Object.values(methods as Readonly<Record<string, Any>>).map((each) => [each.name, each])),
);

/** Not covered here: `call` sends these methods without a declaration, or another test covers them. */
const EXCLUDED = /^platform\.(get(Validator)?Fee(State|Config)|getProposedHeight|getSubnet\.s[12])$/;

const INCLUDED = /^(platform|admin|ledger)\./;
const answersOf = (recording: string): readonly RecordedAnswer[] =>
  recordingOf(recording).answers.filter(({ name }) => INCLUDED.test(name) && !EXCLUDED.test(name));

/** Serves the recorded answer that `next` selects. */
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

/** The expected reason of failure, from the bytes of a recorded answer. */
function reasonExpected({ response: { status, body } }: RecordedAnswer): string | undefined {
  if (status === 503) return "not_bootstrapped";
  if (status !== 200) return "http_status";
  if (!body.includes('"error"')) return undefined;
  return /can't find|ill-formed/.test(body) ? "unsupported" : "rpc_error";
}

describe.each(RECORDINGS)("%s", (name) => {
  it("has no answer that the schemas refuse", async () => {
    const { serving, next } = await replaying();
    const client = clientOf(serving.url);
    const answers = answersOf(name);
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
