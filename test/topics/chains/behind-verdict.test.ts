import { describe, expect, it } from "vitest";
import { lag } from "../../../src/topics/chains/lag.ts";
import { NEVER_DOWN, type Reach } from "../../../src/topics/reach.ts";
import { answered } from "../../support/derived.ts";
import { contextOf, nextState, only, readTopic } from "../../support/topics.ts";

const UP: Reach = { up: true, outages: [], total: 0 };
const DOWN: Reach = { up: false, outages: [{ from: 1 }], total: 1 };

/** A node at a height of the C-Chain and the same of P, where it answers. */
type Given = { readonly C?: number; readonly P?: number; readonly reach?: Reach; readonly bootstrapping?: string };
type Round = readonly [at: number, nodes: Readonly<Record<string, Given>>];

const members = ([at, nodes]: Round) =>
  Object.entries(nodes).map(([node, { C, P, reach = UP, bootstrapping }]) => {
    // Node a is asked a second after the others, whose heights it can be compared with.
    const answeredAt = node === "a" ? at : at - 1;
    const direct = { askedAt: answeredAt - 0.5, answeredAt };
    const done = bootstrapping === undefined ? undefined : { isBootstrapped: false };
    return {
      facts: contextOf({ node }),
      answers: {
        reach: answered(reach, at),
        done: done && new Map([[bootstrapping, answered(done, at)]]),
        height: P === undefined ? undefined : { value: { height: P }, ...direct },
        heads: C === undefined ? undefined : new Map([["C", { value: { height: C }, ...direct }]]),
      },
    };
  });
const moment = (at: number) => ({ ...contextOf(), time: at });
const after = (rounds: readonly Round[], from?: unknown): unknown =>
  rounds.reduce((state, round) => nextState(lag, { members: members(round) }, moment(round[0]), state), from);
function read(rounds: readonly Round[], from?: unknown) {
  const last = rounds.at(-1) ?? ([0, {}] as const);
  const samples = readTopic(lag, { members: members(last) }, moment(last[0]), after(rounds.slice(0, -1), from));
  return { samples, behind: samples.get('avax_node_behind_seconds{node="a"}') };
}
const behind = (rounds: readonly Round[], from?: unknown) => read(rounds, from).behind;
const restarted = (rounds: readonly Round[]): unknown =>
  lag.saved?.restore(JSON.parse(JSON.stringify(lag.saved.save(after(rounds) as never))));

/** Node a stands still at block 5 of P from 100 s on, a block every ten seconds. */
const STALLED: readonly Round[] = Array.from({ length: 20 }, (_, i): Round => {
  const at = 100 + 10 * i;
  return [at, { b: { P: 5 + i, C: 70 }, a: { P: 5, C: 70 } }];
});

describe("how long a node is behind", () => {
  it("is that of the chain that is behind longest", () => {
    expect(behind(STALLED)).toBe(181);
    const both = STALLED.map(([at, { b }]): Round => [at, { b: { ...b, C: at }, a: { P: 5, C: at < 200 ? at : 200 } }]);
    expect(behind(both)).toBe(181);
  });

  it("is 0 while it keeps up, and once it has caught up", () => {
    expect(behind([[100, { b: { P: 5 }, a: { P: 5 } }]])).toBe(0);
    expect(behind([...STALLED, [300, { b: { P: 25 }, a: { P: 25 } }]])).toBe(0);
  });

  it("does not count chains that it bootstraps", () => {
    const [at, { b }] = STALLED.at(-1) ?? [0, {}];
    const last = (bootstrapping: string): Round => [at, { b: b ?? {}, a: { P: 5, C: 70, bootstrapping } }];
    expect(behind([...STALLED.slice(0, -1), last("P")])).toBe(0);
    expect(behind([...STALLED.slice(0, -1), last("C")])).toBe(181);
  });

  it("is unknown alone, and without an answer about its chains", () => {
    expect(behind([[100, { a: { P: 5 } }]])).toBeUndefined();
    expect(behind([...STALLED, [300, { b: { P: 25 }, a: {} }]])).toBeUndefined();
    expect(behind([[100, { b: { P: 5 }, a: { reach: DOWN } }]])).toBeUndefined();
  });

  it("stays while the node is down, whatever the others do", () => {
    const down = (at: number): Round => [at, { b: { P: at }, a: { reach: DOWN } }];
    expect(behind([...STALLED, down(300), down(900)])).toBe(191);
    expect(behind([[100, { b: { P: 5 }, a: { P: 5 } }], down(300)])).toBe(0);
  });

  it("goes on over a restart of the exporter", () => {
    const unasked: Round = [320, { a: { reach: NEVER_DOWN }, b: { reach: NEVER_DOWN } }];
    const first: Round = [330, { a: { P: 5 }, b: { reach: NEVER_DOWN } }];
    const second: Round = [340, { b: { P: 40 }, a: { P: 5 } }];
    const saved = restarted(STALLED);
    expect(behind([unasked], saved)).toBe(211);
    expect(behind([unasked, first, second], saved)).toBe(231);
    const dead = restarted([...STALLED, [300, { b: { P: 25 }, a: { reach: DOWN } }]]);
    expect(behind([[900, { b: { P: 40 }, a: { reach: { ...DOWN, up: undefined } } }]], dead)).toBe(191);
  });
});

it("a height that nobody confirms does not count while the node bootstraps the chain", () => {
  const rounds = (bootstrapping?: string): readonly Round[] =>
    [0, 1, 2].map((i): Round => [
      100 + 10 * i,
      {
        a: { P: i === 0 ? 5 : 1e9, ...(bootstrapping === undefined ? {} : { bootstrapping }) },
        b: { P: 5 + i },
        c: { P: 5 + i },
      },
    ]);
  expect(Object.keys(only(read(rounds()).samples, "unconfirmed"))).toHaveLength(1);
  expect(only(read(rounds("P")).samples, "unconfirmed")).toEqual({});
});

describe("after a restart of the exporter a node that was behind is judged again", () => {
  /** Nodes a and c stand still at block 5 of P. */
  const BOTH = STALLED.map(([at, { a, b }]): Round => [at, { b: b ?? {}, c: { P: 5, C: 70 }, a: a ?? {} }]);
  const saved = restarted(BOTH);
  const unasked: Round = [320, { a: { reach: NEVER_DOWN }, b: { reach: NEVER_DOWN } }];
  const caughtUp = (at: number): Round => [at, { b: { P: at }, a: { P: at } }];

  it("once it has caught up, where another one that was behind has left the configuration", () => {
    expect(behind([unasked, caughtUp(330), caughtUp(340)], saved)).toBe(0);
  });

  it("once it has caught up, where another one that was behind is down", () => {
    const c = { reach: DOWN };
    const rounds = [330, 340].map((at): Round => [at, { ...caughtUp(at)[1], c }]);
    expect(behind([unasked, ...rounds], saved)).toBe(0);
  });

  it("while it is still behind and the other one stays down", () => {
    const c = { reach: DOWN };
    const rounds = [330, 340, 700].map((at): Round => [at, { b: { P: at }, a: { P: 5 }, c }]);
    // It is known to be behind again from the second round on; the shorter time never replaces the longer one.
    expect(behind([unasked, ...rounds.slice(0, 2)], saved)).toBe(211);
    expect(behind([unasked, ...rounds], saved)).toBe(371);
  });

  it("after ten minutes, where the chain has begun again from genesis", () => {
    const low = (at: number): Round => [at, { b: { P: 2 }, a: { P: 2 } }];
    const start: Round = [320, { a: { reach: NEVER_DOWN }, b: { reach: NEVER_DOWN } }];
    expect(behind([start, low(330), low(340)], saved)).toBe(211);
    expect(behind([start, low(330), low(340), low(930)], saved)).toBe(0);
  });
});
