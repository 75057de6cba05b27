import { describe, expect, it } from "vitest";
import { PRIMARY, platformMethods } from "../../../src/api/node/platform.ts";
import { validator } from "../../../src/topics/validators/validator.ts";
import { SAVED_MEMBERS } from "../../../src/topics/validators/members.ts";
import { validatorOf } from "../../support/fake-client.ts";
import { contextOf, nextState, only, readTopic } from "../../support/topics.ts";

const schema = platformMethods.getCurrentValidators.result;
const SUBNET = "BKBZ6xXTnT86B4L5fp8rvtcmNSpvtNz8En9jG61ywV2uWyeHy";
const START = 1_790_000_000;
const END = 1_800_000_000;
const X = "NodeID-x";
const AT = 'avax_validator_left_timestamp_seconds{subnet="primary",node_id="NodeID-x"}';
const EARLY = 'avax_validator_left_early{subnet="primary",node_id="NodeID-x"}';
const IN_SET = 'avax_validator_in_set{subnet="primary",node_id="NodeID-x"}';

const at = (time: number, watched = X) => contextOf({ nodeId: watched, time });
const setsOf = (records: readonly object[], subnet = PRIMARY) =>
  new Map([[subnet, schema.parse({ validators: records })]]);
const record = (more: object = {}) => validatorOf(X, { startTime: String(START), endTime: String(END), ...more });
const present = (more: object = {}) => ({ sets: setsOf([record(more)]) });
const GONE = { sets: setsOf([]) };
const left = (samples: ReadonlyMap<string, number>) => only(samples, "_left_");

describe("a validator that left the set", () => {
  it.each([
    ["at its announced end, or later", {}, END, END, 0],
    ["a day after its end, while nothing was polled", {}, END + 86_400, END, 0],
    ["a minute before its end: the clocks differ", {}, END - 60, END - 60, 0],
    ["more than a minute before its end", {}, END - 61, END - 61, 1],
    ["at the end of its cycle", { nextPeriod: "0", autoCompoundRewardShares: 0 }, END + 5, END, 0],
    ["before the end of its cycle", { nextPeriod: "1209600" }, END - 86_400, END - 86_400, 1],
    ["without an announced end", { endTime: undefined }, START + 500, START + 500, 1],
    ["with an end that cannot be", { endTime: "0" }, START + 500, START + 500, 1],
    ["as a member of an L1", { validationID: "v", balance: "5" }, END + 5, END + 5, 1],
  ])("%s", (_when, more, missed, time, early) => {
    const state = nextState(validator, present(more), at(START + 100));
    expect(left(readTopic(validator, present(more), at(START + 160), state))).toEqual({});
    const samples = readTopic(validator, GONE, at(missed), state);
    expect(left(samples)).toEqual({ [AT]: time, [EARLY]: early });
    expect(samples.get(IN_SET)).toBe(0);
    // What comes later changes nothing.
    const later = nextState(validator, GONE, at(missed), state);
    expect(left(readTopic(validator, GONE, at(missed + 40 * 86_400), later))).toEqual({ [AT]: time, [EARLY]: early });
  });

  it("is judged by the last record: a cycle that was renewed has another end", () => {
    let state = nextState(validator, present(), at(START + 100));
    state = nextState(validator, present({ endTime: String(END + 1_209_600) }), at(END + 10), state);
    expect(left(readTopic(validator, GONE, at(END + 100), state))).toEqual({ [AT]: END + 100, [EARLY]: 1 });
  });

  it("has no series when it is back", () => {
    let state = nextState(validator, present(), at(START + 100));
    state = nextState(validator, GONE, at(END + 100), state);
    state = nextState(validator, present({ endTime: String(END + 900_000) }), at(END + 400), state);
    expect(left(readTopic(validator, present(), at(END + 460), state))).toEqual({});
  });

  it("has none where it never was in the set, is no longer watched, or the set is unknown", () => {
    const configured = contextOf({ validators: [X], time: END });
    const never = readTopic(validator, GONE, configured);
    expect(never.get(IN_SET)).toBe(0);
    expect(left(never)).toEqual({});
    const state = nextState(validator, GONE, at(END), nextState(validator, present(), at(START)));
    expect(left(readTopic(validator, GONE, at(END + 60, "NodeID-y"), state))).toEqual({});
    expect(left(readTopic(validator, { sets: setsOf([], SUBNET) }, at(END + 60), state))).toEqual({});
  });

  it("left at the time of the answer about its own set, however old those about others are", () => {
    const sets = new Map([...setsOf([]), ...setsOf([], SUBNET)]);
    const state = nextState(validator, present(), at(START));
    const timesByKey = {
      sets: new Map([
        [PRIMARY, END + 30],
        [SUBNET, END - 270],
      ]),
    };
    const context = { ...at(END - 270), timesByKey };
    expect(left(readTopic(validator, { sets }, context, state))).toEqual({ [AT]: END, [EARLY]: 0 });
  });
});

describe("a validator that is gone", () => {
  const gone = (samples: ReadonlyMap<string, number>) =>
    samples.get('avax_validator_gone{subnet="primary",node_id="NodeID-x"}');
  const state = nextState(validator, present(), at(START + 100));

  it("left early, within a day; it is not once it is back, and was not at its end", () => {
    const LEFT = START + 500;
    const missed = nextState(validator, GONE, at(LEFT), state);
    expect([
      gone(readTopic(validator, present(), at(LEFT), state)),
      gone(readTopic(validator, GONE, at(LEFT), state)),
      gone(readTopic(validator, GONE, at(LEFT + 86_399), missed)),
      gone(readTopic(validator, GONE, at(LEFT + 86_400), missed)),
      gone(readTopic(validator, present(), at(LEFT + 60), missed)),
      gone(readTopic(validator, GONE, at(END), state)),
    ]).toEqual([0, 1, 1, 0, 0, 0]);
  });
});

it("a stake that is not renewed has a near end in the last quarter of its period alone", () => {
  const ending = (time: number, more: object = {}) =>
    readTopic(validator, present(more), at(time)).get(
      'avax_validator_ending_timestamp_seconds{subnet="primary",node_id="NodeID-x"}',
    );
  const quarter = END - (END - START) / 4;
  expect([ending(quarter), ending(quarter + 1), ending(END - 1), ending(END + 60)]).toEqual([undefined, END, END, END]);
  expect([ending(END - 1, { nextPeriod: "1209600" }), ending(END - 1, { nextPeriod: "0" })]).toEqual([undefined, END]);
});

it.each([
  ["sends them", { restakedValidationRewards: "165383233", restakedDelegateeRewards: "1000000000" }, 1.165383233],
  ["sends zeros before the second cycle", { restakedValidationRewards: "0", restakedDelegateeRewards: "0" }, 0],
  ["does not send them", {}, undefined],
  ["sends one that cannot be read", { restakedValidationRewards: "0", restakedDelegateeRewards: "much" }, undefined],
])("restaked rewards, by a release that %s", (_which, more, expected) => {
  const name = 'avax_validator_restaked_rewards_avax{subnet="primary",node_id="NodeID-x"}';
  expect(readTopic(validator, present({ nextPeriod: "420", ...more }), at(START + 60)).get(name)).toBe(expected);
});

describe("the saved state", () => {
  const restored = (state: unknown) =>
    SAVED_MEMBERS.restore(JSON.parse(JSON.stringify(SAVED_MEMBERS.save(state as never))));

  it("continues: what left before a restart and what left during it", () => {
    const both = { sets: setsOf([record(), validatorOf("NodeID-y", { endTime: String(END) })]) };
    const watching = (time: number) => contextOf({ nodeId: X, validators: ["NodeID-y"], time });
    let state = nextState(validator, both, watching(START + 100));
    state = nextState(validator, { sets: setsOf([record()]) }, watching(START + 160), state);
    const samples = readTopic(validator, GONE, watching(START + 500_000), restored(state));
    expect(left(samples)).toEqual({
      [AT]: START + 500_000,
      [EARLY]: 1,
      [AT.replace(X, "NodeID-y")]: START + 160,
      [EARLY.replace(X, "NodeID-y")]: 1,
    });
    expect(only(samples, "in_set")).toEqual({ [IN_SET]: 0, [IN_SET.replace(X, "NodeID-y")]: 0 });
  });

  it("does not change with an answer that changes nothing", () => {
    const state = nextState(validator, present(), at(START + 100));
    const later = nextState(validator, present(), at(START + 9_000), state);
    expect(SAVED_MEMBERS.save(later as never)).toEqual(SAVED_MEMBERS.save(state as never));
  });

  it("gives a node an hour to name its ID, however long the exporter did not run", () => {
    const state = restored(nextState(validator, present(), at(START + 100)));
    let next = nextState(validator, GONE, at(START + 900_000, "NodeID-y"), state);
    next = nextState(validator, GONE, at(START + 903_000, X), next);
    expect(left(readTopic(validator, GONE, at(START + 903_060), next))[EARLY]).toBe(1);
    next = nextState(validator, GONE, at(START + 907_000, "NodeID-y"), next);
    expect(next).toEqual(new Map());
  });

  it.each([null, {}, "x", [7], [{ subnet: "primary" }], [{ subnet: "primary", nodeId: X, end: "soon" }]])(
    "of another form is refused: %j",
    (saved) => {
      expect(() => SAVED_MEMBERS.restore(saved)).toThrow();
    },
  );
});
