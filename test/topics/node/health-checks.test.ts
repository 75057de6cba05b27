import { describe, expect, it } from "vitest";
import { healthMethods, healthResources } from "../../../src/api/node/health.ts";
import { factsReader } from "../../../src/poller/node/facts-reader.ts";
import { chainHeight } from "../../../src/topics/chains/chains.ts";
import { health } from "../../../src/topics/node/health.ts";
import { configOf, nodeConfig } from "../../support/engines.ts";
import { L1ONE, PERM1, S1, S2, SUBNETS } from "../../support/local-network.ts";
import { recorded } from "../../support/recordings.ts";
import { contextOf, only, readTopic } from "../../support/topics.ts";

const context = contextOf({ subnets: SUBNETS });
const report = (recording: string) => recorded(recording, "health.get", healthResources.health.result);
const made = (checks: unknown) => healthMethods.health.result.parse({ checks, healthy: true });

/** `check`, `subnet` and whether it passes, of every check. */
const checksOf = (data: object, facts = context) =>
  Object.entries(only(readTopic(health, data, facts), "_check_passing")).map(([name, value]) => {
    const [, check, subnet] = /check="(.*)",subnet="(.*)"/.exec(name) ?? [];
    return [check, subnet, value];
  });
/** Answers of info.getBlockchainID. */
const idsOf = (ids: Readonly<Record<string, string | undefined>>) =>
  new Map(Object.entries(ids).map(([alias, blockchainID]) => [alias, { blockchainID }]));

const PLATFORM_CHAIN = "11111111111111111111111111111111LpoYY";
const WHOLE = ["bls", "bootstrapped", "database", "diskspace", "futureupgrade", "network", "router"];
const PRIMARY_CHECKS = ["C", "P", "X"].map((check) => [check, "primary", 1]);
const WHOLE_CHECKS = WHOLE.map((check) => [check, "", 1]);

describe("the subnet of a check", () => {
  it("is primary for P, X and C, the ID of a configured subnet, and empty for the whole node", () => {
    expect(checksOf({ report: report("local-healthy-validator") })).toEqual([
      ["perm1", S1, 1],
      ["l1one", S2, 1],
      ...PRIMARY_CHECKS,
      ...WHOLE_CHECKS,
    ]);
  });

  it("is other for the chains of subnets that are not configured", () => {
    const [, l1] = SUBNETS;
    const one = contextOf({ subnets: l1 === undefined ? [] : [l1] });
    expect(checksOf({ report: report("local-healthy-validator") }, one)).toEqual([
      [PERM1, "other", 1],
      ["l1one", S2, 1],
      ...PRIMARY_CHECKS,
      ...WHOLE_CHECKS,
    ]);
    expect(
      checksOf({ report: report("local-plugin-failed") }, contextOf()).filter(([, , value]) => value === 0),
    ).toEqual([
      [PERM1, "other", 0],
      [L1ONE, "other", 0],
      ["bootstrapped", "", 0],
    ]);
  });

  it("is other for a chain that is not listed, except where the text of the failure names the subnet", () => {
    const facts = contextOf({ subnets: SUBNETS.map((subnet) => ({ ...subnet, chains: [] })) });
    expect(checksOf({ report: report("local-healthy-validator") }, facts).slice(0, 2)).toEqual([
      [PERM1, "other", 1],
      [L1ONE, "other", 1],
    ]);
    expect(checksOf({ report: report("local-plugin-failed") }, facts).slice(0, 2)).toEqual([
      [PERM1, S1, 0],
      [L1ONE, S2, 0],
    ]);
  });

  it("is known by the blockchain ID of an alias, and by an alias of a blockchain ID", () => {
    const ids = idsOf({ P: PLATFORM_CHAIN, X: "xId", C: "cId", dex: L1ONE, gone: undefined, else: "elseId" });
    const checks = { cId: {}, dex: {}, else: {}, gone: {}, xId: {}, [PLATFORM_CHAIN]: {} };
    const expected = [
      ["P", "primary", 1],
      ["C", "primary", 1],
      ["l1one", S2, 1],
      ["else", "other", 1],
      ["gone", "other", 1],
      ["X", "primary", 1],
    ];
    expect(checksOf({ report: made(checks), ids })).toEqual(expected);
    // Without the answers only the P-Chain's ID is known: the others have no sign of a chain.
    expect(checksOf({ report: made(checks) })).toEqual([
      ["P", "primary", 1],
      ...["cId", "dex", "else", "gone", "xId"].map((name) => [name, "", 1]),
    ]);
  });

  it("is other for an unknown name with the message of a chain, whatever the rest of the check", () => {
    const odd = {
      alias: { message: { engine: null } },
      later: { message: { networking: {} }, error: 5 },
      text: { message: "engine", error: null },
      list: { message: ["engine"] },
      failed: { error: `failed to create chain on subnet ${S1}: x` },
      foreign: { error: "failed to create chain on subnet 1111: x" },
    };
    expect(checksOf({ report: made(odd) }).map(([check, subnet]) => [check, subnet])).toEqual([
      ["alias", "other"],
      ["failed", S1],
      ["foreign", "other"],
      ["later", "other"],
      ["list", ""],
      ["text", ""],
    ]);
  });
});

describe("the name of a check", () => {
  /** Labels of the check and of the series of the chain. */
  const namesOf = (facts: ReturnType<typeof contextOf>, more: object = {}) => {
    const data = { report: report("local-healthy-validator"), ...more };
    const heights = [...readTopic(chainHeight, data, facts).keys()].map((name) => /chain="(.*)"/.exec(name)?.[1]);
    return { checks: checksOf(data, facts).flatMap(([check, subnet]) => (subnet === "" ? [] : [check])), heights };
  };

  it("is that of its chain on a node that is not configured to serve the subnet", () => {
    const config = configOf([], { subnets: SUBNETS });
    const known = { config: nodeConfig("b", { subnets: [] }), identity: { nodeId: "b", networkName: "local" } };
    const facts = { ...contextOf(), ...factsReader(config, [known])(known) };
    const names = ["perm1", "l1one", "C", "P", "X"];
    expect(facts.chains.map(({ label }) => label)).toEqual(["P", "X", "C"]);
    expect(namesOf(facts)).toEqual({ checks: names, heights: names });
  });

  it("is the blockchain ID of both without a configured name", () => {
    const names = [PERM1, L1ONE, "C", "P", "X"];
    expect(namesOf(contextOf())).toEqual({ checks: names, heights: names });
  });

  it("is the configured name of both where the node uses an alias", () => {
    const checks = { dex: { message: { engine: { consensus: { lastAcceptedHeight: 7 } } } } };
    const heads = new Map([[L1ONE, { height: 9 }]]);
    const names = { checks: ["l1one"], heights: ["l1one"] };
    expect(namesOf(context, { report: made(checks), ids: idsOf({ dex: L1ONE }), heads })).toEqual(names);
    // The name itself is an alias too.
    expect(namesOf(context, { report: made({ l1one: checks.dex }), heads })).toEqual(names);
  });
});
