import { PRIMARY } from "../../api/node/platform.ts";
import { nodesBehind } from "../node-overviews.ts";
import { bootstrapped } from "../../topics/chains/chains.ts";
import { BEHIND_FOR } from "../../topics/chains/lag.ts";
import { polling } from "../../topics/exporter/polling.ts";
import { l1Validator } from "../../topics/l1/l1-validator.ts";
import { quorumMargin } from "../../topics/l1/quorum.ts";
import { subnets } from "../../topics/network/subnet-chains.ts";
import { upgradeReadiness } from "../../topics/network/upgrade-readiness.ts";
import { upgrades } from "../../topics/network/upgrades.ts";
import { identity, nodeLabels } from "../../topics/node/identity.ts";
import { readiness } from "../../topics/node/health.ts";
import { reach } from "../../topics/node/reach.ts";
import { networkVerdict } from "../../topics/validators/network-verdict.ts";
import { uptimeError } from "../../topics/validators/observation.ts";
import { reward } from "../../topics/validators/reward.ts";
import { rewardVerdict } from "../../topics/validators/reward-verdict.ts";
import { validatorRequirement } from "../../topics/validators/validator-requirement.ts";
import { validator } from "../../topics/validators/validator.ts";
import { validators } from "../../topics/validators/validators.ts";
import { labelOf, type Samples } from "../samples.ts";
import type { Reading } from "../../exposition/sample.ts";

/** What the restart of nodes depends on. Unknown is `undefined`. */
export type RestartFacts = {
  readonly at: number;
  readonly isWhole: boolean;
  readonly nodes: readonly RestartNode[];
  /** By `keyOf`. */
  readonly quorums: ReadonlyMap<string, RestartQuorum>;
  /** The next upgrade of each network. */
  readonly upgrades: ReadonlyMap<string, { readonly at: number; readonly name: string | undefined }>;
};

/** What is known of a node that can be restarted. */
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

/** A membership in the Primary Network, a subnet or an L1. */
export type RestartStake = {
  readonly subnet: string;
  /** Share of all weight that it brings to the quorum. */
  readonly share: number | undefined;
  /** Seconds of downtime left, by the median of its observers. */
  readonly budget: number | "none" | undefined;
  /** The largest error of the budget. Seconds. */
  readonly tolerance: number;
  readonly end: number | undefined;
  /** Seconds until the balance of an L1 validation is used up. */
  readonly runway: number | "none" | undefined;
};

/** The quorum of a subnet: shares of all weight. */
export type RestartQuorum = {
  readonly network: string;
  readonly subnet: string;
  readonly name: string;
  readonly connected: number | undefined;
  readonly required: number;
  /** Whether its validators are known. */
  readonly isKnown: boolean;
};

/** Where no uptime is required, or a balance is not. */
const NONE = "none" as const;

export function keyOf(...parts: ReadonlyArray<string | undefined>): string {
  return parts.map((part) => part ?? "").join(" ");
}

const QUORUM = ["network", "subnet"];
const VALIDATOR = ["network", "node_id"];
const STAKE = ["network", "subnet", "node_id"];

type Metric = { readonly name: string };

/** From the samples on /metrics. @param isWhole whether this process sees every node of the fleet */
export function restartFacts(samples: Samples, isWhole: boolean): RestartFacts {
  const up = valuesBy(["node"], samples, polling.metrics.up);
  const infos = new Map(samples.samples(identity.metrics.node.name).map((row) => [labelOf(row, "node"), row]));
  const [stakes, away, cutOff] = [stakesOf(samples), awayOf(samples, up), cutOffOf(samples)];
  return {
    at: samples.now,
    isWhole,
    nodes: samples.samples(nodeLabels.metrics.configured.name).map((row) => {
      const [node, nodeId] = [labelOf(row, "node") ?? "", labelOf(row, "node_id")];
      const [isUp, key] = [up.get(node), keyIn(VALIDATOR, row)];
      return {
        node,
        network: labelOf(row, "network"),
        nodeId,
        version: labelOf(infos.get(node), "version"),
        up: isUp === undefined ? undefined : isUp === 1,
        away: away.get(node) ?? (nodeId === undefined ? undefined : away.get(key)),
        isCutOff: isUp === 0 && cutOff.has(node),
        stakes: stakes.get(key)?.map(({ stake }) => stake) ?? [],
      };
    }),
    quorums: quorumsOf(samples),
    upgrades: upgradesOf(samples),
  };
}

function keyIn(labels: readonly string[], row: Reading): string {
  return keyOf(...labels.map((label) => labelOf(row, label)));
}

/** The values of a metric by these labels. */
function valuesBy(labels: readonly string[], { samples }: Samples, { name }: Metric): ReadonlyMap<string, number> {
  return new Map(samples(name).map((row) => [keyIn(labels, row), row.value]));
}

/** The series of a metric that have this value. */
function having(value: number, { samples }: Samples, { name }: Metric): readonly Reading[] {
  return samples(name).filter((row) => row.value === value);
}

/** The memberships of each watched validator, by network and node ID. */
function stakesOf(samples: Samples) {
  const { metrics: staked } = validator;
  const valuesOf = (metric: Metric) => valuesBy(STAKE, samples, metric);
  const groups = ({ name }: Metric) => Map.groupBy(samples.samples(name), (row) => keyIn(STAKE, row));
  const [shares, ends, starts] = [valuesOf(staked.activeShare), valuesOf(staked.end), valuesOf(staked.start)];
  const left = valuesOf(reward.metrics.left);
  const required = valuesOf(validatorRequirement.metrics.requirement);
  const [budgets, runways] = [groups(rewardVerdict.metrics.budget), groups(l1Validator.metrics.runway)];
  const active = new Set(having(1, samples, l1Validator.metrics.active).map((row) => keyIn(STAKE, row)));
  const own = valuesBy(["node"], samples, networkVerdict.metrics.median);
  const nodes = new Set(
    samples.samples(nodeLabels.metrics.configured.name).map((row) => keyIn(["node", "node_id"], row)),
  );
  const found = having(1, samples, staked.active).map((row) => {
    const key = keyIn(STAKE, row);
    const subnet = labelOf(row, "subnet") ?? "";
    const observed = budgets.get(key) ?? [];
    const isRequired = required.has(key) || subnet === PRIMARY;
    // A node observes itself by its peers, who report whole percents.
    const selfAlone = observed.every((each) => nodes.has(keyIn(["node", "node_id"], each)));
    const median = selfAlone ? own.get(labelOf(observed[0], "node") ?? "") : undefined;
    const stake = {
      subnet,
      share: shares.get(key),
      budget: left.get(key) ?? (isRequired ? undefined : NONE),
      tolerance:
        median === undefined ? 0 : uptimeError(median) * Math.max(0, samples.now - (starts.get(key) ?? samples.now)),
      end: ends.get(key),
      runway: active.has(key) ? runways.get(key)?.reduce((least, { value }) => Math.min(least, value), Infinity) : NONE,
    };
    return { validator: keyIn(VALIDATOR, row), stake };
  });
  return Map.groupBy(found, (each) => each.validator);
}

/** Why a node is not back, by its name, or by its network and node ID. */
function awayOf(samples: Samples, up: ReadonlyMap<string, number>): ReadonlyMap<string, string> {
  const because = (rows: readonly Reading[], labels: readonly string[], why: string, what = "") =>
    rows.map((row) => [keyIn(labels, row), `${why}${labelOf(row, what) ?? ""}`] as const);
  const unseen = having(0, samples, rewardVerdict.metrics.connected);
  const behind = [...nodesBehind(samples)].filter(([, { since }]) => since < samples.now - BEHIND_FOR);
  // The later ones count more.
  return new Map([
    ...because(
      unseen.filter((row) => up.get(labelOf(row, "node") ?? "") === 1),
      VALIDATOR,
      "is not connected to ",
      "node",
    ),
    ...behind.map(([node, { chain }]) => [node, chain === undefined ? "is behind" : `is behind on ${chain}`] as const),
    ...because(having(0, samples, readiness.metrics.ready), ["node"], "has not finished starting"),
    ...because(having(0, samples, bootstrapped.metrics.done), ["node"], "is bootstrapping ", "chain"),
    ...because(having(0, samples, polling.metrics.up), ["node"], "is down"),
  ]);
}

/** The names of the nodes that do not answer, and to whose validators no other polled node is connected. */
function cutOffOf(samples: Samples): ReadonlySet<string | undefined> {
  const unseen = having(1, samples, reach.metrics.outage).filter((row) => labelOf(row, "outage") === "unseen");
  return new Set(unseen.map((row) => labelOf(row, "node")));
}

function quorumsOf(samples: Samples): RestartFacts["quorums"] {
  const connected = valuesBy(QUORUM, samples, quorumMargin.metrics.connected);
  const sets = valuesBy(QUORUM, samples, validators.metrics.count);
  const named = new Map(samples.samples(subnets.metrics.info.name).map((row) => [keyIn(QUORUM, row), row]));
  const quorums = samples.samples(quorumMargin.metrics.requirement.name).map((row) => {
    const [key, subnet] = [keyIn(QUORUM, row), labelOf(row, "subnet") ?? ""];
    return {
      network: labelOf(row, "network") ?? "",
      subnet,
      name:
        subnet === PRIMARY
          ? "the Primary Network"
          : (labelOf(named.get(key), "name") ?? (labelOf(row, "subnet_name") || subnet)),
      connected: connected.get(key),
      required: row.value,
      isKnown: sets.has(key),
    };
  });
  return new Map(quorums.map((quorum) => [keyOf(quorum.network, quorum.subnet), quorum]));
}

/** Activations in the schedule of the reference node, and the time that most stake announces. */
function upgradesOf({ samples, now }: Samples) {
  // Of a network the first one is set last; of equal times the one of the schedule, which has a name.
  const all = [upgradeReadiness.metrics.time, upgrades.metrics.activation].flatMap(({ name }) => samples(name));
  const ahead = all.filter(({ value }) => value > now).sort((a, b) => b.value - a.value);
  return new Map(ahead.map((row) => [labelOf(row, "network") ?? "", { at: row.value, name: labelOf(row, "upgrade") }]));
}
