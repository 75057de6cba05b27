import type { Client, OnNodeId } from "../../src/api/transport/client.ts";
import type { Connection } from "../../src/api/transport/connection.ts";
import type { OnCertificate } from "../../src/api/transport/open-connection.ts";
import { ApiError, type Api } from "../../src/api/endpoint.ts";
import type { Look } from "../../src/api/unknown/unknown-names.ts";
import { readAsOf } from "../../src/api/is-late.ts";
import type { Failure } from "../../src/api/reasons.ts";
import type { Clock } from "../../src/runtime/clock.ts";

/** A node without a socket. Its raw answers are validated by the schemas of the exporter, as real ones are. */
export type FakeNode = {
  /** Empty for a server whose answers lack it. */
  nodeId: string;
  networkName: string;
  height: number;
  healthy: boolean;
  bootstrapped: boolean;
  /** Raw records of the Primary Network. */
  validators: readonly object[];
  peers: readonly object[];
  /** Raw results instead of the default ones, by method or resource name. */
  readonly instead: Map<string, unknown>;
  /** Failures by method or resource name; `*` for all. */
  readonly failing: Map<string, Failure>;
  /** Seconds. */
  latency: number;
  /** Seconds of single methods. */
  readonly latencies: Map<string, number>;
  /** Offset of its clock in seconds. */
  ahead: number;
  /** Accepts requests and never answers. */
  hanging: boolean;
  /** Expiry of its certificate, shown with each request of an `https:` URL. Unix seconds. */
  certificateExpiry: number;
  /** Requests so far. */
  readonly asked: Array<{ readonly at: number; readonly name: string; readonly params: string }>;
  /** Number of concurrent requests with the same content: must stay 0. */
  overlaps: number;
};

export function fakeNode(name: string, more: Partial<FakeNode> = {}): FakeNode {
  return {
    nodeId: `NodeID-${name}`,
    networkName: "local",
    height: 100,
    healthy: true,
    bootstrapped: true,
    validators: [validatorOf(`NodeID-${name}`)],
    peers: [],
    instead: new Map(),
    failing: new Map(),
    latency: 0.01,
    latencies: new Map(),
    ahead: 0,
    hanging: false,
    certificateExpiry: 1_900_000_000,
    asked: [],
    overlaps: 0,
    ...more,
  };
}

/** A raw record of a Primary Network validator. */
export function validatorOf(nodeID: string, more: object = {}): object {
  // prettier-ignore
  return { nodeID, startTime: "1790000000", endTime: "1830000000", weight: "2000000000000", uptime: "99.5000", connected: true, potentialReward: "1000000000", delegationFee: "2.0000", delegatorCount: "0", delegatorWeight: "0", ...more };
}

export const REFUSED: Failure = { reason: "refused", message: "connection refused (ECONNREFUSED)" };
export const TIMEOUT: Failure = { reason: "timeout", message: "no complete answer in time" };

/** `connect` for a poller: finds the node by the host of the URL. */
export function fakeConnect(nodes: ReadonlyMap<string, FakeNode>, clock: Clock) {
  return (connection: Connection, onNodeId: OnNodeId, onCertificate?: OnCertificate): Client => {
    const { hostname: host, protocol } = new URL(connection.url);
    /** Active requests of all polls on this connection. */
    const underWay = new Set<string>();
    let closed = false;
    const node = () => {
      const found = nodes.get(host);
      if (found === undefined || closed) throw new ApiError(REFUSED);
      if (protocol === "https:") onCertificate?.(found.certificateExpiry);
      return found;
    };
    return {
      within: (timeout, ask, look) =>
        new Promise((resolve, reject) => {
          const mine = new Set<string>();
          const request = apiOf(node, clock, connection, onNodeId, underWay, mine, look);
          // The deadline aborts active requests, as in the real client.
          const cancel = clock.after(timeout, () => {
            for (const key of mine) underWay.delete(key);
            reject(new ApiError(TIMEOUT));
          });
          ask(request).then(resolve, reject).finally(cancel);
        }),
      listen: () => ({ send: () => undefined, close: () => undefined }),
      close: () => {
        closed = true;
        return Promise.resolve();
      },
    };
  };
}

function apiOf(
  find: () => FakeNode,
  clock: Clock,
  { expectNodeId, acceptsNodeId }: Connection,
  onNodeId: OnNodeId,
  underWay: Set<string>,
  mine: Set<string>,
  look: Look | undefined,
): Api {
  async function request(name: string, params: unknown): Promise<unknown> {
    const node = find();
    const key = `${name} ${JSON.stringify(params)}`;
    if (underWay.has(key)) node.overlaps++;
    underWay.add(key);
    mine.add(key);
    node.asked.push({ at: clock.now(), name, params: JSON.stringify(params) });
    try {
      if (node.hanging) await new Promise(() => undefined);
      await new Promise<void>((resolve) => clock.after(node.latencies.get(name) ?? node.latency, resolve));
      const failure = node.failing.get(name) ?? node.failing.get("*");
      if (failure !== undefined) throw new ApiError(failure);
      if (expectNodeId !== undefined && expectNodeId !== node.nodeId && acceptsNodeId?.(node.nodeId) !== true) {
        throw new ApiError({
          reason: "wrong_node",
          message: `${node.nodeId} answers at this address instead of ${expectNodeId}`,
        });
      }
      if (node.nodeId !== "") onNodeId(node.nodeId);
      return node.instead.has(name) ? node.instead.get(name) : replyOf(node, name, params, clock.now());
    } finally {
      underWay.delete(key);
      mine.delete(key);
    }
  }

  /** Answers are looked at as they came. */
  const looked = async (name: string, params: unknown): Promise<unknown> => {
    const raw = await request(name, params);
    look?.(name, raw, clock.now());
    return raw;
  };

  type Schema<R> = { safeParse: (raw: unknown) => { success: boolean; data?: R } };
  const parse = <R>({ result, dated }: { result: Schema<R>; dated?: boolean }, raw: unknown): R => {
    const date = new Date((clock.now() + find().ahead) * 1000).toUTCString();
    const at = clock.now();
    const parsed = readAsOf(at, dated === true ? at + find().ahead : undefined, () =>
      result.safeParse(dated === true ? { ...(raw as object), date } : raw),
    );
    if (!parsed.success) throw new ApiError({ reason: "schema", message: "another shape" });
    return parsed.data as R;
  };

  return {
    now: () => clock.now(),
    call: async (method, params) => {
      const raw = await looked(method.name, params);
      const short = shortIdOf(raw);
      if (short === undefined) return parse(method, raw);
      return { ...parse(method, { ...(raw as object), nodeID: FULL_ID }), nodeID: short };
    },
    batch: () => Promise.reject(new ApiError({ reason: "unsupported", message: "no batches" })),
    get: async (resource, query = []) => parse(resource, await looked(resource.name, query)),
  };
}

/** A node ID that passes the schema in place of a short one. */
const FULL_ID = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";

/** The ID in an answer of `info.getNodeID`, where it is one such as NodeID-a, which keeps the tests readable. */
function shortIdOf(raw: unknown): string | undefined {
  if (typeof raw !== "object" || raw === null || !("nodeID" in raw) || typeof raw.nodeID !== "string") return undefined;
  return /^NodeID-[\w-]{1,20}$/.test(raw.nodeID) ? raw.nodeID : undefined;
}

function replyOf(node: FakeNode, name: string, params: unknown, now: number): unknown {
  const timestamp = new Date(now * 1000).toISOString();
  const check = (message: unknown) => ({ message, timestamp, duration: 1000 });
  const health = () => ({
    healthy: node.healthy,
    checks: {
      P: check({ engine: { consensus: { lastAcceptedHeight: node.height } } }),
      C: check({ engine: { consensus: { lastAcceptedHeight: node.height * 10 } } }),
      bootstrapped: check([]),
    },
  });
  const well = { healthy: true, checks: {} };
  const replies: Readonly<Record<string, () => object>> = {
    "GET /ext/health": health,
    "health.health": health,
    "GET /ext/health/readiness": () => well,
    "GET /ext/health/liveness": () => well,
    "info.getNodeID": () => ({ nodeID: node.nodeId, nodePOP: { publicKey: "0xaa" } }),
    "info.getNodeIP": () => ({ ip: "127.0.0.1:9651" }),
    "info.getNodeVersion": () => ({ version: "avalanchego/1.15.0", vmVersions: {} }),
    "info.getNetworkID": () => ({ networkID: "12345" }),
    "info.getNetworkName": () => ({ networkName: node.networkName }),
    "info.getBlockchainID": () => ({ blockchainID: "chain" }),
    "info.isBootstrapped": () => ({ isBootstrapped: node.bootstrapped }),
    "info.getVMs": () => ({ vms: {} }),
    "info.peers": () => ({ numPeers: String(node.peers.length), peers: node.peers }),
    "info.uptime": () => ({ rewardingStakePercentage: "100.0000", weightedAveragePercentage: "99.0000" }),
    "info.upgrades": () => ({ etnaTime: "2024-12-16T17:00:00Z" }),
    "info.acps": () => ({ acps: {} }),
    "platform.getHeight": () => ({ height: String(node.height) }),
    "platform.getCurrentValidators": () => ({
      validators: node.validators.filter((each) => isRequested(each, params)),
    }),
  };
  const reply = replies[name];
  if (reply === undefined) throw new ApiError({ reason: "unsupported", message: `no ${name}` });
  return reply();
}

/** Whether a record has one of the requested node IDs; true without requested IDs. */
function isRequested(record: object, params: unknown): boolean {
  const { nodeIDs } = params as { readonly nodeIDs?: readonly string[] };
  return nodeIDs === undefined || ("nodeID" in record && nodeIDs.some((id) => id === record.nodeID));
}
