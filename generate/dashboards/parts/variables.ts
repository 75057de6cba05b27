import {
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  VariableHide,
  VariableRefresh,
  VariableSort,
} from "@grafana/grafana-foundation-sdk/dashboard";
import { bootstrapped } from "../../../src/topics/chains/chains.ts";
import { nodeLabels } from "../../../src/topics/node/identity.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { quorum } from "../../../src/topics/l1/quorum.ts";
import { validator } from "../../../src/topics/validators/validator.ts";
import { EXPORTER_FAMILIES } from "../../../src/topics/exporter/exporter-families.ts";
import { ofChosenExporters, DATASOURCE } from "./targets.ts";

const { configured } = nodeLabels.metrics;
const { build } = EXPORTER_FAMILIES;

const ALL = { selected: true, text: "All", value: "$__all" };
/** "All" matches every value of the label, including those that the variable does not offer. */
const EVERYTHING = ".*";
/** IDs of subnets are longer than the word `primary`, which is no choice here. */
const EVERY_SUBNET = ".{8,}";

export function datasource(): DatasourceVariableBuilder {
  return new DatasourceVariableBuilder("datasource").label("Prometheus").type("prometheus");
}

/** The first chosen exporter, for links to its pages (`EXPORTER_PAGES`). */
export function exporter(): QueryVariableBuilder {
  return choice("exporter", "Exporter", `label_values(${ofChosenExporters(build.name)}, instance)`)
    .hide(VariableHide.HideVariable)
    .multi(false);
}

/** The variables of dashboards besides the data source. */
const CHOICES = {
  job: () => choice("job", "Job", `label_values(${configured.name}, job)`).allValue(EVERYTHING),
  network: () => choice("network", "Network", labels(configured.name, "network")).allValue(EVERYTHING),
  node: () => choice("node", "Node", labels(where(configured, { network: "=~$network" }), "node")),
  chain: () =>
    choice("chain", "Chain", labels(where(bootstrapped.metrics.done, { node: "=~$node" }), "chain")).allValue(
      EVERYTHING,
    ),
  subnet: () =>
    choice(
      "subnet",
      "Subnet",
      labels(where(quorum.metrics.active, { network: "=~$network", subnet: "!=primary" }), "subnet"),
    ).allValue(EVERY_SUBNET),
  instance: () =>
    choice("instance", "Exporter", `label_values(${where(build, { job: "=~$job" })}, instance)`).allValue(EVERYTHING),
  validator: () =>
    choice(
      "validator",
      "Validator",
      labels(where(validator.metrics.active, { network: "=~$network" }), "node_id"),
    ).allValue(EVERYTHING),
} as const;

export type VariableName = keyof typeof CHOICES;

/** A variable that stands at "All" when the dashboard opens, or at its first value (`one`) and then has no "All". */
export type Choice = VariableName | { readonly one: VariableName };

export function variable(asked: Choice): QueryVariableBuilder {
  if (typeof asked === "string") return CHOICES[asked]().includeAll(true).current(ALL);
  const choices = CHOICES[asked.one]().includeAll(false);
  // So mainnet comes before fuji. One at a time: its charts name no network.
  return asked.one === "network" ? choices.sort(VariableSort.NaturalDesc).multi(false) : choices;
}

/** The values of a label of the chosen exporters. */
function labels(selector: string, label: string): string {
  return `label_values(${ofChosenExporters(selector)}, ${label})`;
}

function choice(name: string, label: string, query: string): QueryVariableBuilder {
  return new QueryVariableBuilder(name)
    .label(label)
    .datasource(DATASOURCE)
    .query(query)
    .definition(query)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.NaturalAsc)
    .multi(true);
}
