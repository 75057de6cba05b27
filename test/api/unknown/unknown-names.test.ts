import { describe, expect, it } from "vitest";
import { NODE_FIELDS } from "../../../generate/fields/node-fields.ts";
import { fieldsOf, filled, valuesAt } from "../../../generate/fields/values.ts";
import { METHODS } from "../../../src/api/node/methods.ts";
import { unknownNames } from "../../../src/api/unknown/unknown-names.ts";
import { RECORDINGS, recordingOf } from "../../support/recordings.ts";

const noChain = () => false;
const namesIn = (method: string, answer: unknown) => unknownNames(method, answer, noChain).map(({ name }) => name);

/** Methods that no poll asks. */
const UNUSED = /^(?:platform\.getBlock|avax\.getAtomicTx(?:Status)?)$/;

type Envelope = { readonly result?: unknown };

/** Every recorded answer with the name of its method. */
function answersOf(recording: string): ReadonlyArray<readonly [method: string, answer: unknown]> {
  return recordingOf(recording).answers.flatMap(({ request: { method, path, body }, response }) => {
    if (!/^[[{]/.test(response.body ?? "")) return [];
    const answer: unknown = JSON.parse(response.body);
    if (method === "GET") return [[`GET ${path.replace(/\?.*/, "")}`, answer] as const];
    const called = /^\{"jsonrpc".*"method":"([^"]+)"/.exec(body ?? "")?.[1] ?? "";
    return [[called, (answer as Envelope).result] as const];
  });
}

it.each(RECORDINGS)("%s has no new name", (recording) => {
  const polled = answersOf(recording).filter(([method]) => METHODS.has(method) && !UNUSED.test(method));
  expect(polled).not.toEqual([]);
  expect(polled.flatMap(([method, answer]) => namesIn(method, answer))).toEqual([]);
});

it("the fields of the specification are not new", () => {
  const values = valuesAt(1_795_259_208);
  const named = Object.entries(NODE_FIELDS).flatMap(([method, table]) =>
    fieldsOf(table).map(
      ({ path, sent }) =>
        [method, filled(path, values), JSON.parse(filled(sent, values).replaceAll(/\$[A-Z]+/g, "1"))] as const,
    ),
  );
  const found = named.flatMap(([method, path, sent]) => {
    const keys = path
      .replaceAll(/\[\d+\]|^result\.?/g, "")
      .split(".")
      .filter((key) => key !== "");
    const answer: unknown = keys.reduceRight((value: unknown, key) => ({ [key]: value }), sent as unknown);
    return unknownNames(method.replace(/ \{.*/, ""), answer, noChain);
  });
  expect(named).not.toEqual([]);
  expect(found).toEqual([]);
});

describe("a name is new", () => {
  const check = { timestamp: "2026-11-21T12:00:00Z", duration: 1 };

  it.each([
    ["a field", "info.uptime", { rewardingStakePercentage: "1", vouchers: 3 }, ["info.uptime vouchers"]],
    ["a field of rows", "info.peers", { peers: [{ ip: "" }, { mood: 1 }, { mood: 2 }] }, ["info.peers peers.mood"]],
    [
      "a field of a check",
      "health.health",
      { checks: { bls: { ...check, sort: 1 } } },
      ["health.health checks.bls.sort"],
    ],
    ["a field within a new one is not named", "info.getNodeIP", { ip: "", v6: { ip: "" } }, ["info.getNodeIP v6"]],
    ["an answer that had no fields", "eth_chainId", { id: "0x1" }, ["eth_chainId id"]],
    ["a method without a record", "info.moods", [{ mood: 1 }], ["info.moods mood"]],
    ["an ID is none", "info.acps", { acps: { 401: { supportWeight: "1", tally: 1 } } }, ["info.acps acps.401.tally"]],
    ["what is of transactions is none", "eth_getBlockByNumber", { number: "0x1", transactions: [{ mood: 1 }] }, []],
  ])("%s", (_which, method, answer, expected) => {
    expect(namesIn(method, answer)).toEqual(expected);
  });

  it("a check that is of no chain", () => {
    const checks = {
      bls: check,
      gossip: { ...check, sort: 1 },
      "my-l1": { ...check, message: { engine: { vm: { a: 1 } }, mood: 1 } },
    };
    expect(unknownNames("GET /ext/health", { checks }, (name) => name === "my-l1")).toEqual([
      { kind: "check", name: "gossip" },
      { kind: "field", name: "GET /ext/health checks.my-l1.message.mood" },
    ]);
  });
});

describe("a node that makes up names", () => {
  it("has 50 of them in an answer, on one line each, of 120 characters", () => {
    const fields = Array.from({ length: 10_000 }, (_, i) => [`line\n\u202e${i}${"x".repeat(1_000)}`, i]);
    const names = namesIn("info.peers", { peers: [Object.fromEntries(fields), Object.fromEntries(fields)] });
    expect(names).toHaveLength(50);
    expect(names[0]).toMatch(/^info\.peers peers\.line 0x+…$/);
    for (const name of names) expect(name).toHaveLength(120);
  });

  it("can nest them as deep as it likes", () => {
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as unknown;
    expect(namesIn("info.peers", deep)).toEqual([]);
    const nested = JSON.parse(`${'{"peers":['.repeat(5_000)}${"]}".repeat(5_000)}`) as unknown;
    expect(namesIn("info.peers", nested)).toEqual(["info.peers peers.peers"]);
  });
});
