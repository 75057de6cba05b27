/**
 * Scenarios of a node. A scenario is a change to the healthy behaviour; the rest of the simulator reads behaviours, never names.
 */

/** Fault of the HTTP server. */
export type Transport =
  "ok" | "slow" | "hanging" | "truncated" | "garbage" | "403" | "404" | "429" | "503" | "huge" | "reset" | "redirect";

export type Behaviour = {
  readonly transport: Transport;
  /** The P-Chain is behind: P rejects calls; C and X do not exist yet. */
  readonly bootstrapping: boolean;
  /** `low`: 9 % free; `filling`: 20 % at the change, 20 points less each hour. */
  readonly disk: "ample" | "low" | "filling";
  readonly healthFrozen: boolean;
  /** There is no health API, as on a public server. */
  readonly healthOff: boolean;
  /** `stuck`: C stops and its check fails; `stalled`: C stops and no check fails; `standing`: every chain stops and no check fails; `l1-dead`: so does that of the L1; `lagging`: every chain is 25 blocks behind. */
  readonly chains: "following" | "stuck" | "stalled" | "standing" | "lagging" | "l1-dead";
  /** `few`: 2 peers; `losing`: loses a peer every 30 s until one is left; `none`: no peers; `cut`: no packet passes, and both sides drop the connections when pings are not answered; `down`: the process does not run. */
  readonly links: "all" | "few" | "losing" | "none" | "cut" | "down";
  /** `ending`: the stake ends 20 h after the change; `ending-soon`: 20 min; `renewing`: so does the cycle of an auto-renewed stake, which goes on if the uptime is not poor. */
  readonly stake: "kept" | "gone" | "ending" | "ending-soon" | "renewing";
  /** `large`: one more delegation, which ends nine days after the change and every two weeks from then on; the delegator delegates again. */
  readonly delegations: "small" | "large";
  readonly noInbound: boolean;
  /** Half of its consensus queries on C fail, as its own metrics report; no check notices. */
  readonly queriesLost: boolean;
  /** Uptime as other nodes observe it: `poor` about 62 %, `edge` 81 %. */
  readonly uptime: "good" | "poor" | "edge";
  readonly restarted: boolean;
  /** What executes accepted blocks of C since Helicon. `slow`: a block takes 5 s; `stalled`: it executes none. */
  readonly executor: "prompt" | "slow" | "stalled";
  readonly pluginFailed: boolean;
  /** The VM of the L1 hangs: its chain stands, and with it the node's own metrics are not served. */
  readonly pluginHung: boolean;
  /** It accepts other blocks of C than the network from the change on, at the same heights. */
  readonly forked: boolean;
  /** It runs without the subnets in its track-subnets. */
  readonly untracked: boolean;
  readonly benched: boolean;
  /** `ahead`: the network upgrades one hour after the change; `unknown`: the same, but the schedule of this node lacks the upgrade; `missed`: as `unknown`, and every chain stops at the activation. */
  readonly upgrade: "none" | "ahead" | "unknown" | "missed";
  /** Balance of its L1 validations: `short` lasts six hours after the change, `running-dry` 25 minutes. */
  readonly l1Balance: "paid" | "short" | "running-dry" | "drained";
  readonly impostor: boolean;
  /** It runs with the staking keys of the node before it, which loses half of its peers to it. */
  readonly twin: boolean;
  /** `other`: it signs with another key than its stake has; `other-l1`: its L1 validation has another key. */
  readonly blsKey: "registered" | "other" | "other-l1";
  /** It runs a release to come: with a field, a check and a native metric that no other has, and without deprecated methods. */
  readonly nextRelease: boolean;
  /** It reports other keys of the validators of L1s than the network has. */
  readonly corruptKeys: boolean;
  /** It does not answer who the validators are. */
  readonly setsRefused: boolean;
  /** Whether the EVM admin API is turned on. */
  readonly admin: boolean;
  /** For the whole network. `utxos`: exports wait for import on C; `dry`: owners of stakes have low balances. */
  readonly wallets: "quiet" | "utxos" | "dry";
};

export const HEALTHY: Behaviour = {
  transport: "ok",
  bootstrapping: false,
  disk: "ample",
  healthFrozen: false,
  healthOff: false,
  chains: "following",
  links: "all",
  stake: "kept",
  delegations: "small",
  noInbound: false,
  queriesLost: false,
  uptime: "good",
  restarted: false,
  executor: "prompt",
  pluginFailed: false,
  pluginHung: false,
  forked: false,
  untracked: false,
  benched: false,
  upgrade: "none",
  l1Balance: "paid",
  impostor: false,
  twin: false,
  blsKey: "registered",
  nextRelease: false,
  corruptKeys: false,
  setsRefused: false,
  admin: false,
  wallets: "quiet",
};

/** A change that follows by itself some time after the scenario began. */
type LaterChange = { readonly afterMs: number; readonly change: Partial<Behaviour> };

/**
 * What a node does differently, and what about it changes later by itself.
 * @example
 * const scenario: Scenario = {
 *   about: "Loses its peers; its disk fills up five minutes later.",
 *   change: { links: "losing" },
 *   later: { afterMs: 300_000, change: { disk: "low" } },
 * };
 */
type Scenario = { readonly about: string; readonly change: Partial<Behaviour>; readonly later?: LaterChange };

/** 103 rounds of health checks: in the first with less than 3 %, the node ends. */
const DISK_FULL_MS = 103 * 30_000;

export const SCENARIOS = {
  healthy: { about: "Everything in order; resets the node.", change: {} },
  bootstrapping: {
    about: "The P-Chain syncs: 503 on P, 404 on C, X and subnets, and no validator by its own report.",
    change: { bootstrapping: true },
  },
  "unhealthy-check": { about: "diskspace fails (9 % left): health 503.", change: { disk: "low" } },
  "disk-filling": {
    about: "Free disk falls from 20 % by 20 points an hour; below 3 % the process ends.",
    change: { disk: "filling" },
    later: { afterMs: DISK_FULL_MS, change: { links: "down" } },
  },
  "no-health": { about: "The health API is switched off: 404.", change: { healthOff: true } },
  "frozen-health": { about: "The health worker hangs: its report stays as it was.", change: { healthFrozen: true } },
  "stuck-chain": { about: "The C-Chain stops; its check fails after 30 s.", change: { chains: "stuck" } },
  lagging: { about: "Every chain stays 25 blocks behind the network; healthy.", change: { chains: "lagging" } },
  "left-behind": {
    about: "Every chain stands, at the start since ten minutes; healthy.",
    change: { chains: "standing" },
  },
  "few-peers": { about: "Two peers are left; chain checks fail.", change: { links: "few" } },
  "losing-peers": { about: "Loses a peer every 30 s until one is left.", change: { links: "losing" } },
  "no-peers": { about: "No peers: every chain stops, the others see it disconnected.", change: { links: "none" } },
  "cut-off": { about: "No network path, but an API: peers are lost after 30 s.", change: { links: "cut" } },
  "no-inbound": { about: "No inbound connections: the network check fails.", change: { noInbound: true } },
  "offline-validator": { about: "The process is gone; the others see it disconnected.", change: { links: "down" } },
  "low-uptime": { about: "The others observe its uptime at 62 %.", change: { uptime: "poor" } },
  "edge-uptime": { about: "The others observe its uptime at 81 %.", change: { uptime: "edge" } },
  "not-a-validator": { about: "It is in no set but the L1.", change: { stake: "gone" } },
  "validator-gone": { about: "Its record vanishes from the set.", change: { stake: "gone" } },
  "stake-ending": { about: "Its stake ends after 20 hours.", change: { stake: "ending" } },
  "stake-ends-soon": { about: "Its stake ends after 20 minutes.", change: { stake: "ending-soon" } },
  "cycle-ends-soon": { about: "Its auto-renewed cycle ends after 20 minutes.", change: { stake: "renewing" } },
  "delegation-ending": { about: "150,000 AVAX delegated to it end after nine days.", change: { delegations: "large" } },
  "just-restarted": { about: "For 30 s its own stake alone rewards it.", change: { restarted: true } },
  "plugin-failed": { about: "The VM of both subnet chains did not start: health 503.", change: { pluginFailed: true } },
  "plugin-hung": {
    about: "The VM of the L1 hangs: no answers of its chain, no further health checks, /ext/metrics hangs, later 500.",
    change: { pluginHung: true, healthFrozen: true },
  },
  "executor-slow": { about: "Since Helicon: executing a block of C takes 5 s.", change: { executor: "slow" } },
  "executor-stalled": {
    about: "Since Helicon: C executes no blocks, and so accepts three more; no check notices.",
    change: { executor: "stalled" },
  },
  benched: { about: "Every other node benches it on P, C and the chain of a subnet.", change: { benched: true } },
  "upgrade-ahead": {
    about: "Helicon is an hour ahead; one validator does not know of it.",
    change: { upgrade: "ahead" },
  },
  "upgrade-unknown": { about: "As upgrade-ahead, and this node does not know of it.", change: { upgrade: "unknown" } },
  "upgrade-missed": { about: "As upgrade-unknown, and its chains stop at the upgrade.", change: { upgrade: "missed" } },
  "l1-balance-short": { about: "Its L1 validator's balance lasts six hours.", change: { l1Balance: "short" } },
  "l1-running-dry": { about: "Its L1 validator's balance lasts 25 minutes.", change: { l1Balance: "running-dry" } },
  "drained-l1": { about: "Its L1 validator's balance is gone.", change: { l1Balance: "drained" } },
  "next-release": {
    about: "Runs 1.99.0: a new field, check and native metric, and no deprecated methods.",
    change: { nextRelease: true },
  },
  "admin-on": { about: "The EVM admin API is turned on.", change: { admin: true } },
  "utxo-waiting": { about: "Owners of stakes have exports waiting for import on C.", change: { wallets: "utxos" } },
  "queries-lost": { about: "Half of its consensus queries on C fail.", change: { queriesLost: true } },
  "wallet-dry": { about: "Owners of stakes and every EVM address have low balances.", change: { wallets: "dry" } },
  "l1-dead": { about: "The L1's chain makes no more blocks, and no check notices.", change: { chains: "l1-dead" } },
  "chain-stalled": { about: "The C-Chain makes no more blocks, and no check notices.", change: { chains: "stalled" } },
  slow: { about: "Answers after 3 s of real time.", change: { transport: "slow" } },
  hanging: { about: "Accepts the request and never answers.", change: { transport: "hanging" } },
  truncated: { about: "Announces the whole body, and sends half.", change: { transport: "truncated" } },
  garbage: { about: "200 with an HTML page.", change: { transport: "garbage" } },
  "http-403": { about: "403 from something in front of the node.", change: { transport: "403" } },
  "http-404": { about: "404 on every path.", change: { transport: "404" } },
  "http-429": { about: "429 with Retry-After: 5.", change: { transport: "429" } },
  "http-503": { about: "503 from something in front of the node.", change: { transport: "503" } },
  huge: { about: "A body without end.", change: { transport: "huge" } },
  reset: { about: "The connection is reset before an answer.", change: { transport: "reset" } },
  "wrong-node-id": { about: "Another node answers at this address.", change: { impostor: true } },
  "wrong-bls-key": {
    about: "Started with another signer key: its peers drop it, it never bootstraps.",
    change: { blsKey: "other", links: "none", bootstrapping: true },
  },
  "wrong-l1-bls-key": {
    about: "Its L1 validation is registered with another BLS key.",
    change: { blsKey: "other-l1" },
  },
  "corrupt-l1-keys": { about: "It reports other BLS keys of L1 validators.", change: { corruptKeys: true } },
  "sets-refused": { about: "It refuses platform.getCurrentValidators.", change: { setsRefused: true } },
  twin: { about: "A second machine with the keys of the node before it.", change: { twin: true, links: "none" } },
  untracked: { about: "Started without its track-subnets, as its peers see.", change: { untracked: true } },
  forked: { about: "Its C-Chain has other blocks than the network, at the same heights.", change: { forked: true } },
  redirect: { about: "301 to another path.", change: { transport: "redirect" } },
} as const satisfies Readonly<Record<string, Scenario>>;

export type ScenarioName = keyof typeof SCENARIOS;

export const SCENARIO_NAMES = Object.keys(SCENARIOS) as ReadonlyArray<ScenarioName>;

/** The behaviour with all of these scenarios. */
export function behaviourOf(names: ReadonlyArray<ScenarioName>): Behaviour {
  return names.reduce<Behaviour>(
    (behaviour, name) => (name === "healthy" ? HEALTHY : { ...behaviour, ...SCENARIOS[name].change }),
    HEALTHY,
  );
}

/** What changes by itself later with these scenarios. */
export function laterChanges(names: ReadonlyArray<ScenarioName>): ReadonlyArray<LaterChange> {
  const all: Readonly<Record<ScenarioName, Scenario>> = SCENARIOS;
  return names.slice(names.lastIndexOf("healthy") + 1).flatMap((name) => all[name].later ?? []);
}

/** Total size of the disk in bytes. */
const DISK_BYTES = 270_000_000_000;

/** Free bytes on the disk of a node, and in whole percent. @param filledMs how long it has been filling */
export function freeDisk({ disk }: Behaviour, filledMs: number): { readonly bytes: number; readonly percent: number } {
  if (disk === "ample") return { bytes: 77_408_874_496, percent: 28 };
  if (disk === "low") return { bytes: 24_332_591_616, percent: 9 };
  const points = Math.max(0, 20 - (20 * filledMs) / 3_600_000);
  return { bytes: Math.floor((DISK_BYTES * points) / 100), percent: Math.floor(points) };
}
