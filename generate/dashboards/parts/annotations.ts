import { AnnotationQueryBuilder } from "@grafana/grafana-foundation-sdk/dashboard";
import { where } from "../../../src/topics/define/selector.ts";
import { EXPORTER_FAMILIES } from "../../../src/topics/exporter/exporter-families.ts";
import { polling } from "../../../src/topics/exporter/polling.ts";
import { upgrades } from "../../../src/topics/network/upgrades.ts";
import { identity } from "../../../src/topics/node/identity.ts";
import { validator } from "../../../src/topics/validators/validator.ts";
import { BY_VALIDATOR, NETWORK, NODE, PRIMARY_VALIDATOR, shortVersions, withNames } from "./selectors.ts";
import { ofChosenExporters, DATASOURCE } from "./targets.ts";

/** Events that a dashboard marks in its charts, from one query. */
export type Annotation = {
  readonly name: string;
  readonly expr: string;
  /** Text of an event, with placeholders such as `{{node}}`. */
  readonly text: string;
  readonly color: "blue" | "purple" | "orange" | "green";
  /** The values are the times of the events in Unix milliseconds; else an event lasts as long as the query has a result. */
  readonly atValue?: true;
  /** A user has to switch it on. */
  readonly off?: true;
};

/** Seconds between two looks at an event without a time of its own. */
const STEP = 60;
/** Nodes that are marked at once. */
const FEW = 10;

/** Activations of upgrades on the chosen networks. */
export const UPGRADES: Annotation = {
  name: "Upgrades",
  expr: `1000 * max by (network, upgrade) (${where(upgrades.metrics.activation, NETWORK)})`,
  text: "{{upgrade}} activates on {{network}}",
  color: "purple",
  atValue: true,
};

/** Times in which chosen nodes did not answer; the end is the restart. */
export const NODES_DOWN: Annotation = {
  name: "Nodes down",
  expr: `topk(${FEW}, 1 + max by (network, node) (${where(polling.metrics.up, NODE)}) == 1)`,
  text: "{{node}} does not answer",
  color: "orange",
};

const VERSIONS_NOW = `group by (network, node, version) (${where(identity.metrics.node, NODE)})`;
const VERSIONS_BEFORE = (labels: string) =>
  `group by (${labels}) (${where(identity.metrics.node, NODE)} offset ${2 * STEP}s)`;

/** Changes of the version of chosen nodes. It reads all nodes twice, so it is off where a dashboard opens on a fleet. */
export const VERSIONS: Annotation = {
  name: "Versions",
  expr: shortVersions(
    `${VERSIONS_NOW} unless ${VERSIONS_BEFORE("network, node, version")} and on (node) ${VERSIONS_BEFORE("node")}`,
  ),
  text: "{{node}} runs {{version}}",
  color: "green",
};

/** Starts of the chosen exporters. */
export const EXPORTER_STARTS: Annotation = {
  name: "Exporter starts",
  expr: `1000 * max by (job, instance) (${EXPORTER_FAMILIES.start.name})`,
  text: "Exporter {{instance}} starts",
  color: "blue",
  atValue: true,
};

/** Ends of the stakes of the chosen validators. */
export const STAKE_ENDS: Annotation = {
  name: "Stake ends",
  expr: withNames(`1000 * max by (${BY_VALIDATOR}) (${where(validator.metrics.end, PRIMARY_VALIDATOR)})`),
  text: "Stake of {{name}} ends",
  color: "blue",
  atValue: true,
};

/** The same events, which a user has to switch on. */
export const off = (annotation: Annotation): Annotation => ({ ...annotation, off: true });

export function annotationQuery({ name, expr, text, color, atValue, off: isOff }: Annotation): AnnotationQueryBuilder {
  return new AnnotationQueryBuilder()
    .name(name)
    .datasource(DATASOURCE)
    .enable(isOff === undefined)
    .iconColor(color)
    .expr(ofChosenExporters(expr))
    .step(`${STEP}s`)
    .titleFormat(name)
    .textFormat(text)
    .useValueForTime(atValue === true);
}
