import { describe, expect, it } from "vitest";
import type { Client } from "../../../src/api/transport/client.ts";
import type { LiveSocket, SocketHandlers } from "../../../src/api/transport/live-socket.ts";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { EvmHead } from "../../../src/api/node/evm-head.ts";
import type { NodeTarget } from "../../../src/poller/node/poller-state.ts";
import { newPoll, pollId, type Poll } from "../../../src/poller/poll/poll.ts";
import type { Target } from "../../../src/poller/poll/target.ts";
import type { Runner } from "../../../src/poller/poll/runner.ts";
import { createSubscriptions } from "../../../src/poller/node/subscriptions.ts";
import { contextOf } from "../../support/topics.ts";
import { fakeClock } from "../../support/fake-clock.ts";

type Opened = SocketHandlers & { readonly path: string; readonly sent: string[]; closed_: boolean };

/** One node with one EVM chain, its opened sockets, and the due times that the runner received. */
function bench() {
  const clock = fakeClock({ start: 1_800_000_000 });
  const opened: Opened[] = [];
  const due: number[] = [];
  const client = {
    listen(path: string, handlers: SocketHandlers): LiveSocket {
      const socket: Opened = { ...handlers, path, sent: [], closed_: false };
      opened.push(socket);
      return { send: (text) => void socket.sent.push(text), close: () => void (socket.closed_ = true) };
    },
  } as unknown as Client;
  const planned = { endpoint: EvmHead, key: "C", owner: "node a", every: 10, timeout: 5, phase: 0 };
  const poll = newPoll<Endpoint<unknown>>(planned, clock.now() + 5);
  poll.state = { ...poll.state, attemptedAt: clock.now() - 5 };
  const target = {
    config: { name: "a" },
    client,
    closed: false,
    facts: contextOf(),
    polls: new Map([[pollId(EvmHead, "C"), poll]]),
    sockets: new Map(),
  } as unknown as NodeTarget;
  const runner = { want: (_target: Target, _poll: Poll, at: number) => void due.push(at) } as unknown as Runner;
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const subscriptions = createSubscriptions(clock, log, runner);
  const last = () => {
    const socket = opened.at(-1);
    if (socket === undefined) throw new Error("no socket was opened");
    return socket;
  };
  const subscribe = () => {
    last().open();
    last().message('{"jsonrpc":"2.0","id":1,"result":"0x9cef"}');
  };
  return { clock, opened, due, poll, target, subscriptions, last, subscribe };
}

const HEAD =
  '{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x9cef","result":{"number":"0x1"}}}';

async function following() {
  const made = bench();
  made.subscriptions.follow(made.target, true);
  await made.clock.pass(1);
  return made;
}

describe("a subscription", () => {
  it("is opened on the path of its chain and is up once it is confirmed", async () => {
    const { last, target, opened, subscribe } = await following();
    expect(opened.map(({ path }) => path)).toEqual(["/ext/bc/C/ws"]);
    expect(target.sockets.get("C")?.up).toBeUndefined();
    subscribe();
    expect(JSON.parse(last().sent[0] ?? "")).toMatchObject({ method: "eth_subscribe", params: ["newHeads"] });
    expect(target.sockets.get("C")?.up).toBe(true);
  });

  it("is not opened when it is switched off", async () => {
    const { opened, subscriptions, target, clock } = bench();
    subscriptions.follow(target, false);
    await clock.pass(5);
    expect(opened).toEqual([]);
    expect(target.sockets.size).toBe(0);
  });

  it("makes the poll due at each head, at least a second apart", async () => {
    const { last, due, poll, clock, subscribe } = await following();
    subscribe();
    last().message(HEAD);
    expect(due).toEqual([clock.now()]);
    poll.state = { ...poll.state, attemptedAt: clock.now() - 0.25 };
    last().message(HEAD);
    expect(due[1]).toBeCloseTo(clock.now() + 0.75, 6);
    poll.state = { ...poll.state, wait: { is: "running", next: clock.now() + 5, again: false } };
    last().message(HEAD);
    expect(due).toHaveLength(2);
  });

  it("is opened for the chains that are wanted alone", () => {
    const { subscriptions, target } = bench();
    for (const [wanted, open] of [
      [["X"], []],
      [["C"], ["C"]],
      [[], []],
    ] as const) {
      subscriptions.follow(target, wanted);
      expect([...target.sockets.keys()]).toEqual(open);
    }
  });

  it("ignores unknown messages", async () => {
    const { last, due, target, subscribe } = await following();
    subscribe();
    for (const text of ["", "nonsense", "[]", "null", '{"id":2,"result":"0xa86a"}']) last().message(text);
    expect(due).toEqual([]);
    expect(target.sockets.get("C")?.up).toBe(true);
  });

  it("reconnects after 2, 4, 8 … 60 seconds", async () => {
    const { clock, opened, last, target, subscribe } = await following();
    subscribe();
    const waits: number[] = [];
    for (let drop = 0; drop < 7; drop++) {
      const before = opened.length;
      last().closed();
      let waited = 0;
      while (opened.length === before && waited < 100) {
        await clock.pass(1);
        waited++;
      }
      waits.push(waited);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60]);
    expect(target.sockets.get("C")?.up).toBe(false);
    subscribe();
    expect(target.sockets.get("C")?.up).toBe(true);
    last().closed();
    await clock.pass(2);
    expect(opened).toHaveLength(9);
  });

  it("is closed and retried when it is refused, or never confirmed", async () => {
    const { clock, opened, last, target } = await following();
    last().open();
    last().message('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"notifications not supported"}}');
    expect(last().closed_).toBe(true);
    await clock.pass(2);
    expect(opened).toHaveLength(2);
    await clock.pass(10);
    expect(opened[1]?.closed_).toBe(true);
    expect(target.sockets.get("C")?.up).toBe(false);
    await clock.pass(4);
    expect(opened).toHaveLength(3);
  });

  it("is replaced when it falls silent, and kept while it answers", async () => {
    const { clock, opened, last, subscribe, target } = await following();
    subscribe();
    const alive = last();
    for (let minute = 0; minute < 10; minute++) {
      await clock.pass(60);
      alive.message('{"jsonrpc":"2.0","id":2,"result":"0xa86a"}');
    }
    expect(opened).toHaveLength(1);
    expect(alive.sent).toHaveLength(11);
    await clock.pass(240);
    expect(opened.length).toBeGreaterThan(1);
    expect(alive.closed_).toBe(true);
    expect(target.sockets.get("C")?.up).toBe(false);
  });

  it("ends with its poll, with the configuration and with its node", async () => {
    for (const end of ["poll", "configuration", "node"] as const) {
      const { clock, opened, last, subscribe, target, subscriptions } = await following();
      subscribe();
      if (end === "poll") target.polls.clear();
      if (end === "node") subscriptions.drop(target);
      else subscriptions.follow(target, end === "poll");
      expect(last().closed_, end).toBe(true);
      expect(target.sockets.size).toBe(0);
      await clock.pass(300);
      expect(opened).toHaveLength(1);
      expect(clock.waiting()).toBe(0);
    }
  });
});
