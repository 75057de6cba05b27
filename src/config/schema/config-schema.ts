import { z } from "zod";
import { alertsSection } from "./alerts-section.ts";
import { dataApiOf } from "./data-api.ts";
import { endpointsSection } from "./endpoints-section.ts";
import { evmSection } from "./evm-section.ts";
import { given, listOf, section, text } from "./fields.ts";
import { dataApiSection, METRICS_API_SECTION } from "./hosted-section.ts";
import { labelsOnSeries, nodeSection, type NodeSection } from "./node-section.ts";
import { probeSection } from "./probe-section.ts";
import { subnetSection, type SubnetSection } from "./subnet-section.ts";
import { watchSection } from "./watch-section.ts";

/**
 * The schema of the configuration file. An empty section counts as absent. The final transform resolves references between
 * sections.
 */
export function configSchema() {
  return z
    .strictObject({
      nodes: listOf("The polled nodes.", nodeSection()),
      node_files: z
        .array(text("File name or pattern."))
        .nullish()
        .describe("Files or patterns such as nodes.d/*.yaml, relative to this file, each holding a list of nodes."),
      subnets: listOf("Subnets and L1s, with their chains.", subnetSection()),
      watch: section(watchSection()),
      evm: section(evmSection()),
      data_api: dataApiSection().nullish(),
      metrics_api: METRICS_API_SECTION.nullish(),
      endpoints: endpointsSection()
        .nullish()
        .transform((value) => value ?? {}),
      alerts: alertsSection()
        .nullish()
        .transform((value) => value ?? {}),
      probe: section(probeSection()),
      labels_on_series: labelsOnSeries(),
    })
    .describe("Configuration of avax-exporter.")
    .transform(
      ({
        nodes,
        labels_on_series: onSeries,
        subnets,
        watch,
        evm,
        data_api: data,
        metrics_api: metrics,
        endpoints,
        alerts,
        probe,
      }) => ({
        nodes: nodes.map((node) => ({ ...node, subnets: servedSubnets(node, subnets) })),
        labelsOnSeries: onSeries,
        subnets,
        watch,
        evm,
        ...given({
          dataApi: data ? dataApiOf(data, watch, subnets) : undefined,
          metricsApi: metrics ?? undefined,
        }),
        endpoints,
        alerts,
        probe,
      }),
    );
}

/** IDs of the subnets that the node names; without names, of all subnets that are not on another network. */
function servedSubnets(node: NodeSection, subnets: readonly SubnetSection[]): string[] {
  const named = node.subnets ?? undefined;
  const served = subnets.filter(({ id, name, network }) =>
    named === undefined
      ? network === undefined || network === node.network
      : named.includes(id) || named.includes(name),
  );
  return served.map(({ id }) => id);
}
