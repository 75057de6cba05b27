import { chainRoute, gate } from "../world/chains.ts";
import { answerCall, answerText, failure, readCall, type SimulatedCall } from "./evm.ts";
import { blockJson } from "./evm-blocks.ts";
import { headOf, isEvmChain, type SimulatedEvmChain } from "./evm-chain.ts";
import { goJson } from "../encoding/gotime.ts";
import type { SimulatedReply, View } from "../world/wire.ts";

/** `/ws` of the EVM chains: the methods of HTTP, and subscriptions to new heads. */

/** The chain of a path, or the reply instead of a WebSocket. */
export function socketChain(view: View, path: string): SimulatedEvmChain | SimulatedReply | undefined {
  const route = chainRoute(view, path);
  if (route?.rest !== "/ws" || !isEvmChain(route.chain)) return undefined;
  return gate(view, route.chain) ?? route.chain;
}

/** The server's side of an accepted WebSocket. */
export type ServerSocket = {
  readonly send: (text: string) => void;
  /** Sends a close frame and ends the connection. */
  readonly close: () => void;
};

type SocketSession = {
  readonly message: (text: string) => void;
  /** Announces the heads since the last call. */
  readonly announce: () => void;
};

/** Maximum number of heads per call; with accelerated time older ones are skipped. */
const MAX_HEADS = 20;

/** Subscriptions of one client. @param view returns the current state of the node */
export function openSession(view: () => View, chain: SimulatedEvmChain, socket: ServerSocket): SocketSession {
  const subscriptions = new Set<string>();
  let announced = headOf(view(), chain);
  let subscribed = 0;

  function subscribe(id: unknown, what: unknown): string {
    if (what !== "newHeads") return failure(id, -32601, `no "${String(what)}" subscription in eth namespace`);
    subscribed++;
    const name = `0x${(0x9cef_4789 + subscribed).toString(16).padStart(32, "0")}`;
    subscriptions.add(name);
    return `{"jsonrpc":"2.0","id":${goJson(id)},"result":"${name}"}`;
  }

  return {
    message(text) {
      const call = single(text);
      if (call?.method === "eth_subscribe") socket.send(subscribe(call.id, call.params[0]));
      else if (call?.method === "eth_unsubscribe") {
        const known = subscriptions.delete(String(call.params[0]));
        socket.send(`{"jsonrpc":"2.0","id":${goJson(call.id)},"result":${String(known)}}`);
      } else socket.send(call === undefined ? answerText(view(), chain, text) : answerCall(view(), chain, call));
    },
    announce() {
      const now = view();
      const head = headOf(now, chain);
      for (let height = Math.max(announced + 1, head - MAX_HEADS + 1); height <= head; height++) {
        const header = headerOf(blockJson(now, chain, height));
        for (const subscription of subscriptions) {
          const params = goJson({ subscription, result: header });
          socket.send(`{"jsonrpc":"2.0","method":"eth_subscription","params":${params}}`);
        }
      }
      announced = Math.max(announced, head);
    },
  };
}

/** The header of a block, which is all that a subscription sends. */
function headerOf(block: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const omitted = ["transactions", "uncles", "size", "totalDifficulty"];
  return Object.fromEntries(Object.entries(block).filter(([key]) => !omitted.includes(key)));
}

function single(text: string): SimulatedCall | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const call = Array.isArray(value) ? "" : readCall(value);
    return typeof call === "string" ? undefined : call;
  } catch {
    return undefined;
  }
}
