/**
 * What can be the matter with a node. A scenario is a change to the healthy behaviour and nothing else; the rest of the simulator reads
 * behaviours, never names.
 */

/** What the HTTP server does instead of, or with, the answer. */
export type Transport =
  | "ok"
  | "slow"
  | "hanging"
  | "truncated"
  | "garbage"
  | "wrong-types"
  | "403"
  | "404"
  | "429"
  | "503"
  | "huge"
  | "reset"
  | "redirect";

export type Behaviour = {
  readonly transport: Transport;
  /** The P-Chain has not caught up: P alone exists and rejects calls, C and X are not there yet. */
  readonly bootstrapping: boolean;
  readonly lowDisk: boolean;
  readonly healthFrozen: boolean;
  /** `stuck`: C stops and its check notices; `standing`: every chain stops, nothing notices; `lagging`: every chain 25 blocks behind. */
  readonly chains: "following" | "stuck" | "standing" | "lagging";
  /** `few`: 2 peers; `losing`: one peer less every 30 s until one is left; `none`: no peers; `down`: the process is gone. */
  readonly links: "all" | "few" | "losing" | "none" | "down";
  /** `ending`: the stake ends 20 h after the switch. */
  readonly stake: "kept" | "gone" | "ending";
  readonly noInbound: boolean;
  readonly poorUptime: boolean;
  readonly restarted: boolean;
  readonly pluginFailed: boolean;
  readonly benched: boolean;
  /** `ahead`: the network upgrades one hour after the switch; `unknown`: so it does, and this node does not know. */
  readonly upgrade: "none" | "ahead" | "unknown";
  readonly l1Drained: boolean;
  readonly impostor: boolean;
};

export const HEALTHY: Behaviour = {
  transport: "ok",
  bootstrapping: false,
  lowDisk: false,
  healthFrozen: false,
  chains: "following",
  links: "all",
  stake: "kept",
  noInbound: false,
  poorUptime: false,
  restarted: false,
  pluginFailed: false,
  benched: false,
  upgrade: "none",
  l1Drained: false,
  impostor: false,
};

type Scenario = { readonly about: string; readonly change: Partial<Behaviour> };

/** Every scenario with what it does to the node that it is set on. */
export const SCENARIOS = {
  healthy: { about: "Everything in order; resets the node.", change: {} },
  bootstrapping: {
    about:
      "Connected, but the P-Chain still syncs: 503 on P, 404 on C, X and subnets, health 503, not a validator in its own eyes.",
    change: { bootstrapping: true },
  },
  "unhealthy-check": {
    about: "diskspace fails (9 % left): health 503, everything else works.",
    change: { lowDisk: true },
  },
  "frozen-health": {
    about: "The health worker hangs: timestamps and heights in health stand, healthy stays as it was.",
    change: { healthFrozen: true },
  },
  "stuck-chain": {
    about: "The C-Chain stops; after 30 s its check fails with the age of the oldest block.",
    change: { chains: "stuck" },
  },
  lagging: {
    about: "Every chain is 25 blocks behind the network and keeps that distance; healthy.",
    change: { chains: "lagging" },
  },
  "left-behind": {
    about: "Every chain stands still, all peers connected, healthy: true.",
    change: { chains: "standing" },
  },
  "few-peers": {
    about: "Two peers left: most of the stake is not connected, chain checks fail.",
    change: { links: "few" },
  },
  "losing-peers": {
    about: "Loses one peer every 30 simulated seconds until one is left.",
    change: { links: "losing" },
  },
  "no-peers": {
    about: "No peers: network and chain checks fail; the others see this validator disconnected.",
    change: { links: "none" },
  },
  "no-inbound": {
    about: "Connected to everybody and dialled by nobody: the network check fails, everything else works.",
    change: { noInbound: true },
  },
  "offline-validator": {
    about:
      "The process is gone: connections are refused; on every other node its record says connected false, its uptime falls, it is no peer.",
    change: { links: "down" },
  },
  "low-uptime": {
    about: "The others observe this node at about 62 %, its own record still says 100.",
    change: { poorUptime: true },
  },
  "not-a-validator": {
    about: "An API node: no record in any set but the L1, info.uptime is an error.",
    change: { stake: "gone" },
  },
  "validator-gone": {
    about: "Its record vanishes from the set (the same state as not-a-validator, reached while running).",
    change: { stake: "gone" },
  },
  "stake-ending": {
    about: "Its stake ends 20 simulated hours after the switch; then the record vanishes.",
    change: { stake: "ending" },
  },
  "just-restarted": {
    about:
      "For 30 simulated seconds peers' observed uptimes are 0 and only its own stake grants it the reward; the others miss its vote.",
    change: { restarted: true },
  },
  "plugin-failed": {
    about: "The VM plugin of both subnet chains did not start: health 503, P, X and C work.",
    change: { pluginFailed: true },
  },
  benched: {
    about: "Every other node benches this one on P, C and the permissioned subnet's chain.",
    change: { benched: true },
  },
  "upgrade-ahead": {
    about:
      "Helicon is scheduled one hour ahead for the whole network; the last validator that is no node does not know of it.",
    change: { upgrade: "ahead" },
  },
  "upgrade-unknown": {
    about: "As upgrade-ahead, and this node does not know of it (its own check stays silent).",
    change: { upgrade: "unknown" },
  },
  "drained-l1": {
    about: "Its L1 validator's balance is gone: balance 0, weight under the phantom node ID.",
    change: { l1Drained: true },
  },
  slow: { about: "Answers after 3 s of real time.", change: { transport: "slow" } },
  hanging: { about: "Accepts the request and never answers.", change: { transport: "hanging" } },
  truncated: {
    about: "Announces the whole body, sends half and cuts the connection.",
    change: { transport: "truncated" },
  },
  garbage: { about: "200 with an HTML page.", change: { transport: "garbage" } },
  "wrong-types": { about: "Every field of a result has another JSON type.", change: { transport: "wrong-types" } },
  "http-403": { about: "403 from something in front of the node.", change: { transport: "403" } },
  "http-404": { about: "404 on every path.", change: { transport: "404" } },
  "http-429": { about: "429 with Retry-After: 5.", change: { transport: "429" } },
  "http-503": { about: "503 from something in front of the node.", change: { transport: "503" } },
  huge: { about: "A body without end.", change: { transport: "huge" } },
  reset: { about: "The connection is reset before an answer.", change: { transport: "reset" } },
  "wrong-node-id": {
    about: "Another node answers at this address: header and info.getNodeID carry another ID.",
    change: { impostor: true },
  },
  redirect: { about: "301 to another path.", change: { transport: "redirect" } },
} as const satisfies Readonly<Record<string, Scenario>>;

export type ScenarioName = keyof typeof SCENARIOS;

/** A list of every name, in the order of the documentation. */
export const SCENARIO_NAMES = Object.keys(SCENARIOS) as ReadonlyArray<ScenarioName>;

/** The behaviour under these scenarios together. */
export function behaviourOf(names: ReadonlyArray<ScenarioName>): Behaviour {
  return names.reduce<Behaviour>(
    (behaviour, name) => (name === "healthy" ? HEALTHY : { ...behaviour, ...SCENARIOS[name].change }),
    HEALTHY,
  );
}
