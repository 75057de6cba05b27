import type { TlsOptions } from "../api/transport/connection.ts";
import { buildDataApi, buildMetricsApi, warnOfDemand } from "./build-hosted.ts";
import type { Config, EvmSettings, NodeConfig, ProbeConfig, SubnetConfig, WatchedAddress } from "./config.ts";
import { DEFAULT_EVM, DEFAULT_PROBE, DEFAULT_WATCH } from "./default-config.ts";
import { PROBE_MODULES } from "./probe-modules.ts";
import type { NamedFiles } from "./read/read-named-files.ts";
import type { ConfigInput } from "./schema/config-schema.ts";
import type { NodeInput } from "./schema/node-section.ts";
import type { SubnetInput } from "./schema/subnet-section.ts";
import { pathKey, warn, type Findings, type Path } from "./tree.ts";
import { quoted } from "./words.ts";

/** The configuration from a file without problems. */
export function buildConfig(input: ConfigInput, files: NamedFiles, findings: Findings): Config {
  const subnets = (input.subnets ?? []).map(buildSubnet);
  const nodes = (input.nodes ?? []).map((node, index) => buildNode(node, ["nodes", index], subnets, files));
  subnets.forEach((subnet, index) => {
    if (nodes.length === 0 || nodes.some((node) => node.subnets.includes(subnet.id))) return;
    const help =
      subnet.network === undefined
        ? "name it under a node's subnets"
        : `set network: ${subnet.network} on its nodes, or name it under their subnets`;
    warn(findings, ["subnets", index], `no node is asked about the subnet ${quoted(subnet.name)}; ${help}`);
  });
  const endpoints = Object.entries(input.endpoints ?? {}).map(([id, settings]) => [id, settings ?? {}] as const);
  const watch = {
    validators: [...new Set(input.watch?.validators ?? [])],
    validatorsByNetwork: input.watch?.validators_by_network ?? {},
    witnesses: input.watch?.witnesses ?? DEFAULT_WATCH.witnesses,
    addresses: (input.watch?.addresses ?? []).map(buildAddress),
  };
  return {
    nodes,
    subnets,
    watch,
    evm: buildEvm(input.evm ?? undefined),
    ...buildHosted(input, { watch, subnets, endpoints: Object.fromEntries(endpoints) }, files, findings),
    endpoints: Object.fromEntries(endpoints),
    probe: buildProbe(input.probe),
  };
}

function buildProbe(input: ConfigInput["probe"]): ProbeConfig {
  if (input === undefined || input === null) return DEFAULT_PROBE;
  return {
    only: input.only,
    targets: input.targets.map((target) => {
      const colon = target.lastIndexOf(":");
      return { host: target.slice(0, colon).toLowerCase(), port: Number(target.slice(colon + 1)) };
    }),
    concurrency: input.concurrency,
    timeout: input.timeout,
    timeoutOffset: input.timeout_offset,
    modules: { ...PROBE_MODULES, ...input.modules },
  };
}

function buildHosted(
  input: ConfigInput,
  known: Pick<Config, "watch" | "subnets" | "endpoints">,
  files: NamedFiles,
  findings: Findings,
): Pick<Config, "dataApi" | "metricsApi"> {
  const { data_api: data, metrics_api: metrics } = input;
  const dataApi = data === undefined || data === null ? undefined : buildDataApi(data, known, files);
  const metricsApi = metrics === undefined || metrics === null ? undefined : buildMetricsApi(metrics, files);
  if (dataApi !== undefined) warnOfDemand("data", dataApi, known.endpoints, findings);
  if (metricsApi !== undefined) warnOfDemand("metrics", metricsApi, known.endpoints, findings);
  return { ...(dataApi === undefined ? {} : { dataApi }), ...(metricsApi === undefined ? {} : { metricsApi }) };
}

function buildAddress(input: NonNullable<NonNullable<ConfigInput["watch"]>["addresses"]>[number]): WatchedAddress {
  return {
    address: input.address,
    name: input.name ?? input.address,
    ...(input.low === undefined ? {} : { low: input.low }),
    chains: input.address.startsWith("0x") && input.chains.length === 0 ? ["C"] : input.chains,
  };
}

function buildEvm(input: ConfigInput["evm"]): EvmSettings {
  if (input === undefined || input === null) return DEFAULT_EVM;
  return {
    batch: input.batch,
    websocket: input.websocket,
    proofProbe: input.proof_probe,
    maxBlocksPerPoll: input.max_blocks_per_poll,
    ...(input.c_chain_id === undefined ? {} : { cChainId: input.c_chain_id }),
  };
}

function buildSubnet(input: SubnetInput): SubnetConfig {
  return {
    id: input.id,
    name: input.name ?? input.id,
    ...(input.network === undefined ? {} : { network: input.network }),
    ...(input.uptime_requirement === undefined ? {} : { uptimeRequirement: input.uptime_requirement }),
    chains: input.chains.map(({ id, name, evm, evm_chain_id: evmChainId }) => ({
      id,
      ...(name === undefined ? {} : { name }),
      evm,
      ...(evmChainId === undefined ? {} : { evmChainId }),
    })),
  };
}

function buildNode(input: NodeInput, path: Path, subnets: readonly SubnetConfig[], files: NamedFiles): NodeConfig {
  const tls = input.tls === undefined ? undefined : buildTls(input.tls, [...path, "tls"], files);
  return {
    name: input.name,
    url: input.url,
    ...(input.network === undefined ? {} : { network: input.network }),
    ...(input.node_id === undefined ? {} : { nodeId: input.node_id }),
    labels: input.labels,
    healthTransport: input.health_transport,
    dialect: input.dialect,
    subnets: servedSubnets(input, subnets),
    primaryChains: [...new Set(input.primary_chains)],
    aliases: [...new Set(input.aliases)],
    headers: buildHeaders(input, path, files),
    ...(tls === undefined ? {} : { tls }),
    connections: input.connections,
    maxResponseBytes: input.max_response_size,
  };
}

/** IDs of the subnets that a node names, else of all that no other network claims. */
function servedSubnets(input: NodeInput, subnets: readonly SubnetConfig[]): string[] {
  const named = input.subnets ?? undefined;
  const served = subnets.filter(({ id, name, network }) =>
    named === undefined
      ? network === undefined || network === input.network
      : named.includes(id) || named.includes(name),
  );
  return served.map(({ id }) => id);
}

function buildTls(input: NonNullable<NodeInput["tls"]>, path: Path, files: NamedFiles): TlsOptions {
  const content = (key: string) => files.get(pathKey([...path, key]));
  const options = {
    ca: content("ca_file"),
    cert: content("cert_file"),
    key: content("key_file"),
    servername: input.server_name,
    rejectUnauthorized: input.insecure_skip_verify ? false : undefined,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function buildHeaders(input: NodeInput, path: Path, files: NamedFiles): Record<string, string> {
  const content = (...at: Path): string => files.get(pathKey([...path, ...at])) ?? "";
  const headers: Record<string, string> = {};
  if (input.basic_auth !== undefined) {
    const password = input.basic_auth.password ?? content("basic_auth", "password_file");
    headers["authorization"] = `Basic ${Buffer.from(`${input.basic_auth.username}:${password}`).toString("base64")}`;
  }
  if (input.bearer_token !== undefined) headers["authorization"] = `Bearer ${input.bearer_token}`;
  if (input.bearer_token_file !== undefined) headers["authorization"] = `Bearer ${content("bearer_token_file")}`;
  for (const [name, value] of Object.entries(input.headers ?? {})) {
    headers[name] = typeof value === "string" ? value : (value.value ?? content("headers", name, "value_file"));
  }
  return headers;
}
