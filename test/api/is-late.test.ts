import { expect, it } from "vitest";
import { evmMethods } from "../../src/api/node/evm-methods.ts";
import { healthMethods, healthResources } from "../../src/api/node/health.ts";
import { infoMethods } from "../../src/api/node/info.ts";
import { blockMethods } from "../../src/api/node/platform-blocks.ts";
import { stateMethods } from "../../src/api/node/platform-state.ts";
import { platformMethods } from "../../src/api/node/platform.ts";
import { HOSTED_ENDPOINTS } from "../../src/api/hosted/hosted-endpoints.ts";
import { LATE, readAsOf } from "../../src/api/is-late.ts";
import { batchResults, read, resultOf, type HttpAnswer } from "../../src/api/transport/json-rpc.ts";
import { ApiError } from "../../src/api/endpoint.ts";
import { loadRecording, RECORDING_NAMES } from "../e2e/support/recording.ts";

/** When the answers come: after the last recording. Unix seconds. */
const AT = 1_900_000_000;
const TOMORROW = AT + 86_400;

/** Places of times that can be of the future. */
const PLANNED = /endTime$|upgrade|config/i;

type Read = (body: string, dated: boolean) => unknown;
type Named = { readonly name: string; readonly result: Parameters<typeof read>[0] };
const METHODS = new Map<string, Named>(
  [healthMethods, infoMethods, platformMethods, stateMethods, blockMethods, evmMethods].flatMap((methods) =>
    Object.values<Named>(methods).map((each) => [each.name, each] as const),
  ),
);

const replyOf = (body: string, date: number): HttpAnswer => ({
  ...{ status: 200, headers: { date: new Date(date * 1000).toUTCString() }, body: { text: () => body }, at: AT },
});

/** The same time in the form of a value; `undefined` of a value that is no time. */
function moved(value: unknown, to: number): unknown {
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value)) return new Date(to * 1000).toISOString();
  const hex = typeof value === "string" && /^0x[0-9a-f]{8}$/.test(value) ? Number(value) : 0;
  if (hex > 1.7e9 && hex < 1.9e9) return `0x${to.toString(16)}`;
  if (typeof value === "string" && /^0x[0-9a-f]{11}$/.test(value)) return `0x${(to * 1000).toString(16)}`;
  if (typeof value === "string" && /^1[78]\d{8}$/.test(value)) return String(to);
  return typeof value === "number" && value > 1.7e9 && value < 1.9e9 ? to : undefined;
}

type Place = { readonly path: string; readonly set: (value: unknown) => void; readonly value: unknown };

function placesOf(holder: object, path = ""): Place[] {
  return Object.entries(holder).flatMap(([key, value]: [string, unknown]) => [
    { path: `${path}.${key}`, value, set: (next: unknown) => Object.assign(holder, { [key]: next }) },
    ...(typeof value === "object" && value !== null ? placesOf(value, `${path}.${key}`) : []),
  ]);
}

function holds(value: unknown, time: number): boolean {
  if (value === time) return true;
  if (ArrayBuffer.isView(value)) return (value as Float64Array).includes(time);
  return typeof value === "object" && value !== null && Object.values(value).some((each) => holds(each, time));
}

function recordedReads(): ReadonlyArray<readonly [string, string, Read]> {
  return RECORDING_NAMES.flatMap((name) =>
    loadRecording(name).answers.flatMap(({ request, response }): ReadonlyArray<readonly [string, string, Read]> => {
      if (request.method === "GET") {
        const found = Object.values(healthResources).find(({ path }) => path === request.path);
        const readGet: Read = (body, dated) => {
          const reply = replyOf(body, dated ? TOMORROW : AT);
          return read(found?.result ?? healthResources.health.result, JSON.parse(body), reply, { name: "", dated });
        };
        return found === undefined || response.status !== 200 ? [] : [[request.path, response.body, readGet]];
      }
      const called = /"method": ?"([^"]+)"/.exec(request.body ?? "")?.[1] ?? "";
      const method = METHODS.get(called);
      const call: Read = (body, dated) =>
        resultOf(replyOf(body, dated ? TOMORROW : AT), { ...method, dated } as never, 1);
      return method === undefined || request.body?.startsWith("[") === true ? [] : [[called, response.body, call]];
    }),
  );
}

it("no reader of a node's answer gives a time of the past that is later than the answer", () => {
  const seen = new Set<string>();
  for (const [name, body, reader] of recordedReads()) {
    if (!body.startsWith("{")) continue;
    const document = JSON.parse(body) as object;
    for (const { path, value, set } of placesOf(document)) {
      const field = path.split(".").at(-1) ?? "";
      const late = moved(value, TOMORROW);
      if (late === undefined || PLANNED.test(name) || PLANNED.test(path)) continue;
      set(late);
      try {
        const answer = reader(JSON.stringify(document), false);
        expect(holds(answer, TOMORROW), `${name} ${path}`).toBe(false);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        expect(error.failure.reason, `${name} ${path} ${error.failure.message}`).toBe("schema");
        expect(error.failure.message).toContain(LATE);
      }
      seen.add(`${name} ${field}`);
      set(value);
    }
  }
  // The loop above reaches all kinds of times.
  expect([...seen]).toEqual(
    expect.arrayContaining([
      "/ext/health timestamp",
      "eth_getBlockByNumber settledGasUnix",
      "health.readiness timeOfFirstFailure",
      "info.peers lastReceived",
      "platform.getBlockByHeight start",
      "platform.getCurrentValidators startTime",
    ]),
  );
});

it("a block is dated by the exporter's clock, a record of the node by the node's own", () => {
  const iso = (time: number) => new Date(time * 1000).toISOString();
  const report = { healthy: true, checks: { P: { timestamp: iso(AT + 3600) } } };
  const headers = { date: new Date((AT + 3600) * 1000).toUTCString() };
  const reply: HttpAnswer = { status: 200, headers, body: { text: () => "" }, at: AT };
  const { checks } = read(healthResources.health.result, report, reply, { name: "", dated: true });
  expect(checks["P"]?.timestamp).toBe(AT + 3600);
  const block = { number: "0x1", hash: "0x1", gasLimit: "0x1", gasUsed: "0x0", transactions: [] };
  const result = { ...block, timestamp: `0x${(AT + 3600).toString(16)}` };
  const text = JSON.stringify([{ jsonrpc: "2.0", id: 1, result }]);
  const body = { text: () => text };
  const [outcome] = batchResults({ ...reply, body }, [{ method: { ...evmMethods.block, dated: true }, params: [] }]);
  expect(outcome).toHaveProperty("error");
});

it("an answer that is only printed has every time", () => {
  const { result } = stateMethods.getTimestamp;
  const raw = { timestamp: new Date(TOMORROW * 1000).toISOString() };
  expect(readAsOf(undefined, undefined, () => result.parse(raw))).toEqual({ timestamp: TOMORROW });
  expect(readAsOf(AT, undefined, () => result.safeParse(raw)).success).toBe(false);
  expect(result.safeParse(raw).success).toBe(true);
});

it("rows of a hosted service have no time of the past that is later than the answer", () => {
  for (const { id, resource } of HOSTED_ENDPOINTS) {
    const event = { blockNumber: 1, blockTimestamp: TOMORROW, txCount: 1 };
    const native = { ...event, from: { address: "0x1" }, to: { address: "0x2" } };
    const rows = { blocks: [event], transactions: [{ nativeTransaction: native, ...native }] };
    const results = { results: [{ value: 1, timestamp: TOMORROW }] };
    const raw = { ...rows, ...results, utxos: [], lastRun: TOMORROW, nativeTransaction: native };
    const found = readAsOf(AT, undefined, () => resource.result.safeParse(raw));
    if (found.success) expect(holds(found.data, TOMORROW), id).toBe(false);
  }
});
