import { describe, expect, it } from "vitest";
import { platformMethods } from "../../../src/api/node/platform.ts";
import { rewardVerdict } from "../../../src/topics/validators/reward-verdict.ts";
import { validatorRequirement } from "../../../src/topics/validators/validator-requirement.ts";
import {
  LOCAL_TIME,
  recordedNodeId,
  recordedPeers,
  recordedSets,
  recordedUpgrades,
  RENEWED_TIME,
  RESTARTED_TIME,
  timed,
} from "../../support/derived.ts";
import { S1, SUBNETS } from "../../support/local-network.ts";
import { only, readTopic } from "../../support/topics.ts";

const schema = platformMethods.getCurrentValidators.result;
const YOUNG = "NodeID-8svdcPMG3GiLuyy5675h2BUNaXdrNCujA";
const RENEWED = "NodeID-ECTV6zg5tvcdKrQidMZ6956r1PSpUzbLo";
const NEW_RULE = "NodeID-3sFhQ47rZKVtWE45ayoeeefDVUEiKmjVZ";
const GENESIS = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";

/** The verdict of a recorded node about the validators of its sets; about itself by its peers. */
function verdictOf(
  recording: string,
  time: number,
  left: Partial<Record<"peers" | "sets" | "upgrades", undefined>> = {},
) {
  const data = {
    answers: recordedSets(recording),
    upgrades: recordedUpgrades(recording),
    sets: recordedSets(recording),
    peers: recordedPeers(recording),
    ...left,
  };
  const validators = [...data.answers.values()].flatMap((set) => set.validators.map(({ nodeID }) => nodeID));
  const context = timed(
    { nodeId: recordedNodeId(recording), subnets: SUBNETS, time, validators },
    "answers",
    "upgrades",
    "sets",
    "peers",
  );
  return readTopic(rewardVerdict, data, context);
}
const budget = (id: string) => `avax_validator_downtime_budget_remaining_seconds{subnet="primary",node_id="${id}"}`;

describe("a validator of minutes, below 80 % and with hours left", () => {
  // Start 1795258180, end 1795430979: 172,799 s, of which 1,028 s are over at 1795259208 and 171,771 s are left.

  it("as another node observes it: 71.9572 %", () => {
    const samples = verdictOf("local-healthy-validator", LOCAL_TIME);
    // 0.719572 · 1028 + 171771 - 0.8 · 172799 = 739.720016 + 171771 - 138239.2
    expect(samples.get(budget(YOUNG))).toBe(34_271.52);
  });

  it("as its peers report to it: 71 to 76 % by two million each, so a median of 73 %", () => {
    const samples = verdictOf("local-young-validator", LOCAL_TIME);
    // They round down, so 0.735 · 1028 + 171771 - 138239.2 = 755.58 + 33531.8
    expect(samples.get(budget(YOUNG))).toBe(34_287.38);
  });

  it("not by the node's own average, which counts absent stake as 0 %", () => {
    expect(only(verdictOf("local-young-validator", LOCAL_TIME, { sets: undefined }), "budget", YOUNG)).toEqual({});
  });

  it("never by its own record of 100 %", () => {
    const samples = verdictOf("local-young-validator", LOCAL_TIME, { peers: undefined });
    expect(only(samples, "budget", YOUNG)).toEqual({});
    expect(only(samples, "budget", "3gw7")).not.toEqual({});
  });
});

describe("without what it needs", () => {
  it("there is no budget while the schedule is unknown", () => {
    const samples = verdictOf("local-healthy-validator", LOCAL_TIME, { upgrades: undefined });
    expect(only(samples, "budget")).toEqual({});
  });

  it("a node that restarted has no verdict about itself until half of the stake reported", () => {
    const samples = verdictOf("local-1.14.2-just-restarted", RESTARTED_TIME);
    expect(only(samples, "budget", recordedNodeId("local-1.14.2-just-restarted"))).toEqual({});
    expect(only(samples, "budget", GENESIS)).not.toEqual({});
  });

  it("members of permissioned subnets and L1s have no verdict", () => {
    const subnets = Object.keys(only(verdictOf("local-healthy-validator", LOCAL_TIME), "budget")).filter(
      (name) => !name.includes('subnet="primary"'),
    );
    expect(subnets).toEqual([]);
  });
});

describe("an auto-renewed validator", () => {
  it("is judged by its cycle: 90,000 s from 1795258852 that need 0.9", () => {
    const samples = verdictOf("custom-auto-renewed-validator", RENEWED_TIME);
    // Four of five large peers observed 100 %: 90000 - 0.9 · 90000.
    expect(samples.get(budget(RENEWED))).toBe(9000);
    // Another validator under the new rule, observed at 99.3333 %: 150 s of 107,999 s are over.
    // 0.993333 · 150 + 107849 - 0.9 · 107999 = 148.99995 + 107849 - 97199.1
    expect(samples.get(budget(NEW_RULE))).toBe(10_798.9);
  });
});

describe("requirements", () => {
  const requirements = (recording: string, time: number, validators: readonly string[]) =>
    readTopic(
      validatorRequirement,
      { sets: recordedSets(recording), upgrades: recordedUpgrades(recording) },
      timed({ validators, time, subnets: SUBNETS, nodeId: recordedNodeId(recording) }, "sets", "upgrades"),
    );
  const required = (id: string) => `avax_validator_uptime_requirement_ratio{subnet="primary",node_id="${id}"}`;

  it("are 0.8 where Helicon has no date, and absent where there is no reward", () => {
    const samples = requirements("local-young-validator", LOCAL_TIME, []);
    expect(only(samples, "requirement")).toEqual({ [required(YOUNG)]: 0.8 });
    // 0.2 · 172799
    expect(only(samples, "downtime_budget")).toEqual({
      [`avax_validator_downtime_budget_seconds{subnet="primary",node_id="${YOUNG}"}`]: 34_559.8,
    });
  });

  it("change at the second of Helicon, and come from the configuration in an elastic subnet", () => {
    const record = (nodeID: string, startTime: number) => ({
      nodeID,
      startTime,
      endTime: startTime + 1000,
      weight: "1",
      potentialReward: "1",
    });
    const set = schema.parse({ validators: [record("NodeID-a", 1_795_258_826), record("NodeID-b", 1_795_258_827)] });
    const read = (uptimeRequirement?: number) =>
      readTopic(
        validatorRequirement,
        {
          sets: new Map([
            ["primary", set],
            [S1, set],
          ]),
          upgrades: recordedUpgrades("custom-auto-renewed-validator"),
        },
        timed({
          time: 1_795_259_000,
          validators: ["NodeID-a", "NodeID-b"],
          subnets: [
            { id: S1, name: "elastic", chains: [], ...(uptimeRequirement === undefined ? {} : { uptimeRequirement }) },
          ],
        }),
      );
    const samples = only(read(0.7), "requirement");
    expect(Object.values(samples)).toEqual([0.8, 0.9, 0.7, 0.7]);
    expect(Object.values(only(read(), "requirement"))).toEqual([0.8, 0.9]);
  });
});
