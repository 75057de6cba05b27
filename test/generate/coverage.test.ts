import { describe, expect, it } from "vitest";
import { METHODS } from "../../src/api/node/methods.ts";
import { catalogueOf } from "../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../src/topics/all/topics.ts";
import { coverageOf, coverageReference } from "../../generate/coverage.ts";
import { SPECIFICATION } from "../../generate/specification.ts";

/** Interfaces of the two hosted services: each method has metrics. */
const HOSTED = SPECIFICATION.filter(({ title }) => /^(Data|Metrics) API$/.test(title));

describe.each(SPECIFICATION)("$title", (part) => {
  it("has every method polled or callable", () => {
    const lost = coverageOf(part).filter(({ endpoints, callable }) => endpoints.length === 0 && !callable);
    expect(lost.map(({ name }) => name)).toEqual([]);
  });

  it("polls nothing that writes", () => {
    const writing = coverageOf(part).filter(({ name }) => METHODS.get(name)?.writes === true);
    for (const { name, endpoints } of writing) expect({ name, endpoints }).toEqual({ name, endpoints: [] });
  });
});

describe.each(HOSTED)("$title", (part) => {
  it.each(coverageOf(part))("$name is polled, has metrics and is callable", (row) => {
    expect(row.endpoints).not.toEqual([]);
    expect(row.metrics).not.toEqual([]);
    expect(row.callable).toBe(true);
    const line = coverageReference()
      .split("\n")
      .find((each) => each.startsWith(`| \`${row.name}\` |`));
    for (const metric of row.metrics) expect(line).toContain(`\`${metric}\``);
  });
});

it("lists the metrics of a path, and not those of a longer path", () => {
  const rows = new Map(HOSTED.flatMap((part) => coverageOf(part)).map(({ name, metrics }) => [name, metrics]));
  expect(rows.get("GET /v1/chains")).toEqual(["avax_hosted_chains"]);
  expect(rows.get("GET /v1/networks/{network}/rewards")).not.toContain("avax_hosted_address_rewards_pending_avax");
});

it("shows the transports with the endpoints that use them", () => {
  const { endpoints } = catalogueOf(TOPICS);
  const ids = new Set(endpoints.map(({ id }) => id));
  const users = SPECIFICATION.flatMap(({ methods }) => methods.flatMap(({ usedBy = [] }) => usedBy));
  expect(users.filter((id) => !ids.has(id))).toEqual([]);
  const page = coverageReference();
  expect(page).toContain("| `WebSocket subscriptions` | `evm.head` | `avax_");
  expect(page).toMatch(/\| `batched requests` \| `evm\.head`, .*`evm\.blocks`.* \| .*`avax_evm_/);
});

it("shows methods that are only callable, with the reason", () => {
  const page = coverageReference();
  expect(page).toContain("| `admin_setLogLevel` | `call`: changes the node; command line only |");
  expect(page).toMatch(/\| `platform\.getBalance` \| `platform\.getBalance` \| `avax_wallet_platform_balance_avax`/);
  expect(page).toMatch(/\| `ledger\.getUTXOs` \| `ledger\.getUTXOs` \| `avax_wallet_import_utxos`/);
});
