import { describe, expect, it } from "vitest";
import { healthResources } from "../../../src/api/node/health.ts";
import { execution } from "../../../src/topics/evm/execution.ts";
import { recordedAnswer } from "../../support/recordings.ts";
import { contextOf, nextState, readTopic } from "../../support/topics.ts";

const START = 1_795_259_200;

/** A node of which every answer about C is given: when, and either what a run of its health check saw or its executed height. */
function node() {
  let state: unknown;
  let report: object | undefined;
  let reportedAt = 0;
  let head: { readonly height: number; readonly at: number } | undefined;
  const step = (): readonly [blocks: number | undefined, wait: number | undefined] => {
    if (report === undefined || head === undefined) return [undefined, undefined];
    const data = { report, ids: undefined, heads: new Map([["C", { height: head.height }]]) };
    const times = { report: START + reportedAt };
    const context = { ...contextOf(), times, timesByKey: { heads: new Map([["C", START + head.at]]) } };
    state = nextState(execution, data, context, state);
    const series = readTopic(execution, data, context, state);
    return [
      series.get('avax_chain_execution_backlog_blocks{chain="C"}'),
      series.get('avax_chain_execution_wait_seconds{chain="C"}'),
    ];
  };
  return {
    /** The run was `age` seconds before the answer, by the node's clock, which is an hour ahead. */
    checked: (at: number, accepted: number, age = 0) => {
      const timestamp = START + at - age + 3600;
      const message = { engine: { consensus: { lastAcceptedHeight: accepted } } };
      report = { checks: { C: { message, timestamp } }, healthy: true, date: START + at + 3600 };
      reportedAt = at;
      return step();
    },
    executed: (at: number, height: number) => {
      head = { height, at };
      return step();
    },
    restarted: () => {
      state = execution.saved?.restore(JSON.parse(JSON.stringify(execution.saved.save(state as never))));
    },
  };
}

describe("the execution of accepted blocks", () => {
  it("is no backlog where the health answer is newer than the head", () => {
    const { checked, executed } = node();
    executed(0, 100);
    expect(checked(9, 105)).toEqual([undefined, 0]);
    expect(executed(10, 105)).toEqual([0, 0]);
    // The next run of the check is 30 s later; its answer is newer than the head again.
    expect(checked(39, 120)).toEqual([0, 0]);
    expect(executed(40, 120)).toEqual([0, 0]);
  });

  it("is behind by what was accepted when a run of the check was made, not when its answer came", () => {
    const { checked, executed } = node();
    checked(0, 100);
    executed(0, 100);
    executed(12, 102);
    executed(22, 106);
    // The run was 20 s before: the head of second 12 is the first after it. Block 103 was executed at 12 s + 0.5 / 4 * 10 s.
    expect(checked(25, 103, 20)).toEqual([1, 8.25]);
    expect(checked(50, 118)).toEqual([1, 8.25]);
    expect(executed(52, 119)).toEqual([0, 0]);
  });

  it("grows while the executor is stalled, over a restart of the exporter, and ends with it", () => {
    const { checked, executed, restarted } = node();
    executed(0, 583);
    checked(5, 586);
    expect(executed(10, 583)).toEqual([3, 5]);
    expect(checked(35, 586)).toEqual([3, 5]);
    expect(executed(305, 583)).toEqual([3, 300]);
    restarted();
    expect(executed(365, 583)).toEqual([3, 360]);
    checked(390, 640);
    // It executes again: how long the first block waited is known until the next run of the check.
    expect(executed(395, 640)[1]).toBeCloseTo(361.3, 1);
    checked(420, 655);
    expect(executed(425, 660)).toEqual([0, 0]);
  });

  /** The lowest and the average wait by heads every 10 s, the first `phase` seconds after a check, which runs every 30 s. */
  function waitsOf(phase: number, secondsEach: number, ahead: number): readonly [least: number, average: number] {
    const { checked, executed } = node();
    const waits: number[] = [];
    let last: readonly [blocks: number | undefined, wait: number | undefined] = [undefined, undefined];
    for (let second = 0; second <= 900; second++) {
      const height = Math.floor(second / secondsEach);
      if (second % 30 === 0) last = checked(second, height + ahead);
      if (second % 10 === phase) last = executed(second, height);
      if (second >= 300 && second % 15 === 14) waits.push(last[1] ?? NaN);
    }
    return [Math.min(...waits), waits.reduce((sum, each) => sum + each, 0) / waits.length];
  }

  it.each([0, 1, 5, 9])("is told from that of a slow executor, whose blocks wait ten seconds: phase %i", (phase) => {
    const [least, average] = waitsOf(phase, 5.1, 2);
    expect(least).toBeGreaterThan(2);
    expect(average).toBeGreaterThan(6);
    const [leastHealthy, averageHealthy] = waitsOf(phase, 1.3, 0);
    expect(leastHealthy).toBe(0);
    expect(averageHealthy).toBeLessThan(1.5);
  });

  it("forgets the block that waited where the node begins again below it", () => {
    const { checked, executed } = node();
    executed(0, 1000);
    checked(5, 1003);
    expect(executed(100, 1000)).toEqual([3, 95]);
    checked(110, 10);
    expect(executed(115, 10)).toEqual([0, 0]);
  });

  it("is unknown without the height or the time of the check", () => {
    const report = healthResources.health.result.parse(
      JSON.parse(recordedAnswer("custom-helicon-active", "health.get.health").response.body),
    );
    const checkedAt = report.checks["C"]?.timestamp ?? NaN;
    const read = (height: number, checks: object = report.checks) => {
      const context = contextOf({ time: checkedAt + 9 });
      return [
        ...readTopic(
          execution,
          { report: { ...report, checks, date: checkedAt + 9 }, heads: new Map([["C", { height }]]) },
          context,
        ),
      ];
    };
    expect(read(7).map(([, value]) => value)).toEqual([0, 0]);
    expect(read(1).map(([, value]) => value)).toEqual([5, 9]);
    expect(read(1, { C: { ...report.checks["C"], timestamp: undefined } })).toEqual([]);
    expect(read(1, { C: { ...report.checks["C"], message: null } })).toEqual([]);
  });
});
