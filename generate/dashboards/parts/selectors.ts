import { identity } from "../../../src/topics/node/identity.ts";
import { lag } from "../../../src/topics/chains/lag.ts";
import { matchersOf, where } from "../../../src/topics/define/selector.ts";
import { EXPORTER_FAMILIES } from "../../../src/topics/exporter/exporter-families.ts";

/** Matchers for the variables of a dashboard. */
export const NODE = { node: "=~$node" } as const;
export const NETWORK = { network: "=~$network" } as const;
export const VIEW = { ...NODE, ...NETWORK } as const;
export const NODE_CHAIN = { ...NODE, chain: "=~$chain" } as const;
export const NETWORK_CHAIN = { ...NETWORK, chain: "=~$chain" } as const;
export const SUBNET = { ...NETWORK, subnet: "=~$subnet" } as const;
export const VALIDATOR = { ...NETWORK, node_id: "=~$validator" } as const;
export const PRIMARY = { ...NETWORK, subnet: "primary" } as const;
export const PRIMARY_VALIDATOR = { ...VALIDATOR, subnet: "primary" } as const;
/** The validators that are chosen nodes. */
export const PRIMARY_NODE = { ...NODE, network: NETWORK.network, subnet: "primary" } as const;

/** Selects the series of a metric by the same matchers each time. */
export function select(matchers: Readonly<Record<string, string>>) {
  return ({ name }: { readonly name: string }): string => `${name}{${matchersOf(matchers).join(",")}}`;
}

/** The series of a metric about what the user chose. */
export const ofNode = select(NODE);
export const ofNetwork = select(NETWORK);
export const ofView = select(VIEW);
export const ofNodeChain = select(NODE_CHAIN);
export const ofNetworkChain = select(NETWORK_CHAIN);
export const ofSubnet = select(SUBNET);
export const ofValidator = select(VALIDATOR);
export const ofPrimary = select(PRIMARY);
export const ofPrimaryValidator = select(PRIMARY_VALIDATOR);
export const ofPrimaryNode = select(PRIMARY_NODE);

/** The chosen exporters, for families that other processes export too. Queries get these matchers for our own (`ofChosenExporters`). */
export const EXPORTER = { job: "=~$job", instance: "=~$instance" } as const;

/** The chosen nodes with their node IDs, for joins of nodes and validators. */
export const CHOSEN_NODES = where(identity.metrics.node, NODE);

/** A family that other processes export too, of the chosen exporters alone. */
export function ofExporters(family: string): string {
  return `${where({ name: family, labels: [] }, EXPORTER)} and on (job, instance) ${EXPORTER_FAMILIES.build.name}`;
}

/** What identifies a validator in an aggregation, with its name. */
export const BY_VALIDATOR = "network, node_id, name";

/** Figures of validators, with their names where they have one: in `name`, else the beginning of the node ID. */
export function withNames(expr: string): string {
  const short = `label_replace(label_replace(${expr}, "known", "$1", "name", "(.*)"), "name", "$1…", "node_id", "(NodeID-.{6}).*")`;
  return `label_replace(${short}, "name", "$1", "known", "(.+)")`;
}

/**
 * A figure by the labels `by`, NaN where `answered` has a result without it: "not offered" in a table. `answered` is another
 * figure of the same answer, or says that a node lacks the endpoint. What is unknown stays absent.
 */
export function orNotOffered(expr: string, answered: string, by = "node"): string {
  return `max by (${by}) (${expr}) or on (${by}) NaN * max by (${by}) (${answered})`;
}

/** The median of the observers of a validator, so that a single bad observer does not count. */
export function median(selector: string, labels = "network, subnet, node_id"): string {
  return `quantile by (${labels}) (0.5, ${selector})`;
}

/** Versions without the name of the client, which is nearly always the same. */
export function shortVersions(expr: string): string {
  return `label_replace(${expr}, "version", "$1", "version", "avalanchego/(.*)")`;
}

/** Seconds since the height of a chain last changed on a node that is behind another; 0 on a node that is not. */
export function standingStill(matchers: { readonly node: string; readonly chain?: string }): string {
  const behind = `(${where(lag.metrics.blocks, matchers)} > bool 0)`;
  return `(time() - ${where(lag.metrics.changed, matchers)}) * on (instance, job, node, chain) ${behind}`;
}

/** What identifies a subnet in an aggregation, with its configured name. */
export const BY_SUBNET = "network, subnet, subnet_name";

/** Figures by subnet with the label `name`: the configured name of the subnet, else its ID. */
export function withSubnetNames(expr: string): string {
  return `label_replace(label_replace(${expr}, "name", "$1", "subnet", "(.*)"), "name", "$1", "subnet_name", "(.+)")`;
}

/** Lines in a chart of nodes: more have no colour of their own in Grafana's palette, or that of a limit. */
export const FEW_LINES = 4;
/** Bars in a timeline of nodes. */
export const FEW_BARS = 30;

type Worst = { readonly of: "highest" | "lowest"; readonly by?: string; readonly count?: number };

/**
 * The series that were worst within the selected time range, the same ones over the whole range: `topk` alone chooses others at
 * each step. So 1,000 nodes are not 1,000 lines.
 */
export function top(expr: string, { of, by = "node", count = FEW_LINES }: Worst): string {
  const [choose, over] = of === "highest" ? ["topk", "max_over_time"] : ["bottomk", "min_over_time"];
  const ranked = `${choose}(${count}, ${over}((${expr})[$__range:$__interval] @ end()))`;
  return `(${expr}) and on (${by}) ${ranked}`;
}
