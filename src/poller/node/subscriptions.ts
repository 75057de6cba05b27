import { EvmHead } from "../../api/node/evm-head.ts";
import { socketPath } from "../../api/node/evm-methods.ts";
import { knownChain } from "../../topics/labels.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { fractionOf } from "../poll/schedule.ts";
import type { HeadSocket, NodeTarget } from "./poller-state.ts";
import { pollId } from "../poll/poll.ts";
import type { Runner } from "../poll/runner.ts";
import { parseJson } from "../../config/base/parse-json.ts";

/** Seconds: longest wait before a reconnect; interval of heartbeats; silence after which a socket counts as dead. */
const LONGEST_WAIT = 60;
const HEARTBEAT = 60;
/** Seconds for the confirmation of a subscription, the deadline of most polls. */
const CONFIRMED_WITHIN = 10;
const SILENCE = 2 * HEARTBEAT + 10;
/** Least distance of two polls of a chain's head. Seconds. */
const BETWEEN_POLLS = 1;
const SUBSCRIBE = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] });
const HEARTBEAT_REQUEST = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "eth_chainId", params: [] });

export type Subscriptions = {
  /** Reconciles the sockets of a node with its polls; `wanted` is the configured switch, or the chains by label or ID. */
  follow(target: NodeTarget, wanted: boolean | readonly string[]): void;
  /** Closes every socket of a node. */
  drop({ sockets }: NodeTarget): void;
};

/**
 * WebSockets on which nodes announce new heads. An announcement only makes the next poll due at once; while a socket is
 * down, polls keep their cadence and nothing is lost.
 */
export function createSubscriptions(clock: Clock, log: Log, runner: Pick<Runner, "want">): Subscriptions {
  function open(target: NodeTarget, link: HeadSocket): void {
    link.receivedAt = clock.now();
    link.socket = target.client.listen(socketPath(link.chain), {
      open: () => link.socket?.send(SUBSCRIBE),
      message: (text) => receive(target, link, text),
      closed: () => lost(target, link, "closed"),
    });
    link.cancel = clock.after(CONFIRMED_WITHIN, () => beat(target, link));
  }

  function beat(target: NodeTarget, link: HeadSocket): void {
    if (clock.now() - link.receivedAt > SILENCE || link.up !== true) {
      lost(target, link, "silent");
      return;
    }
    link.socket?.send(HEARTBEAT_REQUEST);
    link.cancel = clock.after(HEARTBEAT, () => beat(target, link));
  }

  function receive(target: NodeTarget, link: HeadSocket, text: string): void {
    link.receivedAt = clock.now();
    const message = parse(text);
    if (message["method"] === "eth_subscription") onHead(target, link.chain);
    else if (message["id"] === 1 && typeof message["result"] === "string") {
      link.failures = 0;
      link.up = true;
    } else if (message["id"] === 1) lost(target, link, "refused");
  }

  function onHead(target: NodeTarget, chain: string): void {
    const poll = target.polls.get(pollId(EvmHead, chain));
    if (poll === undefined || poll.state.wait.is === "running") return;
    const at = Math.max(clock.now(), (poll.state.attemptedAt ?? 0) + BETWEEN_POLLS);
    if (at < poll.state.wait.at) runner.want(target, poll, at);
  }

  function lost(target: NodeTarget, link: HeadSocket, why: string): void {
    stop(link);
    link.failures++;
    const wait = Math.min(LONGEST_WAIT, 2 ** Math.min(link.failures, 10));
    log.debug({ node: target.config.name, chain: link.chain, why, wait }, "WebSocket is down");
    link.up = false;
    link.cancel = clock.after(wait, () => open(target, link));
  }

  return {
    follow(target: NodeTarget, wanted: boolean | readonly string[]): void {
      const { sockets, facts } = target;
      const polled = [...target.polls.values()].filter(({ plan }) => plan.endpoint.id === EvmHead.id);
      const isWanted = (chain: string): boolean =>
        typeof wanted === "boolean" ? wanted : wanted.some((name) => knownChain(facts, name)?.id === chain);
      const chains = new Set(target.closed ? [] : polled.map(({ plan }) => plan.key).filter(isWanted));
      for (const [chain, link] of sockets) {
        if (chains.has(chain)) continue;
        stop(link);
        sockets.delete(chain);
      }
      for (const chain of chains) {
        if (sockets.has(chain)) continue;
        const link: HeadSocket = {
          chain,
          up: undefined,
          socket: undefined,
          failures: 0,
          receivedAt: 0,
          // Spread over a second: a thousand handshakes at once would block the event loop.
          cancel: clock.after(fractionOf(`${target.config.name} ${chain} socket`), () => open(target, link)),
        };
        sockets.set(chain, link);
      }
    },
    drop({ sockets }: NodeTarget): void {
      for (const link of sockets.values()) stop(link);
      sockets.clear();
    },
  };
}

/** Closes the socket of a link and cancels its timer. */
function stop(link: HeadSocket): void {
  link.cancel();
  link.cancel = () => undefined;
  link.socket?.close();
  link.socket = undefined;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text)?.value;
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
