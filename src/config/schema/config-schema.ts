import { z } from "zod";
import type { Sha256 } from "../../api/wire.ts";
import { dataApiOf } from "./data-api.ts";
import { endpointsSection } from "./endpoints-section.ts";
import { evmSection } from "./evm-section.ts";
import { given, listOf, section, text } from "./fields.ts";
import { dataApiSection, METRICS_API_SECTION } from "./hosted-section.ts";
import { nodeSection, type NodeSection } from "./node-section.ts";
import { probeSection } from "./probe-section.ts";
import { subnetSection, type SubnetSection } from "./subnet-section.ts";
import { watchSection } from "./watch-section.ts";

/**
 * The configuration file and what is made of it: one line per section, each section in a file of its own, with its defaults. A
 * section without content counts as absent. What one section says about another is put in at the end.
 */
export function configSchema(sha256: Sha256) {
  return z
    .strictObject({
      nodes: listOf("The polled nodes.", nodeSection(sha256)),
      node_files: z
        .array(text("File name or pattern."))
        .nullish()
        .describe("Files or patterns such as nodes.d/*.yaml, relative to this file, each holding a list of nodes."),
      subnets: listOf("Subnets and L1s, with their chains.", subnetSection(sha256)),
      watch: section(watchSection(sha256)),
      evm: section(evmSection()),
      data_api: dataApiSection(sha256).nullish(),
      metrics_api: METRICS_API_SECTION.nullish(),
      endpoints: endpointsSection()
        .nullish()
        .transform((value) => value ?? {}),
      probe: section(probeSection()),
    })
    .describe("Configuration of avax-exporter.")
    .transform(({ nodes, subnets, watch, evm, data_api: data, metrics_api: metrics, endpoints, probe }) => ({
      nodes: nodes.map((node) => ({ ...node, subnets: servedSubnets(node, subnets) })),
      subnets,
      watch,
      evm,
      ...given({
        dataApi: data === undefined || data === null ? undefined : dataApiOf(data, watch, subnets),
        metricsApi: metrics ?? undefined,
      }),
      endpoints,
      probe,
    }));
}

/** IDs of the subnets that a node names, else of all that no other network claims. */
function servedSubnets(node: NodeSection, subnets: readonly SubnetSection[]): string[] {
  const named = node.subnets ?? undefined;
  const served = subnets.filter(({ id, name, network }) =>
    named === undefined
      ? network === undefined || network === node.network
      : named.includes(id) || named.includes(name),
  );
  return served.map(({ id }) => id);
}
