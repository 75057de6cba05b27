import { describe, expect, it } from "vitest";
import { METHODS } from "../../src/api/node/methods.ts";
import { catalogueOf } from "../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../src/topics/all/topics.ts";
import { coverageOf, coverageReference } from "../../generate/coverage.ts";
import { HOSTED_FIELDS } from "../../generate/fields/hosted-fields.ts";
import { NODE_FIELDS } from "../../generate/fields/node-fields.ts";
import { SPECIFICATION } from "../../generate/specification.ts";
import { recordedAnswer } from "../support/recordings.ts";

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
  // A path that is for the command line alone says why.
  it.each(coverageOf(part).filter(({ note }) => note === undefined))(
    "$name is polled, has metrics and is callable",
    (row) => {
      expect(row.endpoints).not.toEqual([]);
      expect(row.metrics).not.toEqual([]);
      expect(row.callable).toBe(true);
    },
  );
});

it("names in its table of fields only metrics that exist", () => {
  const known = new Set(TOPICS.flatMap((topic) => Object.values(topic.metrics).map(({ name }) => name)));
  const named = Object.values({ ...NODE_FIELDS, ...HOSTED_FIELDS }).flatMap(
    (text) => text.match(/avax_[a-z0-9_]+/g) ?? [],
  );
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

it("lists the metrics of a path, and not those of a longer path", () => {
  const rows = new Map(HOSTED.flatMap((part) => coverageOf(part)).map(({ name, metrics }) => [name, metrics]));
  expect(rows.get("GET /v1/chains")).toEqual(["avax_hosted_chains"]);
  expect(rows.get("GET /v1/networks/{network}/rewards")).not.toContain("avax_hosted_address_rewards_pending_avax");
});

it("names endpoints that exist as users of the transports", () => {
  const ids = new Set(catalogueOf(TOPICS).endpoints.map(({ id }) => id));
  const users = SPECIFICATION.flatMap(({ methods }) => methods.flatMap(({ usedBy = [] }) => usedBy));
  expect(users.filter((id) => !ids.has(id))).toEqual([]);
});

describe("what the table says of releases", () => {
  const before = "head115-upgrade-ahead";
  const after = "head-helicon-restarted-validator";
  const bodyOf = (recording: string, name: string) => recordedAnswer(recording, name).response.body;

  it("is what nodes with the default configuration of the C-Chain answered", () => {
    expect([before, after].map((each) => bodyOf(each, "evm.txpool_status").includes("not available"))).toEqual([
      true,
      false,
    ]);
    expect(recordedAnswer(after, "admin.getVMConfig").response.status).toBe(404);
    expect([before, after].map((each) => bodyOf(each, "evm.web3_clientVersion").includes("avalanchego/"))).toEqual([
      false,
      true,
    ]);
    expect([before, after].map((each) => bodyOf(each, "evm.eth_getBlockByNumber.accepted").includes("-32602"))).toEqual(
      [false, true],
    );
    expect(bodyOf(after, "evm.eth_getBlockByNumber.0xffffff")).toContain('"result":null');
  });

  it("stands beside the methods in question", () => {
    const row = (name: string) =>
      coverageReference()
        .split("\n")
        .find((line) => line.startsWith(`| \`${name}\` |`));
    expect(row("txpool_status")).toMatch(/\| by default since Helicon;/);
    expect(row("admin_getVMConfig")).toMatch(/\| until Helicon \|$/);
    expect(row("ledger.getAtomicTxStatus")).toMatch(/\| up to 1\.15\.1 \|$/);
    expect(row("platform.getBalance")).toMatch(/deprecated in 1\.15\.0/);
  });
});
