import type { Endpoint, TargetFacts } from "../src/api/endpoint.ts";
import { nodeEndpoints, type Catalogue } from "../src/topics/define/catalogue.ts";
import { defaultConfig } from "../src/config/default-config.ts";
import { SETTLED_INTERVALS } from "../src/poller/poll/poll.ts";

/** Requests per minute that an endpoint sends to one node, at most. */
export type RequestBudget = {
  readonly id: string;
  /** To a node. */
  readonly node: number;
  /** To the reference node of the network. */
  readonly reference: number;
  /** To the node that confirms what pages. */
  readonly second: number;
  /** What adds requests. */
  readonly also?: string;
};

/** Requests of one poll, where it needs more than one. */
const REQUESTS: Readonly<Record<string, number>> = { "evm.blocks": 3 };

/** What adds requests to those of each poll, with the figures of the main network where known. */
const ALSO: Readonly<Record<string, string>> = {
  "platform.getBlockByHeight": "one for each new P-Chain block",
  "evm.head": "one for each 32 new blocks of a chain",
  "evm.blocks": "one for each 50 new blocks of a poll",
};

const node = "node";
const primary = (["P", "X", "C"] as const).map((label) => ({ id: label, label, subnet: "primary" }));

/** The node that the budget is for: a validator of the Primary Network, in the default configuration. */
const FACTS: TargetFacts = {
  node,
  network: "mainnet",
  knownNetwork: "mainnet",
  nodeId: "NodeID-own",
  chains: primary,
  knownChains: primary,
  subnets: [],
  subnetNames: new Map(),
  networkSubnets: [],
  watch: ["NodeID-own"],
  watchNetwork: ["NodeID-own"],
  watchConfigured: [],
  watchDetails: new Map(),
  addresses: [],
  evmChains: [{ id: "C", label: "C", subnet: "primary", chainId: undefined }],
  evm: defaultConfig().evm,
  seriesLabels: {},
  options: {
    url: "http://127.0.0.1:9650",
    aliases: [],
    healthTransport: "get",
    dialect: "auto",
    publicServer: false,
    labels: {},
  },
};

/** The budget of each endpoint that is polled by default, and sends requests to a node without subnets and wallets. */
export function requestBudgets(catalogue: Pick<Catalogue, "endpoints">): readonly RequestBudget[] {
  return nodeEndpoints(catalogue)
    .filter(({ enabled }) => enabled !== false)
    .map(budgetOf)
    .filter(({ reference, second }) => reference + second > 0);
}

function budgetOf(endpoint: Endpoint<unknown>): RequestBudget {
  const { id, every, scope, confirms } = endpoint;
  const polls = (60 / every) * ("settled" in endpoint ? 1 / SETTLED_INTERVALS : 1);
  const most = polls * endpoint.keys(FACTS).length * (REQUESTS[id] ?? 1);
  const also = ALSO[id];
  const node = scope === "network" ? 0 : most;
  const [reference, second] = confirms === undefined ? [most, node] : [0, most];
  return { id, node, reference, second, ...(also === undefined ? {} : { also }) };
}
