import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { platformMethods } from "../../../src/api/node/platform.ts";
import { disagreement } from "../../../src/topics/validators/disagreement.ts";
import { anyValidators } from "../../support/arbitraries.ts";
import { answered, DRAINED_TIME, LOCAL_TIME, recordedNodeId, recordedSets } from "../../support/derived.ts";
import { contextOf, only, readTopic } from "../../support/topics.ts";

const YOUNG = "NodeID-8svdcPMG3GiLuyy5675h2BUNaXdrNCujA";
const JOINED = "NodeID-3gw7tFdd2bTitBYanhRAc72CT4pgjvHn6";
const GENESIS = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";
const schema = platformMethods.getCurrentValidators.result;
type Set = ReturnType<typeof schema.parse>;

const view = (nodeId: string, set: Set, time = LOCAL_TIME) => ({
  facts: { ...contextOf({ node: nodeId }), nodeId },
  answers: { answers: new Map([["primary", answered(set, time)]]) },
});
function recordedView(recording: string, time: number) {
  const set = recordedSets(recording).get("primary");
  if (set === undefined) throw new Error("no set");
  return view(recordedNodeId(recording), set, time);
}
const read = (...members: ReadonlyArray<{ readonly facts: object; readonly answers: object }>) =>
  readTopic(disagreement, { members }, contextOf());
const spread = (id: string) => `avax_validator_uptime_spread_ratio{node_id="${id}"}`;
const views = (id: string) => `avax_validator_observers{node_id="${id}"}`;

describe("disagreement about a validator", () => {
  const healthy = recordedView("local-healthy-validator", LOCAL_TIME);
  const young = recordedView("local-young-validator", LOCAL_TIME);
  const later = recordedView("local-l1-drained", DRAINED_TIME);

  it("is computed from several nodes, without its own view", () => {
    const samples = read(healthy, young);
    // 99.0253 % and 99.0263 %.
    expect(samples.get(spread(JOINED))).toBe(0.00001);
    // The young one has 71.9572 % and its own 100 %, which does not count.
    expect(samples.get(spread(YOUNG))).toBeUndefined();
    expect(samples.get(views(YOUNG))).toBe(1);
    expect(samples.get(views(JOINED))).toBe(2);
  });

  it("is the whole spread: 71.9572 % against 86.1318 %", () => {
    const samples = read(healthy, young, later);
    expect(samples.get(spread(YOUNG))).toBe(0.141746);
    expect(samples.get(views(GENESIS))).toBe(2);
    expect(samples.get(`avax_validator_connected_disagreement{node_id="${YOUNG}"}`)).toBe(0);
  });

  it("is 1 when only some are connected, and absent without two views", () => {
    const of = (connected: boolean) =>
      schema.parse({ validators: [{ nodeID: "NodeID-x", weight: "1", startTime: "1", connected, uptime: "50" }] });
    const samples = read(view("NodeID-a", of(true)), view("NodeID-b", of(false)));
    expect(only(samples, "connected")).toEqual({ 'avax_validator_connected_disagreement{node_id="NodeID-x"}': 1 });
    expect(only(read(view("NodeID-a", of(true))), "disagreement")).toEqual({});
    // A node without a known ID could be an observer of itself.
    const unknown = { ...view("NodeID-b", of(false)), facts: { ...contextOf(), nodeId: undefined } };
    expect(only(read(view("NodeID-a", of(true)), unknown), "disagreement")).toEqual({});
  });

  it("is from 0 to 1 for any answers", () => {
    fc.assert(
      fc.property(fc.array(anyValidators, { maxLength: 5 }), (sets) => {
        const samples = read(...sets.map((set, index) => view(`NodeID-${index}`, schema.parse(set))));
        for (const value of Object.values(only(samples, "disagreement"))) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
