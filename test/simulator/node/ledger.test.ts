import { describe, expect, test } from "vitest";
import { atomicTransactions } from "../../../simulator/node/ledger.ts";
import type { SimulatorOptions } from "../../../simulator/simulate.ts";
import { ask, type Answer } from "../ask.ts";
import { recordingOf } from "../../support/recordings.ts";
import { run } from "../running.ts";
import { differences, shape } from "../shape.ts";

/** Admin and ledger interfaces of the C-Chain, compared with the recordings and the specification. */

const post = (url: string, path: string, method: string, params?: unknown): Promise<Answer> =>
  ask(url, { method: "POST", path, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) });

const messageOf = ({ body }: Answer): string | undefined =>
  (JSON.parse(body) as { readonly error?: { readonly message: string } }).error?.message;

const SERVED: SimulatorOptions = {
  scenario: [
    { node: 1, name: "admin-on" },
    { node: 1, name: "utxo-waiting" },
  ],
};
const helicon = Date.parse("2026-11-21T11:00:00Z") / 1000;

/** Recordings with the options of the corresponding simulation. */
const cases: ReadonlyArray<readonly [string, SimulatorOptions]> = [
  ["local-healthy-validator", SERVED],
  ["local-1.14.2-validator", { version: "1.14.2", scenario: [{ node: 1, name: "admin-on" }] }],
  ["custom-helicon-active", { heliconTime: helicon, network: { id: 424242, name: "network-424242" } }],
  ["custom-bootstrapping", { scenario: "bootstrapping" }],
];

test.each(cases)("%s: every admin and ledger answer has the recorded keys, types and errors", async (name, options) => {
  const { simulation, url } = await run(options);
  const { ids, answers } = recordingOf(name);
  const known = atomicTransactions(1)[0] ?? "";
  const wallet = simulation.wallets[0]?.c ?? "";
  const ours = answers.filter((answer) => /^(admin|ledger)\./.test(answer.name));
  expect(ours.length).toBeGreaterThan(8);
  for (const { name: answer, request, response } of ours) {
    const body = Object.entries(ids)
      .filter(([key]) => /^C_(EX|IM)PORT/.test(key))
      .reduce((text, [, id]) => text.replaceAll(id, known), request.body ?? "")
      .replace(/C-(local|custom)1\w+/g, wallet);
    const made = await ask(url(1), { ...request, body });
    expect({ answer, status: made.status }).toEqual({ answer, status: response.status });
    if (!response.body.startsWith("{")) {
      expect({ answer, body: made.body }).toEqual({ answer, body: response.body });
      continue;
    }
    const lines = differences(shape(JSON.parse(response.body)), shape(JSON.parse(made.body)));
    expect({ answer, lines }).toEqual({ answer, lines: [] });
    const error = (JSON.parse(response.body) as { readonly error?: { readonly message: string } }).error?.message;
    expect({ answer, error: messageOf(made)?.replaceAll(known, "id") }).toEqual({
      answer,
      error: error?.replaceAll(known, "id"),
    });
  }
});

describe("the specification's dialect", () => {
  test("has its own ledger path, service and numbers", async () => {
    const { simulation, url } = await run({ dialect: "spec", scenario: "utxo-waiting" });
    const params = [{ addresses: [simulation.wallets[0]?.c], sourceChain: "P" }];
    const { status, body } = await post(url(1), "/ext/bc/C/ledger", "ledger.getUTXOs", params);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ result: { numFetched: 3, encoding: "hex" } });
    expect((await post(url(1), "/ext/bc/C/avax", "avax.getUTXOs", params)).status).toBe(404);
    const tx = await post(url(1), "/ext/bc/C/ledger", "ledger.getAtomicTxStatus", [{ txID: atomicTransactions(1)[1] }]);
    expect(JSON.parse(tx.body)).toMatchObject({ result: { status: "Accepted", blockHeight: 2 } });
  });

  test("has admin methods with an underscore", async () => {
    const { url } = await run({ dialect: "spec" });
    const { body } = await post(url(1), "/ext/bc/C/admin", "admin_getVMConfig", []);
    expect(JSON.parse(body)).toMatchObject({ result: { config: { "pruning-enabled": true } } });
    expect(messageOf(await post(url(1), "/ext/bc/C/admin", "admin.getVMConfig", []))).toContain("does not exist");
  });
});

describe("a real node", () => {
  test("serves no admin interface by default, and none after Helicon", async () => {
    const off = await run();
    expect((await post(off.url(1), "/ext/bc/C/admin", "admin.getVMConfig")).status).toBe(404);
    const after = await run({ heliconTime: helicon, scenario: "admin-on" });
    expect((await post(after.url(1), "/ext/bc/C/admin", "admin.getVMConfig")).status).toBe(404);
  });
});
