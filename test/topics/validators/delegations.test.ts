import { describe, expect, it } from "vitest";
import { OwnDelegations, type OwnValidatorRecord } from "../../../src/api/node/platform.ts";
import { delegations } from "../../../src/topics/validators/delegations.ts";
import { recordedApi } from "../../support/recorded-api.ts";
import { scriptedApi } from "../../support/scripted-api.ts";
import { contextOf, nextState, readTopic } from "../../support/topics.ts";

const NODE = "NodeID-8svdcPMG3GiLuyy5675h2BUNaXdrNCujA";
const DAY = 86_400;

const recorded = async () =>
  OwnDelegations.ask(recordedApi("local-healthy-validator"), "", contextOf({ nodeId: NODE }), undefined);
const read = (own: object, nodeId = NODE, time?: number) =>
  Object.fromEntries(readTopic(delegations, { own }, contextOf({ nodeId, ...(time === undefined ? {} : { time }) })));

it("shows when the recorded delegations end, and nothing of what is unknown or of another node", async () => {
  const answer = await recorded();
  expect(read(answer)).toMatchObject({ 'avax_node_delegations_ending_avax{remaining="1-3d"}': 625 });
  // The uptime is unknown without peers.
  expect(Object.keys(read(answer)).filter((name) => /unrewarded|recovery/.test(name))).toEqual([]);
  expect(read(answer, "NodeID-other")).toEqual({});
});

it("the recorded commission, and the next large delegation: 500 of 2,625 AVAX", async () => {
  const answer = await recorded();
  const [own] = answer.validators.filter(({ nodeID }) => nodeID === NODE);
  const large = own?.delegators?.find(({ weight }) => weight === 500_000_000_000n);
  expect(read(answer)).toMatchObject({
    avax_node_delegations_potential_fee_avax: 0.006158095,
    avax_node_large_delegation_end_timestamp_seconds: large?.endTime,
    avax_node_large_delegation_weight_ratio: 500 / 2625,
  });
});

type Delegator = NonNullable<OwnValidatorRecord["delegators"]>[number];
const made = (txID: string, weight: number, days: number, more: Partial<Delegator> = {}): Delegator => ({
  txID,
  weight: BigInt(weight),
  endTime: days * DAY,
  ...more,
});
const ownOf = (delegators: readonly Delegator[] | undefined, more: object = {}) => ({
  validators: [{ nodeID: NODE, startTime: 0, weight: 800n, delegationFee: 0.02, delegators, ...more }],
});
const LARGE = "avax_node_large_delegation_weight_ratio";
const FEE = "avax_node_delegations_potential_fee_avax";

it.each([
  ["the first of two, of 1,000 in all", ownOf([made("a", 150, 9), made("b", 50, 5)]), LARGE, 0.05],
  ["the larger one at the same time", ownOf([made("a", 60, 5), made("b", 140, 5)]), LARGE, 0.14],
  ["not one that has ended", ownOf([made("a", 150, 1), made("b", 50, 5)]), LARGE, 0.05],
  ["none that is small", ownOf([made("a", 9, 5), made("b", 9, 5)]), LARGE, undefined],
  ["none of an unknown weight", ownOf([made("a", 200, 5)], { weight: undefined }), LARGE, undefined],
  ["no commission without delegations", ownOf([]), FEE, 0],
  ["of each", ownOf([made("a", 9, 5, { potentialReward: 3 }), made("b", 9, 5, { potentialReward: 4 })]), FEE, 0.14],
  ["a reward is unknown", ownOf([made("a", 9, 5, { potentialReward: 3 }), made("b", 9, 5)]), FEE, undefined],
  ["the fee is unknown", ownOf([], { delegationFee: undefined }), FEE, undefined],
  ["the answer lists none", ownOf(undefined), FEE, undefined],
])("%s", (_what, own, name, expected) => {
  expect(read(own, NODE, 2 * DAY)[name]).toBe(expected);
});

it.each<[string, object, readonly string[] | "schema"]>([
  ["nothing", {}, []],
  ["the rewards, by an odd reward", { potentialReward: [] }, ["reward", "fee"]],
  ["no figure, by an odd transaction", { txID: 7 }, []],
  ["the answer, by an odd weight", { weight: "many" }, "schema"],
  ["the answer, by an odd end", { endTime: "soon" }, "schema"],
  ["the answer, by an end that was never set", { endTime: "0" }, "schema"],
])("one delegation of two costs %s", async (_what, more, lost) => {
  const row = { txID: "t", weight: "50", endTime: "1800000000", potentialReward: "5" };
  const validator = { nodeID: NODE, startTime: "1700000000", weight: "900", delegationFee: "2" };
  const answer = (delegators: readonly object[]) =>
    OwnDelegations.ask(
      scriptedApi(() => ({ validators: [{ ...validator, delegators }] })),
      "",
      contextOf({ nodeId: NODE }),
      undefined,
    );
  const odd = await answer([row, { ...row, ...more }]).catch((error: unknown) => error);
  if (lost === "schema") return void expect(odd).toBeInstanceOf(Error);
  const { invalidRows } = odd as Awaited<ReturnType<typeof answer>>;
  expect(invalidRows?.count ?? 0).toBe(Object.keys(more).length);
  // Of changes an unknown transaction is a case of its own.
  const figures = (own: object) => Object.keys(read(own)).filter((name) => !name.includes("changes"));
  const usual = figures(await answer([row, row]));
  expect(figures(odd as object)).toEqual(
    usual.filter((name) => !lost.some((each) => name === `avax_node_delegations_potential_${each}_avax`)),
  );
});

describe("delegations that began and ended", () => {
  const [A, B, C] = [made("a", 1e9, 5), made("b", 2e9, 5), made("c", 4e9, 5)];
  /** Began, ended; each as number and AVAX. */
  const after = (...answers: ReadonlyArray<readonly [object, nodeId?: string]>) => {
    let state: unknown;
    for (const [own, nodeId = NODE] of answers) state = nextState(delegations, { own }, contextOf({ nodeId }), state);
    return delegations.metrics.changes
      .read({ state, own: undefined } as never, contextOf())
      .concat(delegations.metrics.changedStake.read({ state, own: undefined } as never, contextOf()))
      .map(([, value]) => value);
  };

  it.each([
    ["none by the first answer", [[ownOf([A, B])]], [0, 0, 0, 0]],
    ["one of each", [[ownOf([A, B])], [ownOf([B, C])]], [1, 1, 4, 1]],
    ["none by an answer without them", [[ownOf([A])], [ownOf(undefined)], [ownOf([A])]], [0, 0, 0, 0]],
    [
      "none where a transaction is unknown",
      [[ownOf([A])], [ownOf([made("", 1, 5, { txID: undefined })])]],
      [0, 0, 0, 0],
    ],
    ["all at the end of the validator", [[ownOf([A, B])], [{ validators: [] }]], [0, 2, 0, 3]],
    ["none of another node", [[ownOf([A])], [ownOf([B], { nodeID: "NodeID-x" }), "NodeID-x"]], [0, 0, 0, 0]],
    ["nothing before an answer", [], []],
    ["nothing where the server ignores the node ID", [[{ validators: [{ nodeID: "NodeID-x" }] }]], []],
  ] as const)("%s", (_what, answers, expected) => {
    expect(answers.length === 0 ? [] : after(...answers)).toEqual(expected);
  });
});

it.each([
  // 20 days with 75.5 %: without further downtime 80 % are reached after 24.5 days.
  ["ends in the second before the uptime suffices", 0.75, 24.5 * DAY - 1, 3],
  ["ends when it suffices", 0.75, 24.5 * DAY, 0],
  ["has ended already", 0.75, 20 * DAY, 0],
  ["ends while it suffices", 0.8, 21 * DAY, 0],
])("a delegation that %s: of an uptime of %s, at %s, %s AVAX are lost", (_what, observedUptime, end, lost) => {
  const own = ownOf([made("a", 3e9, end / DAY)]);
  const peers = { peers: [{ nodeID: "NodeID-a", observedUptime }] };
  const set = { validators: [NODE, "NodeID-a"].map((nodeID) => ({ nodeID, weight: 9n, startTime: 0 })) };
  const data = { own, peers, sets: new Map([["primary", set]]), upgrades: new Map() };
  const found = readTopic(delegations, data, contextOf({ nodeId: NODE, time: 20 * DAY }));
  expect(found.get("avax_node_delegations_unrewarded_avax")).toBe(lost);
});
