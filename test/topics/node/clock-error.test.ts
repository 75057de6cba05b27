import { expect, it } from "vitest";
import { clockError, commonSkew } from "../../../src/topics/node/clock-error.ts";
import { contextOf, readTopic } from "../../support/topics.ts";

const T = 1_795_259_208;

/** The errors by node, and the exporter's own, of nodes whose clocks are ahead by these seconds; `undefined` sends no header. */
function errorsOf(...ahead: ReadonlyArray<number | undefined>) {
  const members = ahead.map((seconds, index) => ({
    facts: contextOf({ node: `n${index}` }),
    answers: {
      live: {
        value: { healthy: true, checks: {}, date: seconds === undefined ? undefined : T + seconds },
        ...{ askedAt: T, answeredAt: T },
      },
    },
  }));
  const samples = readTopic(clockError, { members }, contextOf());
  return {
    nodes: ahead.map((_, index) => samples.get(`avax_node_clock_error_seconds{node="n${index}"}`)),
    exporter: samples.get("avax_exporter_clock_error_seconds"),
  };
}

it.each([
  ["a node alone is wrong, for want of another clock", [3600], [3600], undefined],
  ["all agree", [0, 0, 0], [0, 0, 0], 0],
  ["one of three is ahead", [0, 7, 0], [0, 7, 0], 0],
  ["one is ahead and one behind", [3600, -8, 0], [3600, 7, 0], 0],
  ["all are ahead: the exporter is behind", [3600, 3600], [0, 0], 3600],
  ["all are behind, and one of them more", [-61, -61, -91], [0, 0, 30], 60],
  ["half of the nodes are right", [3600, 0], [3600, 0], 0],
  ["three of four are ahead", [0, 60, 61, 62], [60, 0, 1, 2], 60],
  ["a server without the header is no clock", [undefined, 3600], [undefined, 3600], undefined],
])("%s", (_which, ahead, nodes, exporter) => {
  expect(errorsOf(...ahead)).toEqual({ nodes, exporter });
});

it("what two have in common needs one direction", () => {
  expect(commonSkew([-5, 7])).toBe(0);
  expect(commonSkew([5, 7])).toBe(5);
  expect(commonSkew([-5, -7])).toBe(-5);
  expect(commonSkew([])).toBeUndefined();
});
