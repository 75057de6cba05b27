import { describe, expect, it } from "vitest";
import { platformMethods } from "../../../src/api/node/platform.ts";
import { DRAINED_TIME, LOCAL_TIME, recordedFee, recordedSets } from "../../support/derived.ts";
import { S2, SUBNETS } from "../../support/local-network.ts";
import { contextOf, nextState, only, readTopic } from "../../support/topics.ts";
import { l1Own, l1Validator } from "../../../src/topics/l1/l1-validator.ts";

const runway = (nodeId: string, validation: string, subnet = S2) =>
  `avax_l1_validator_runway_seconds{subnet="${subnet}",node_id="${nodeId}",validation_id="${validation}"}`;
const at = (sets: number, fee = sets) => ({
  ...contextOf({ subnets: SUBNETS, time: Math.min(sets, fee) }),
  times: { sets, fee },
});

describe("the runway of an L1 validator", () => {
  const YOUNG = runway(
    "NodeID-8svdcPMG3GiLuyy5675h2BUNaXdrNCujA",
    "2BjkCLe5VnNbuR2r72FGFNLro4RX12udxes6sEg773jpYS6aUQ",
  );

  it("is minutes for the young validator: 1,043 nAVAX at 1 a second, 473 s after the P-Chain's last block", () => {
    const data = { sets: recordedSets("local-young-validator"), fee: recordedFee("local-young-validator") };
    const samples = readTopic(l1Validator, data, at(LOCAL_TIME));
    // The P-Chain's clock is 10:58:55 (1795258735), the answer 11:06:48.
    expect(samples.get(YOUNG)).toBe(570);
    expect(samples.get("avax_l1_validator_fee_avax_per_second")).toBe(1e-9);
    expect(samples.get("avax_l1_validator_fee_clock_timestamp_seconds")).toBe(1_795_258_735);
    expect(only(samples, "fee_source_info")).toEqual({ 'avax_l1_validator_fee_source_info{source="live"}': 1 });
  });

  it("is 0 for the drained validator, and counts from the last block for the others", () => {
    const data = { sets: recordedSets("local-l1-drained"), fee: recordedFee("local-l1-drained") };
    const samples = readTopic(l1Validator, data, at(DRAINED_TIME));
    expect(samples.get(YOUNG)).toBe(0);
    // 299,998,440 nAVAX; the clock is 11:16:18, 284 s before the answer at 11:21:02.
    expect(
      samples.get(
        runway("NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5", "2avXkp1SX47XRkLexPBtZeXqP3U7CcrSjfdVhxSvTZWzpS7EKJ"),
      ),
    ).toBeCloseTo(299_998_156, 2);
  });

  it("is 0 and not negative when the next block will use up the balance", () => {
    const data = { sets: recordedSets("local-young-validator"), fee: recordedFee("local-young-validator") };
    // 1,100 s after the clock: 57 s too late.
    expect(readTopic(l1Validator, data, at(1_795_259_835)).get(YOUNG)).toBe(0);
  });
});

/** A set of L1 validations with these balances, in nAVAX. */
const balances = (of: Readonly<Record<string, number>>) =>
  new Map([
    [
      "L1",
      platformMethods.getCurrentValidators.result.parse({
        validators: Object.entries(of).map(([validationID, balance]) => ({
          nodeID: "NodeID-a",
          weight: "1",
          startTime: "1",
          validationID,
          balance: String(balance),
        })),
      }),
    ],
  ]);
const V = runway("NodeID-a", "V", "L1");

describe("a balance read before the last block", () => {
  it("is counted from the block before it", () => {
    const sets = balances({ V: 100_000 });
    const fee = (timestamp: number) => ({ price: 1e-9, timestamp });
    const before = nextState(l1Validator, { sets, fee: fee(1000) }, at(1500, 1490));
    // A block at 1520, after the balance was read at 1500: still of the clock 1000, asked at 1550.
    expect(readTopic(l1Validator, { sets, fee: fee(1520) }, at(1500, 1550), before).get(V)).toBe(99_450);
    // Read again at 1560: as of 1520 now.
    const after = nextState(l1Validator, { sets, fee: fee(1520) }, at(1500, 1550), before);
    const newer = balances({ V: 99_480 });
    expect(readTopic(l1Validator, { sets: newer, fee: fee(1520) }, at(1560, 1550), after).get(V)).toBe(99_440);
  });
});

describe("without the price", () => {
  /** Two nAVAX a second, a block every 300 s, asked every 60 s. */
  const polled = (polls: number, topUpAt = Infinity) => {
    let state: unknown;
    let last = { sets: balances({}), time: 0 };
    for (let poll = 0; poll <= polls; poll += 1) {
      const time = 10_000 + poll * 60;
      const block = Math.floor((poll * 60) / 300) * 300;
      const top = poll >= topUpAt ? 5_000_000 : 0;
      last = { sets: balances({ V: 1_000_000 - 2 * block + top, W: 500_000 - 2 * block, empty: 0 }), time };
      if (poll < polls) state = nextState(l1Validator, { sets: last.sets, fee: undefined }, at(time), state);
    }
    return readTopic(
      l1Validator,
      { sets: last.sets, fee: undefined },
      { ...at(last.time), times: { sets: last.time } },
      state,
    );
  };

  it("only an empty balance has a runway until balances fell for ten minutes", () => {
    // Falls at polls 5 and 10: 300 s apart.
    const samples = polled(14);
    expect(only(samples, "validator_runway")).toEqual({ [runway("NodeID-a", "empty", "L1")]: 0 });
    expect(only(samples, "fee_avax_per_second")).toEqual({});
  });

  it("the price is the rate of the fall from block to block", () => {
    // Falls at polls 5, 10 and 15: 1,200 nAVAX in 600 s. At poll 17 the last block is 120 s old.
    const samples = polled(17);
    expect(samples.get("avax_l1_validator_fee_avax_per_second")).toBeCloseTo(2e-9, 18);
    // (1,000,000 - 1,800) / 2 - 120.
    expect(samples.get(V)).toBeCloseTo(498_980, 2);
    expect(samples.get(runway("NodeID-a", "W", "L1"))).toBeCloseTo(248_980, 2);
    expect(only(samples, "fee_source_info")).toEqual({ 'avax_l1_validator_fee_source_info{source="observed"}': 1 });
    expect(only(samples, "clock")).toEqual({});
  });

  it("a balance that was topped up does not count as a fall: the price comes from the others", () => {
    const samples = polled(17, 16);
    expect(samples.get(V)).toBeCloseTo((1_000_000 - 1_800 + 5_000_000) / 2 - 120, 2);
  });
});

it("the figures of watched validators are apart, and the first balance of the others is", () => {
  const sets = balances({ V: 100_000, W: 0 });
  const fee = { price: 1e-9, timestamp: 1000 };
  const labels = (id: string) => `{subnet="L1",node_id="NodeID-a",validation_id="${id}"}`;
  const watching = { ...at(1000), watchNetwork: ["NodeID-a"] };
  expect(Object.fromEntries(readTopic(l1Own, { sets, fee }, watching))).toEqual({
    [`avax_l1_own_runway_seconds${labels("V")}`]: 100_000,
    [`avax_l1_own_runway_seconds${labels("W")}`]: 0,
    [`avax_l1_own_weight${labels("V")}`]: 1,
    [`avax_l1_own_weight${labels("W")}`]: 1,
  });
  expect(Object.fromEntries(readTopic(l1Own, { sets, fee }, at(1000)))).toEqual({});
  const others = (context: ReturnType<typeof at>) => only(readTopic(l1Validator, { sets, fee }, context), "others");
  expect(others(at(1000))).toEqual({ 'avax_l1_others_runway_seconds{subnet="L1"}': 0 });
  expect(others(watching)).toEqual({});
});
