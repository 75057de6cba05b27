import type { Reason } from "../../../src/api/reasons.ts";
import type { Fault, FaultServerOptions } from "./fault-server.ts";

/** Endpoints that the matrix polls every two seconds, each with a series that stands for its answer. */
export const SIGNALS = {
  health: "avax_node_healthy",
  "health.readiness": "avax_node_ready",
  "health.liveness": "avax_node_live",
  "info.getNetworkName": undefined,
  "info.getNodeVersion": "avax_node_info",
  "info.peers": "avax_node_peers_silent",
  "info.uptime": "avax_node_uptime_rewarding_stake_ratio",
  "platform.getHeight": undefined,
  "platform.getCurrentValidators": "avax_validators",
  "platform.getCurrentValidators.watched": "avax_validator_connected",
  "evm.head": "avax_evm_gas_limit",
  "evm.blocks": undefined,
} as const;

export type Polled = keyof typeof SIGNALS;
export const POLLED = Object.keys(SIGNALS) as readonly Polled[];

/** What the polls of an endpoint come to during a fault; several where it is a matter of chance. */
export type Expected = Outcome | readonly Outcome[];

/** `waiting`: planned again, for instance about another node, and not polled yet. */
export type Outcome = Reason | "ok" | "unsupported" | "waiting";

export type Fails = Partial<Readonly<Record<Polled, Expected>>>;

export type Row = {
  /** Name of the node. */
  readonly id: string;
  /** For the reference: a noun or a short sentence without a full stop. */
  readonly fault: string;
  readonly behave: () => Fault;
  /** The endpoints that fail, with their reasons; the others stay fresh. */
  readonly fails: Fails;
  /** When `avax_node_up` is 0. `any`: it changes during the fault. */
  readonly down: "at once" | "after 30 s" | "no" | "any";
  /** Series that are absent although their endpoint answers: names, with a label where one of several is meant. */
  readonly absent?: readonly string[];
  /** Series that keep another value than before, or none, where the fault is a lie about it. */
  readonly changes?: readonly string[];
  /** Series with an exact value during the fault. */
  readonly shows?: Readonly<Record<string, number>>;
  /** Seconds from the end of the fault until everything is as before; `undefined` where the fault has no end. */
  readonly recovery: number | undefined;
  /** Further settings of the node in the configuration. */
  readonly node?: Readonly<Record<string, unknown>>;
  readonly server?: () => FaultServerOptions & { readonly trusted?: readonly string[] };
  /** Replaces the address of the fault server. */
  readonly url?: string;
  /** A remark for the reference. */
  readonly seen?: string;
};

export type Group = {
  readonly title: string;
  /** Rows of one scene share a daemon. */
  readonly scene: SceneName;
  readonly rows: readonly Row[];
};

/** Rows that one daemon polls at the same time. */
export type SceneName = "transport" | "http" | "answers" | "values" | "lies" | "sizes" | "sockets" | "long";

/** FAULTS_PACE=3 makes intervals, deadlines and waits three times as long, for a machine that is busy with other work. */
export const PACE = Number(process.env["FAULTS_PACE"] ?? 1);

/** One interval of two seconds, and two seconds. */
export const SOON = 4;

export function all(expected: Expected): Fails {
  return Object.fromEntries(POLLED.map((id) => [id, expected]));
}

const isGet = (id: Polled): boolean => id.startsWith("health");

/** Endpoints that send a GET: the health API. */
export function gets(expected: Expected): Fails {
  return Object.fromEntries(POLLED.filter(isGet).map((id) => [id, expected]));
}

/** Endpoints that send JSON-RPC. */
export function rpcs(expected: Expected): Fails {
  return Object.fromEntries(POLLED.filter((id) => !isGet(id)).map((id) => [id, expected]));
}

export function only(ids: readonly Polled[], expected: Expected): Fails {
  return Object.fromEntries(ids.map((id) => [id, expected]));
}

/** The outcomes that are accepted of an endpoint during a fault. */
export function accepted({ fails }: Row, id: Polled): readonly Outcome[] {
  const expected = fails[id] ?? "ok";
  return typeof expected === "string" ? [expected] : expected;
}

/**
 * A fault with which every poll fails, and the node counts as down half a minute later.
 * @example
 * import { status } from "./replies.ts";
 * failing("status-418", "HTTP 418 to everything", () => status(418, "no"), "http_status");
 */
export const failing = (
  id: string,
  fault: string,
  behave: Row["behave"],
  expected: Expected,
  more: Partial<Row> = {},
): Row => ({ id, fault, behave, fails: all(expected), down: "after 30 s", recovery: SOON, ...more });

/** A fault with which some polls fail, and the node is up. */
export const partly = (
  id: string,
  fault: string,
  behave: Row["behave"],
  fails: Fails,
  more: Partial<Row> = {},
): Row => ({ id, fault, behave, fails, down: "no", recovery: SOON, ...more });

/** A fault with which no poll fails. */
export const harmless = (id: string, fault: string, behave: Row["behave"], more: Partial<Row> = {}): Row =>
  partly(id, fault, behave, {}, more);
