import { describe, expect, it } from "vitest";
import { NODE_STATE, NODE_STATES } from "../../../../generate/dashboards/fleet/node-states.ts";
import { lag } from "../../../../src/topics/chains/lag.ts";
import { verdictLines } from "../../../support/verdict-series.ts";
import { evaluated } from "../parts/evaluated.ts";

const UP = 'avax_node_up{node="a",network="n",job="j",instance="i"}';
const HEALTHY = 'avax_node_healthy{node="a",network="n",job="j",instance="i"}';
const BEHIND = `${lag.metrics.behindFor.name}{node="a",network="n",job="j",instance="i"}`;
const INFO = 'avax_node_info{node="a",network="n",node_id="NodeID-1",job="j",instance="i"} 1';
const VALIDATOR = 'network="n",subnet="primary",node_id="NodeID-1",node="a"';
const alert = (severity: string) =>
  `ALERTS{alertname="AvaxAny",alertstate="firing",severity="${severity}",node="a",network="n"} 1`;
const WELL = [`${UP} 1`, `${HEALTHY} 1`, `${BEHIND} 0`];

/** The words for the state of node a. */
function state(lines: readonly string[]): string | undefined {
  const [found, ...others] = evaluated(NODE_STATE, lines);
  expect(others).toEqual([]);
  return found === undefined ? undefined : NODE_STATES[String(found.value)]?.[0];
}

describe("the state of a node", () => {
  it("is up when nothing is the matter", () => {
    expect(state(WELL)).toBe("up");
    expect(state([...WELL, INFO, ...verdictLines(VALIDATOR, { left: 100_000, whole: 1_000_000 })])).toBe("up");
  });

  it("is the worst that is the matter", () => {
    expect(state([`${UP} 0`, alert("critical")])).toBe("no answer");
    expect(state([`${UP} 1`, `${HEALTHY} 0`, alert("critical")])).toBe("critical alert");
    expect(state([`${UP} 1`, `${HEALTHY} 0`, alert("warning")])).toBe("unhealthy");
    expect(state([`${UP} 1`, `${HEALTHY} 1`, `${BEHIND} 600`, alert("warning")])).toBe("behind");
    expect(state([...WELL, alert("warning")])).toBe("warning");
  });

  it("knows the reward of the validator that the node is, without any rule", () => {
    expect(state([...WELL, INFO, ...verdictLines(VALIDATOR, { left: -336_960, whole: 1_000_000 })])).toBe(
      "reward lost",
    );
    expect(state([...WELL, INFO, ...verdictLines(VALIDATOR, { left: 3_600, whole: 1_000_000 })])).toBe(
      "reward at risk",
    );
  });

  it("is not well without a health report, and none without a poll", () => {
    expect(state([`${UP} 1`])).toBe("no health report");
    expect(state([INFO])).toBe(undefined);
  });
});
