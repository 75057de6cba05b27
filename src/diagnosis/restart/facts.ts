import { PRIMARY } from "../../api/node/platform.ts";
import { bootstrapped } from "../../topics/chains/chains.ts";
import { lag } from "../../topics/chains/lag.ts";
import { polling } from "../../topics/exporter/polling.ts";
import { l1Offline } from "../../topics/l1/l1-offline.ts";
import { l1Runway } from "../../topics/l1/l1-runway.ts";
import { l1Validator } from "../../topics/l1/l1-validator.ts";
import { quorumMargin } from "../../topics/l1/quorum-margin.ts";
import { quorum } from "../../topics/l1/quorum.ts";
import { subnets } from "../../topics/network/subnet-chains.ts";
import { upgradeReadiness } from "../../topics/network/upgrade-readiness.ts";
import { upgrades } from "../../topics/network/upgrades.ts";
import { identity, nodeLabels } from "../../topics/node/identity.ts";
import { readiness } from "../../topics/node/readiness.ts";
import { networkVerdict } from "../../topics/validators/network-verdict.ts";
import { uptimeError } from "../../topics/validators/observation.ts";
import { rewardVerdict } from "../../topics/validators/reward-verdict.ts";
import { validatorRequirement } from "../../topics/validators/validator-requirement.ts";
import { validatorView } from "../../topics/validators/validator-view.ts";
import { validator } from "../../topics/validators/validator.ts";
import { validators } from "../../topics/validators/validators.ts";
import { quantile } from "../promql/aggregate.ts";
import { labelsOf, type Sample } from "../promql/sample.ts";
import type { Samples } from "../samples.ts";

/** What is known of a node that can be restarted. Unknown is `undefined`. */
export type RestartNode = {
  readonly node: string;
  readonly network: string | undefined;
  readonly nodeId: string | undefined;
  readonly version: string | undefined;
  readonly up: boolean | undefined;
  /** Why it is not back: what its restart, or another one, has to wait for. */
  readonly away: string | undefined;
  /** Whether no other node is connected to it: its weight is missing already. */
  readonly isCutOff: boolean;
  readonly stakes: readonly RestartStake[];
};

/** A membership in the Primary Network, a subnet or an L1. Unknown is `undefined`. */
export type RestartStake = {
  readonly subnet: string;
  /** Share of all weight that it brings to the quorum. */
  readonly share: number | undefined;
  /** Seconds of downtime left, by the median of its observers; `none` where no uptime is required. */
  readonly budget: number | "none" | undefined;
  /** The largest error of the budget. Seconds. */
  readonly tolerance: number;
  readonly end: number | undefined;
  /** Seconds until the balance of an L1 validation is used up; `none` where there is no balance. */
  readonly runway: number | "none" | undefined;
};

/** The quorum of a subnet: shares of all weight. */
export type RestartQuorum = {
  readonly network: string;
  readonly subnet: string;
  readonly name: string;
  readonly connected: number | undefined;
  readonly required: number | undefined;
  /** Whether its validators are known. */
  readonly isKnown: boolean;
};

export type RestartFacts = {
  readonly at: number;
  /** Whether this process sees every node of the fleet. */
  readonly isWhole: boolean;
  readonly nodes: readonly RestartNode[];
  /** By `keyOf`. */
  readonly quorums: ReadonlyMap<string, RestartQuorum>;
  /** The next upgrade of each network. */
  readonly upgrades: ReadonlyMap<string, { readonly at: number; readonly name: string | undefined }>;
};

/** A chain that is behind for less time is caught between two blocks. Seconds. */
const BEHIND_FOR = 60;

export function keyOf(network: string | undefined, subnet: string, nodeId = ""): string {
  return `${network ?? ""} ${subnet} ${nodeId}`;
}

/** What the restart of nodes depends on, from the samples on /metrics. */
export function restartFacts(samples: Samples, isWhole: boolean): RestartFacts {
  const read = readerOf(samples);
  const at = samples.now;
  const stakes = stakesOf(read, at);
  const up = byLabel(read, polling.metrics.up.name, "node");
  const away = awayOf(read, up, at);
  const versions = new Map(read(identity.metrics.node.name).map(({ label }) => [label("node"), label("version")]));
  const cutOff = cutOffOf(read);
  return {
    at,
    isWhole,
    nodes: read(nodeLabels.metrics.configured.name).map(({ label }) => {
      const [node, nodeId, network] = [label("node"), label("node_id") || undefined, label("network") || undefined];
      const isUp = up.get(node);
      return {
        node,
        network,
        nodeId,
        version: versions.get(node) || undefined,
        up: isUp === undefined ? undefined : isUp === 1,
        away: away.get(node) ?? (nodeId === undefined ? undefined : away.get(keyOf(network, PRIMARY, nodeId))),
        isCutOff: isUp === 0 && cutOff.has(keyOf(network, "", nodeId)),
        stakes: stakes.get(keyOf(network, "", nodeId)) ?? [],
      };
    }),
    quorums: quorumsOf(read),
    upgrades: upgradesOf(read, at),
  };
}

/** A label's value. Most series are read at each scrape, and parsing all of their labels would take most of that time. */
function labelOf(sample: Sample, name: string): string {
  const { text } = sample.series;
  const start = `${name}="`;
  // A quote within a value is escaped, so that this text begins a label.
  const at = text.startsWith(start) ? 0 : text.indexOf(`,${start}`) + 1;
  if (at === 0 && !text.startsWith(start)) return "";
  const from = at + start.length;
  const value = text.slice(from, text.indexOf('"', from));
  return value.includes("\\") ? (labelsOf(sample).get(name) ?? "") : value;
}

type Row = { readonly value: number; readonly label: (name: string) => string };
/** @param only the value of the series that are read; the labels of others are not parsed */
type Reader = (name: string, only?: number) => readonly Row[];

function readerOf(samples: Samples): Reader {
  return (name, only) =>
    samples
      .samples(name)
      .filter(({ value }) => only === undefined || value === only)
      .map((sample) => ({ value: sample.value, label: (label) => labelOf(sample, label) }));
}

function byLabel(read: Reader, name: string, label: string): ReadonlyMap<string, number> {
  return new Map(read(name).map((row) => [row.label(label), row.value]));
}

const ofStake = ({ label }: Row): string => keyOf(label("network"), label("subnet"), label("node_id"));

/** The memberships of each watched validator, by network and node ID. */
function stakesOf(read: Reader, at: number): ReadonlyMap<string, readonly RestartStake[]> {
  const { metrics: staked } = validator;
  const values = (name: string) => new Map(read(name).map((row) => [ofStake(row), row.value]));
  const [shares, ends, starts] = [values(staked.activeShare.name), values(staked.end.name), values(staked.start.name)];
  const required = values(validatorRequirement.metrics.requirement.name);
  const budgets = Map.groupBy(read(rewardVerdict.metrics.budget.name), ofStake);
  const active = new Set(read(l1Validator.metrics.active.name, 1).map(ofStake));
  const runways = Map.groupBy(read(l1Runway.metrics.runway.name), ofStake);
  const own = byLabel(read, networkVerdict.metrics.median.name, "node");
  const nodes = new Map(
    read(nodeLabels.metrics.configured.name).map(({ label }) => [label("node"), label("node_id")] as const),
  );
  const found = read(staked.active.name, 1).map((row) => {
    const key = ofStake(row);
    const subnet = row.label("subnet");
    const observed = budgets.get(key) ?? [];
    const [first] = observed;
    // A node observes itself by its peers, who report whole percents.
    const selfAlone = observed.every(({ label }) => nodes.get(label("node")) === row.label("node_id"));
    const median = selfAlone ? own.get(first?.label("node") ?? "") : undefined;
    const stake: RestartStake = {
      subnet,
      share: shares.get(key),
      budget:
        first === undefined
          ? required.has(key) || subnet === PRIMARY
            ? undefined
            : "none"
          : quantile(
              0.5,
              observed.map(({ value }) => value),
            ),
      tolerance: median === undefined ? 0 : uptimeError(median) * Math.max(0, at - (starts.get(key) ?? at)),
      end: ends.get(key),
      runway: active.has(key)
        ? runways.get(key)?.reduce((least, { value }) => Math.min(least, value), Infinity)
        : "none",
    };
    return [keyOf(row.label("network"), "", row.label("node_id")), stake] as const;
  });
  const groups = Map.groupBy(found, ([key]) => key);
  return new Map([...groups].map(([key, all]) => [key, all.map(([, stake]) => stake)]));
}

/** Why a node is not back, by its name, or by its network and node ID. */
function awayOf(read: Reader, up: ReadonlyMap<string, number>, at: number): ReadonlyMap<string, string> {
  const behind = read(lag.metrics.behindSince.name).filter(({ value }) => value < at - BEHIND_FOR);
  const unseen = read(validatorView.metrics.connected.name, 0).filter(({ label }) => up.get(label("node")) === 1);
  // The later ones count more.
  return new Map([
    ...unseen.map((row) => [ofStake(row), `is not connected to ${row.label("node")}`] as const),
    ...behind.map(({ label }) => [label("node"), `is behind on ${label("chain")}`] as const),
    ...read(readiness.metrics.ready.name, 0).map(({ label }) => [label("node"), "has not finished starting"] as const),
    ...read(bootstrapped.metrics.done.name, 0).map(
      ({ label }) => [label("node"), `is bootstrapping ${label("chain")}`] as const,
    ),
    ...[...up].filter(([, value]) => value === 0).map(([node]) => [node, "is down"] as const),
  ]);
}

/** The validators that no other polled node is connected to, by network and node ID. */
function cutOffOf(read: Reader): ReadonlySet<string> {
  const of = ({ label }: Row): string => keyOf(label("network"), "", label("node_id"));
  const seen = new Set(read(validatorView.metrics.connected.name, 1).map(of));
  const unseen = [...read(validatorView.metrics.connected.name, 0), ...read(l1Offline.metrics.offline.name, 1)].map(of);
  return new Set(unseen.filter((key) => !seen.has(key)));
}

function quorumsOf(read: Reader): ReadonlyMap<string, RestartQuorum> {
  const of = ({ label }: Row): string => keyOf(label("network"), label("subnet"));
  const values = (name: string) => new Map(read(name).map((row) => [of(row), row.value]));
  const [connected, sets] = [values(quorum.metrics.connected.name), values(validators.metrics.count.name)];
  const required = read(quorumMargin.metrics.requirement.name);
  const names = new Map(read(subnets.metrics.info.name).map((row) => [of(row), row.label("name")]));
  return new Map(
    required.map((row) => {
      const [key, subnet] = [of(row), row.label("subnet")];
      const name = subnet === PRIMARY ? "the Primary Network" : names.get(key) || subnet;
      return [
        key,
        {
          network: row.label("network"),
          subnet,
          name,
          connected: connected.get(key),
          required: row.value,
          isKnown: sets.has(key),
        },
      ];
    }),
  );
}

/** Activations in the schedule of the reference node, and the time that most stake announces. */
function upgradesOf(read: Reader, at: number): RestartFacts["upgrades"] {
  const next = new Map<string, { at: number; name: string | undefined }>();
  for (const { label, value } of [
    ...read(upgrades.metrics.activation.name),
    ...read(upgradeReadiness.metrics.time.name),
  ]) {
    const known = next.get(label("network"));
    if (value > at && (known === undefined || value < known.at))
      next.set(label("network"), { at: value, name: label("upgrade") || undefined });
  }
  return next;
}
