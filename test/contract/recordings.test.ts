import { describe, expect, it } from "vitest";
import type { Client } from "../../src/api/transport/client.ts";
import type { Failure } from "../../src/api/reasons.ts";
import { clientOf, failureOf } from "../support/clients.ts";
import { askAs, keyOf } from "../support/questions.ts";
import { RECORDINGS, recordingOf, type RecordedAnswer } from "../support/recordings.ts";
import { serve } from "../support/servers.ts";
import { VALUES } from "./recorded-values.ts";

/**
 * The real client and the schemas read every recorded answer of the Health and Info interfaces and of the P-Chain methods of the
 * exporter.
 */

const INCLUDED = /^(health\.|info\.|platform\.getCurrentValidators\.|platform\.getHeight$)/;
const answersOf = (recording: string) => recordingOf(recording).answers.filter(({ name }) => INCLUDED.test(name));

/** A client of a server with the recorded answers; other requests get status 599. */
async function replaying(recording: string): Promise<Client> {
  const answers = new Map(answersOf(recording).map((answer) => [keyOf(answer.request), answer.response]));
  const { url } = await serve(({ method, url: path, body }, response) => {
    const answer = answers.get(keyOf({ method, path, body }));
    const headers = Object.entries(answer?.headers ?? {}).filter(([name]) => name !== "content-length");
    response.writeHead(answer?.status ?? 599, Object.fromEntries(headers));
    response.end(answer?.body);
  });
  return clientOf(url);
}

const rpcFailure = (method: string, rpcMessage: string): Failure => ({
  reason: "rpc_error",
  message: `${method}: ${rpcMessage}`,
  rpcMessage,
  status: 200,
});
const NOT_BOOTSTRAPPED: Failure = {
  reason: "not_bootstrapped",
  message: 'HTTP 503: "API call rejected because chain is not done bootstrapping"',
  status: 503,
};
const MALFORMED =
  "couldn't unmarshal an argument. Ensure arguments are valid and properly formatted. See documentation for example calls";

/** The expected failure of a recorded answer, if any. */
function failureExpected(recording: string, { name, request }: RecordedAnswer): Failure | undefined {
  if (recording === "custom-bootstrapping" && name.startsWith("platform.")) return NOT_BOOTSTRAPPED;
  if (name === "platform.getCurrentValidators.bad-node") return rpcFailure("platform.getCurrentValidators", MALFORMED);
  if (name === "info.getBlockchainID.nosuch") {
    return rpcFailure("info.getBlockchainID", "there is no ID with alias: nosuch");
  }
  const { params } = JSON.parse(request.body ?? "{}") as { params?: { chain?: string } };
  const unknown = rpcFailure("info.isBootstrapped", `there is no chain with alias/ID '${params?.chain ?? ""}'`);
  if (name === "info.isBootstrapped.nosuch") return unknown;
  if (recording === "local-plugin-failed" && /^info\.isBootstrapped\.(perm1|l1one)$/.test(name)) return unknown;
  if (/^custom-(bootstrapping|not-a-validator)$/.test(recording) && name === "info.uptime") {
    return rpcFailure("info.uptime", "couldn't get node uptime: node is not a validator");
  }
  return undefined;
}

/** Counts and identifiers of a raw answer, read without a schema. */
function outline({ name, request, response }: RecordedAnswer): object {
  const json = JSON.parse(response.body) as Record<string, unknown>;
  const result = request.method === "GET" ? json : (json["result"] as Record<string, unknown>);
  if (name.startsWith("health."))
    return { healthy: result["healthy"], checks: Object.keys((result["checks"] as object | null) ?? {}) };
  if (name.startsWith("platform.getCurrentValidators")) {
    return { validators: (result["validators"] as Array<{ nodeID: string }>).map(({ nodeID }) => nodeID) };
  }
  if (name.startsWith("info.peers")) {
    return {
      numPeers: Number(result["numPeers"]),
      peers: (result["peers"] as Array<{ nodeID: string }>).map(({ nodeID }) => nodeID),
    };
  }
  if (name === "info.upgrades") return { upgrades: Object.keys(result).filter((key) => key.endsWith("Time")).length };
  return {
    keys: Object.keys(result)
      .filter((key) => key !== "fxs")
      .sort(),
  };
}

/** The same counts and identifiers of a parsed answer. */
function outlineOf(name: string, value: unknown): object {
  if (value instanceof Map) return { upgrades: value.size };
  const fields = value as Record<string, ReadonlyArray<{ nodeID: string }>>;
  if (name.startsWith("health.")) return { healthy: fields["healthy"], checks: Object.keys(fields["checks"] ?? {}) };
  if (name.startsWith("platform.getCurrentValidators")) {
    return { validators: fields["validators"]?.map(({ nodeID }) => nodeID) };
  }
  if (name.startsWith("info.peers")) {
    return { numPeers: fields["numPeers"], peers: fields["peers"]?.map(({ nodeID }) => nodeID) };
  }
  return { keys: Object.keys(fields).sort() };
}

it("there are 16 recordings with 587 answers of these interfaces", () => {
  expect(RECORDINGS).toHaveLength(16);
  expect(RECORDINGS.flatMap(answersOf)).toHaveLength(587);
  expect(Object.keys(VALUES).sort()).toEqual(RECORDINGS);
});

describe.each(RECORDINGS)("%s", (recording) => {
  it("has an answer or the expected failure for each recorded request", async () => {
    const client = await replaying(recording);
    for (const answer of answersOf(recording)) {
      const expected = failureExpected(recording, answer);
      const poll = client.within(10, (api) => askAs(api, answer.request));
      if (expected !== undefined) expect(await failureOf(poll), answer.name).toEqual(expected);
      else expect(outlineOf(answer.name, await poll), answer.name).toEqual(outline(answer));
    }
  });

  it("has the values in recorded-values.ts", async () => {
    const client = await replaying(recording);
    for (const [name, expected] of Object.entries(VALUES[recording] ?? {})) {
      const request = recordingOf(recording).answers.find((answer) => answer.name === name)?.request;
      if (request === undefined) throw new Error(`${recording} has no ${name}`);
      const value = await client.within(10, (api) => askAs(api, request));
      expect(value instanceof Map ? Object.fromEntries(value) : value, name).toMatchObject(expected);
    }
  });
});
