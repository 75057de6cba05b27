import { z } from "zod";
import { dataApiOf } from "./data-api-of.ts";
import { camelKeys, duration, flag, given, integer, listOf, listOrNone, mapOf, section, text } from "./fields.ts";
import { DATA_API_SECTION, METRICS_API_SECTION } from "./data-api-section.ts";
import { labelsOnSeries, nodeSection, type NodeSection } from "./node-section.ts";
import { probeSection } from "./probe-section.ts";
import { subnetSection, type SubnetSection } from "./subnet-section.ts";
import { watchSection } from "./watch-section.ts";
import type { EvmSettings } from "../../api/endpoint.ts";

const evmSection = z
  .strictObject({
    batch: integer("Calls in one batch, 1 to 1000; 1 sends them one by one.", 1, 1000).prefault(40),
    websocket: z
      .union([z.boolean(), z.array(z.string())], { error: "true, false or a list of chains such as [C]" })
      .describe(
        "Whether to subscribe to new heads on a WebSocket, or the chains of which to, by name or ID: a public server has one for C alone.",
      )
      .prefault(false),
    proof_probe: flag("Whether eth_getProof is probed for the proof window.").prefault(false),
    receipts: flag(
      "Whether the receipts of a block are read where its header has limits instead of the gas used, as on C since Helicon: 4.5 kB per transaction.",
    ).prefault(true),
    max_blocks_per_poll: integer("Maximum number of blocks that one poll catches up, 1 to 1000.", 1, 1000).prefault(50),
    c_chain_id: integer("Expected EVM chain ID of the C-Chain.", 1, Number.MAX_SAFE_INTEGER).optional(),
  })
  .describe("Polls of EVM chains.")
  .transform((value): EvmSettings => camelKeys(value));

const endpoint = z
  .strictObject({
    every: duration("Time between two polls.", "1s", "1w").optional(),
    timeout: duration("Deadline of each request of a poll.", "100ms", "1h").optional(),
    enabled: flag("Whether it is polled.").optional(),
  })
  .nullable()
  .describe("Settings of one endpoint.")
  .transform((value) => value ?? {});

const alertValue = z.union([z.string(), z.number()], { error: "a value such as 20%, 4d or 5" }).transform(String);

/**
 * The schema of the configuration file. An empty section counts as absent. The final transform resolves references between
 * sections.
 */
export const configSchema = z
  .strictObject({
    nodes: listOf("The polled nodes.", nodeSection),
    node_files: listOrNone(
      "Files or patterns such as nodes.d/*.yaml, relative to this file, each holding a list of nodes.",
      text("File name or pattern."),
    ),
    subnets: listOf("Subnets and L1s, with their chains.", subnetSection),
    watch: section(watchSection),
    evm: section(evmSection),
    data_api: DATA_API_SECTION.nullish(),
    metrics_api: METRICS_API_SECTION.nullish(),
    // The loader checks the endpoint ids, and the names and values of the alerts.
    endpoints: mapOf("Changes to the defaults of endpoints, by endpoint id such as info.peers.", endpoint),
    alerts: mapOf(
      "Thresholds of the alerts, by the names of `avax-exporter export rules --set=help`, and their durations as NAME.for. `doctor`, the status page and the findings use them; `export rules --config.file` writes them into the rules.",
      alertValue,
    ),
    probe: section(probeSection),
    labels_on_series: labelsOnSeries,
    metrics: z
      .enum(["all", "essential"], { error: "all or essential" })
      .describe(
        "Which families /metrics exports: all, or essential, those that the alerts and the first row of each dashboard read. collect[] selects among all.",
      )
      .prefault("all"),
  })
  .describe("Configuration of avax-exporter.")
  .transform(({ node_files: _files, labels_on_series, data_api, metrics_api, ...rest }) => {
    const { nodes, subnets, watch } = rest;
    return {
      ...rest,
      nodes: nodes.map((node) => ({ ...node, subnets: servedSubnets(node, subnets) })),
      labelsOnSeries: labels_on_series,
      ...given({
        dataApi: data_api ? dataApiOf(data_api, watch, subnets, nodes) : undefined,
        metricsApi: metrics_api ?? undefined,
      }),
    };
  });

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
