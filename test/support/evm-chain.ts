import { type Api, type Call, type Outcomes, ApiError } from "../../src/api/endpoint.ts";
import type { EvmBlock } from "../../src/api/node/evm-wire.ts";
import { rpcError, unsupported } from "./scripted-api.ts";

/** An EVM chain without a server. */

/** The block at a height; chains with different names have different blocks. */
export function blockOf(number: number, more: Partial<EvmBlock> = {}, name = "a"): EvmBlock {
  return {
    number,
    hash: `${name}${number}`,
    parentHash: `${name}${number - 1}`,
    time: 1000 + 2 * number,
    gasLimit: 30_000_000,
    gasUsed: 21_000 * (number % 4),
    baseFee: 25_000_000_000n,
    transactions: number % 4,
    worstCase: false,
    ...more,
  };
}

export type FakeChain = {
  head: number;
  name: string;
  /** Whether headers have limits alone, and how the server answers `eth_getBlockReceipts`; each transaction used half its limit. */
  worstCase: boolean;
  receipts: "served" | "refused" | "lacking";
  /** Heights that the server lacks. */
  readonly missing: Set<number>;
  /** Number of calls of each request. */
  readonly requests: number[];
  /** Requested heights past the head: a node writes each into its log. */
  readonly pastHead: number[];
  readonly api: Api;
};

export function fakeChain(head: number): FakeChain {
  const chain: FakeChain = {
    head,
    name: "a",
    worstCase: false,
    receipts: "served",
    missing: new Set(),
    requests: [],
    pastHead: [],
    api: {
      call: () => Promise.reject(new ApiError({ reason: "internal", message: "not asked for" })),
      get: () => Promise.reject(new ApiError({ reason: "internal", message: "not asked for" })),
      batch: <const C extends readonly Call[]>(_path: string, calls: C) => {
        chain.requests.push(calls.length);
        return Promise.resolve(calls.map((each) => outcomeOf(chain, each)) as unknown as Outcomes<C>);
      },
    },
  };
  const { api } = chain;
  return Object.assign(chain, {
    api: {
      ...api,
      call: (method: Call["method"], params: readonly unknown[]) => {
        chain.requests.push(1);
        const outcome = outcomeOf(chain, { method, params });
        return "error" in outcome ? Promise.reject(outcome.error) : Promise.resolve(outcome.value);
      },
    } as Api,
  });
}

function outcomeOf({ head, name, worstCase, receipts, missing, pastHead }: FakeChain, { method, params }: Call) {
  const [tag] = params as readonly string[];
  const height = tag === "latest" ? head : Number(tag);
  if (height > head) pastHead.push(height);
  if (height > head) return { error: rpcError("cannot query unfinalized data") };
  if (method.name === "eth_getBlockReceipts") {
    if (receipts === "refused") return { error: unsupported() };
    const gas = BigInt(blockOf(height).gasUsed / 2);
    return { value: receipts === "lacking" ? undefined : { gas, fees: gas * 20_000_000_000n } };
  }
  return { value: missing.has(height) ? undefined : blockOf(height, { worstCase }, name) };
}
