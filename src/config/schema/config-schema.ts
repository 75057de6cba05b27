import { z } from "zod";
import type { Sha256 } from "../../api/wire.ts";
import { endpointsSection } from "./endpoints-section.ts";
import { evmSection } from "./evm-section.ts";
import { text } from "./fields.ts";
import { dataApiSection, METRICS_API_SECTION } from "./hosted-section.ts";
import { nodeSection } from "./node-section.ts";
import { probeSection } from "./probe-section.ts";
import { subnetSection } from "./subnet-section.ts";
import { watchSection } from "./watch-section.ts";

/** The configuration file; one line per section, each section in a file of its own. A section without content counts as absent. */
export function configSchema(sha256: Sha256) {
  return z
    .strictObject({
      nodes: z.array(nodeSection(sha256)).nullish().describe("The polled nodes."),
      node_files: z
        .array(text("File name or pattern."))
        .nullish()
        .describe("Files or patterns such as nodes.d/*.yaml, relative to this file, each holding a list of nodes."),
      subnets: z.array(subnetSection(sha256)).nullish().describe("Subnets and L1s, with their chains."),
      watch: watchSection(sha256).nullish().prefault({}),
      evm: evmSection().nullish().prefault({}),
      data_api: dataApiSection(sha256).nullish(),
      metrics_api: METRICS_API_SECTION.nullish(),
      endpoints: endpointsSection().nullish(),
      probe: probeSection().nullish().prefault({}),
    })
    .describe("Configuration of avax-exporter.");
}

export type ConfigInput = z.output<ReturnType<typeof configSchema>>;
