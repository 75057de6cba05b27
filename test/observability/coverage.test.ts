import { describe, expect, it } from "vitest";
import { METHODS } from "../../src/api/methods.ts";
import { coverageOf, coverageReference } from "../../src/observability/coverage.ts";
import { SPECIFICATION } from "../../src/observability/specification.ts";

/** Interfaces of the nodes; the hosted services are no business of the command `call`. */
const NODES = SPECIFICATION.filter(({ title }) => !/^(Data|Metrics) API$/.test(title));

/** Ways of asking, and no methods: what is asked that way has rows of its own. */
const WAYS = ["WebSocket subscriptions", "batched requests"];

describe.each(NODES)("$title", (part) => {
  it("has every method polled, or sent by the command", () => {
    const lost = coverageOf(part).filter(({ endpoints, callable }) => endpoints.length === 0 && !callable);
    expect(lost.map(({ name }) => name).filter((name) => !WAYS.includes(name))).toEqual([]);
  });

  it("polls nothing that writes", () => {
    const writing = coverageOf(part).filter(({ name }) => METHODS.get(name)?.writes === true);
    for (const { name, endpoints } of writing) expect({ name, endpoints }).toEqual({ name, endpoints: [] });
  });
});

it("shows what the command alone sends, with the reason", () => {
  const page = coverageReference();
  expect(page).toContain(
    "| `admin_setLogLevel` | `call`: changes the node; to be reached from the command line alone |",
  );
  expect(page).toMatch(/\| `platform\.getBalance` \| `platform\.getBalance` \| `avax_platform_balance_avax`/);
  expect(page).toMatch(/\| `ledger\.getUTXOs` \| `ledger\.getUTXOs` \| `avax_utxos_waiting`/);
});
