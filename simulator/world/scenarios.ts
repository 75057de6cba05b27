/**
 * Scenarios of a node. A scenario is a change to the healthy behaviour; the rest of the simulator reads behaviours, never names.
 */

/** Fault of the HTTP server. */
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
  /** The P-Chain is behind: P rejects calls; C and X do not exist yet. */
  readonly bootstrapping: boolean;
  /** `low`: 9 % free; `filling`: 20 % at the change, 20 points less each hour. */
  readonly disk: "ample" | "low" | "filling";
  readonly healthFrozen: boolean;
  /** There is no health API, as on a public server. */
  readonly healthOff: boolean;
  /** Clock of the machine. `ahead`: by 40 seconds, in the header `Date` and in health checks. */
  readonly clock: "right" | "ahead";
  /** `stuck`: C stops and its check fails; `stalled`: C stops and no check fails; `standing`: every chain stops and no check fails; `l1-dead`: so does that of the L1; `lagging`: every chain is 25 blocks behind. */
  readonly chains: "following" | "stuck" | "stalled" | "standing" | "lagging" | "l1-dead";
  /** `few`: 2 peers; `losing`: loses a peer every 30 s until one is left; `none`: no peers; `cut`: no packet passes, and both sides drop the connections when pings are not answered; `down`: the process does not run. */
  readonly links: "all" | "few" | "losing" | "none" | "cut" | "down";
  /** `ending`: the stake ends 20 h after the change; `ending-soon`: 20 min; `renewing`: so does the cycle of an auto-renewed stake, which goes on if the uptime is not poor. */
  readonly stake: "kept" | "gone" | "ending" | "ending-soon" | "renewing";
  /** `large`: one more delegation, which ends nine days after the change and every two weeks from then on; the delegator delegates again. */
  readonly delegations: "small" | "large";
  /** Owner of the rewards in the record of its stake: that of the member, or another one. */
  readonly rewards: "own" | "other";
  readonly noInbound: boolean;
  /** Half of its consensus queries on C fail, as its own metrics report; no check notices. */
  readonly queriesLost: boolean;
  /** Uptime as other nodes observe it: `poor` about 62 %, `edge` 81 %. */
  readonly uptime: "good" | "poor" | "edge";
  /** Observes half of the uptime of every other validator. */
  readonly underreportsUptime: boolean;
  readonly restarted: boolean;
  readonly pluginFailed: boolean;
  /** It accepts other blocks of C than the network from the change on, at the same heights. */
  readonly forked: boolean;
  /** It runs without the subnets in its track-subnets. */
  readonly untracked: boolean;
  readonly benched: boolean;
  /** `ahead`: the network upgrades one hour after the change; `unknown`: the same, but the schedule of this node lacks the upgrade; `missed`: as `unknown`, and every chain stops at the activation; `alone`: only this node has it. */
  readonly upgrade: "none" | "ahead" | "unknown" | "missed" | "alone";
  /** Balance of its L1 validations: `short` lasts six hours after the change, `running-dry` 25 minutes. */
  readonly l1Balance: "paid" | "short" | "running-dry" | "drained";
  /** Fault of the EVM interfaces. `backlog`: since Helicon, 60 accepted blocks of C are not executed. */
  readonly evm:
    "ok" | "batch-refused" | "batch-limited" | "batch-truncated" | "wrong-chain" | "socket-drops" | "backlog";
  readonly impostor: boolean;
  /** It runs with the staking keys of the node before it, which loses half of its peers to it. */
  readonly twin: boolean;
  /** `other`: it signs with another key than its stake has; `other-l1`: its L1 validation has another key. */
  readonly blsKey: "registered" | "other" | "other-l1";
  /** The EVM admin API: `changed` is `on` with another log level than before. */
  readonly admin: "off" | "on" | "changed";
  /** For the whole network. `utxos`: exports wait for import on C; `dry`: owners of stakes have low balances. */
  readonly wallets: "quiet" | "utxos" | "dry";
};

export const HEALTHY: Behaviour = {
  transport: "ok",
  bootstrapping: false,
  disk: "ample",
  healthFrozen: false,
  healthOff: false,
  clock: "right",
  chains: "following",
  links: "all",
  stake: "kept",
  delegations: "small",
  rewards: "own",
  noInbound: false,
  queriesLost: false,
  uptime: "good",
  underreportsUptime: false,
  restarted: false,
  pluginFailed: false,
  forked: false,
  untracked: false,
  benched: false,
  upgrade: "none",
  l1Balance: "paid",
  evm: "ok",
  impostor: false,
  twin: false,
  blsKey: "registered",
  admin: "off",
  wallets: "quiet",
};

/** A change that follows by itself some time after the scenario began. */
type LaterChange = { readonly afterMs: number; readonly change: Partial<Behaviour> };

type Scenario = { readonly about: string; readonly change: Partial<Behaviour>; readonly later?: LaterChange };

/** 103 rounds of health checks: in the first with less than 3 %, the node ends. */
const DISK_FULL_MS = 103 * 30_000;

export const SCENARIOS = {
  healthy: { about: "Everything in order; resets the node.", change: {} },
  bootstrapping: {
    about:
      "Connected, but the P-Chain still syncs: 503 on P, 404 on C, X and subnets, health 503, not a validator in its own eyes.",
    change: { bootstrapping: true },
  },
  "unhealthy-check": {
    about: "diskspace fails (9 % left): health 503, everything else works.",
    change: { disk: "low" },
  },
  "disk-filling": {
    about:
      "Free disk falls from 20 % by 20 points an hour: diskspace fails below 10 % (after 30 min), the process ends below 3 %.",
    change: { disk: "filling" },
    later: { afterMs: DISK_FULL_MS, change: { links: "down" } },
  },
  "no-health": {
    about: "The health API is switched off: 404, while everything else answers.",
    change: { healthOff: true },
  },
  "frozen-health": {
    about: "The health worker hangs: timestamps and heights in health stand, healthy stays as it was.",
    change: { healthFrozen: true },
  },
  "clock-ahead": {
    about: "The machine's clock is 40 s ahead: so are the Date of every answer and the times of health checks.",
    change: { clock: "ahead" },
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
    about:
      "Every chain is stalled, from the start of the simulation on since ten minutes; all peers connected, healthy: true.",
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
    about: "No peers: every chain stops, network and chain checks fail; the others see this validator disconnected.",
    change: { links: "none" },
  },
  "cut-off": {
    about: "Its network path is gone, its API still answers: every chain stops at once, all peers are lost after 30 s.",
    change: { links: "cut" },
  },
  "no-inbound": {
    about: "Connected to all peers without inbound connections: the network check fails, everything else works.",
    change: { noInbound: true },
  },
  "offline-validator": {
    about:
      "The process is gone: connections are refused; on every other node its record says connected false, its uptime falls, it is not a peer.",
    change: { links: "down" },
  },
  "low-uptime": {
    about: "The others observe this node at about 62 %, its own record still says 100.",
    change: { uptime: "poor" },
  },
  "edge-uptime": {
    about: "The others observe this node at 81 %; with stake-ending its downtime budget is hours.",
    change: { uptime: "edge" },
  },
  "near-sighted": {
    about: "This node sees every other validator with half of the uptime that other nodes see.",
    change: { underreportsUptime: true },
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
  "stake-ends-soon": {
    about: "Its stake ends 20 simulated minutes after the switch; then the record vanishes.",
    change: { stake: "ending-soon" },
  },
  "cycle-ends-soon": {
    about:
      "Its stake is auto-renewed, and the cycle ends 20 simulated minutes after the switch; with low-uptime the record then vanishes.",
    change: { stake: "renewing" },
  },
  "delegation-ending": {
    about: "A delegation of 150,000 AVAX to it ends nine simulated days after the switch.",
    change: { delegations: "large" },
  },
  "reward-address-changed": {
    about: "The record of its stake has another reward address than the owner's.",
    change: { rewards: "other" },
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
      "Helicon is scheduled one hour ahead for the whole network; the last validator that is not a polled node does not know of it.",
    change: { upgrade: "ahead" },
  },
  "upgrade-unknown": {
    about: "As upgrade-ahead, and this node does not know of it (its own check stays silent).",
    change: { upgrade: "unknown" },
  },
  "upgrade-missed": {
    about: "As upgrade-unknown, and every chain of this node stops when the network upgrades; healthy: true.",
    change: { upgrade: "missed" },
  },
  "upgrade-alone": { about: "This node alone knows of Helicon, one hour ahead.", change: { upgrade: "alone" } },
  "l1-balance-short": {
    about: "Its L1 validator's balance lasts six more hours at the switch.",
    change: { l1Balance: "short" },
  },
  "l1-running-dry": {
    about: "Its L1 validator's balance lasts 25 more minutes at the switch, then it is inactive.",
    change: { l1Balance: "running-dry" },
  },
  "drained-l1": {
    about: "Its L1 validator's balance is gone: balance 0, weight under the phantom node ID.",
    change: { l1Balance: "drained" },
  },
  "admin-on": {
    about: "The EVM admin API is turned on (a real node serves it until Helicon).",
    change: { admin: "on" },
  },
  "admin-changed": {
    about: "As admin-on, with another log level: the EVM chain's configuration changed.",
    change: { admin: "changed" },
  },
  "utxo-waiting": {
    about:
      "Owners of stakes have exports waiting for import on C: the first has three from P and one from X, the second 2500 from P.",
    change: { wallets: "utxos" },
  },
  "queries-lost": {
    about: "Half of its consensus queries on C fail, by its own /ext/metrics alone.",
    change: { queriesLost: true },
  },
  "wallet-dry": {
    about: "Owners of stakes hold 0.05 AVAX on the P-Chain, every EVM address a hundredth of a coin.",
    change: { wallets: "dry" },
  },
  "l1-dead": {
    about:
      "The chain of the L1 makes no more blocks and no check notices; set on all nodes, it has stopped everywhere.",
    change: { chains: "l1-dead" },
  },
  "chain-stalled": {
    about: "The C-Chain makes no more blocks and no check notices; set on all nodes, it has stopped everywhere.",
    change: { chains: "stalled" },
  },
  "execution-backlog": {
    about: "Since Helicon, 60 accepted blocks of the C-Chain are not executed yet: `latest` is behind.",
    change: { evm: "backlog" },
  },
  "batch-refused": {
    about: "EVM batches are refused with one error in place of the answers.",
    change: { evm: "batch-refused" },
  },
  "batch-limited": { about: "EVM batches of more than three calls are too large.", change: { evm: "batch-limited" } },
  "batch-truncated": {
    about: "Of an EVM batch two calls are answered, the third is too large, the rest is left out.",
    change: { evm: "batch-truncated" },
  },
  "wrong-chain": { about: "Every EVM chain has another chain ID.", change: { evm: "wrong-chain" } },
  "socket-drops": {
    about: "EVM WebSockets are closed after the first head, and refused every other time.",
    change: { evm: "socket-drops" },
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
  "wrong-bls-key": {
    about: "Started with another signer key: its peers drop it, its check bls fails, it never bootstraps.",
    change: { blsKey: "other", links: "none", bootstrapping: true },
  },
  "wrong-l1-bls-key": {
    about: "Its L1 validation is registered with another BLS key; no check notices.",
    change: { blsKey: "other-l1" },
  },
  twin: {
    about:
      "A second machine with the staking keys of the node before it: no peer keeps a connection, and peers report both addresses in turn.",
    change: { twin: true, links: "none" },
  },
  untracked: {
    about: "Started without its track-subnets: its peers see that it tracks no subnet. Its own reports do not change.",
    change: { untracked: true },
  },
  forked: {
    about: "Its C-Chain has other blocks than the network from the change on, at the same heights.",
    change: { forked: true },
  },
  redirect: { about: "301 to another path.", change: { transport: "redirect" } },
} as const satisfies Readonly<Record<string, Scenario>>;

export type ScenarioName = keyof typeof SCENARIOS;

export const SCENARIO_NAMES = Object.keys(SCENARIOS) as ReadonlyArray<ScenarioName>;

/** Milliseconds by which the clock of the node is ahead of simulated time. */
export function aheadOf({ clock }: Behaviour): number {
  return clock === "ahead" ? 40_000 : 0;
}

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
