import { z } from "zod";
import { camelKeys, duration, flag, integer, listOf, matching, text } from "./fields.ts";

/** The built-in modules of `/probe`, by endpoint ids. The first one is the default. */
export const PROBE_MODULES: Readonly<Record<string, ProbeModuleSection>> = {
  node: {
    endpoints: [
      ...["health", "health.readiness", "health.liveness", "health.subnet"],
      ...["platform.getHeight", "platform.getTimestamp", "platform.getBlockchainStatus", "evm.head"],
      ...["info.peers", "info.uptime", "info.uptime.subnet", "info.upgrades"],
      ...["info.getNodeIP", "info.getVMs", "info.getBlockchainID"],
    ],
    network: false,
  },
  validator: {
    endpoints: [
      ...["health", "info.peers", "info.uptime", "info.uptime.subnet", "info.upgrades"],
      ...["platform.getCurrentValidators", "platform.getCurrentValidators.watched", "evm.validators"],
    ],
    network: false,
  },
  evm: { endpoints: ["evm.head", "evm.identity", "evm.proof"], network: false },
  network: {
    endpoints: [
      ...["platform.getCurrentValidators", "info.peers", "info.upgrades", "info.acps", "evm.identity"],
      ...["platform.getValidatorFeeState", "platform.getCurrentSupply", "platform.getBlockchains"],
      ...["platform.getBalance", "evm.balances", "ledger.getUTXOs"],
    ],
    network: true,
  },
};

/** Endpoints of every module: the node's identity, its network, and whether it can be a reference node. */
export const ALWAYS_PROBED = [
  ...["info.getNodeID", "info.getNodeVersion", "info.getNetworkID", "info.getNetworkName"],
  "info.isBootstrapped",
] as const;

/** Endpoints that compare two polls; a probe polls once. */
export const NOT_PROBED: ReadonlySet<string> = new Set(["evm.blocks", "platform.getBlockByHeight"]);

/** One entry of `probe.modules`. */
const probeModule = z
  .strictObject({
    endpoints: z
      .array(text("Endpoint id such as info.peers."))
      .describe("Endpoint ids, as docs/reference/endpoints.md lists them."),
    network: flag("Whether the module exports facts of the whole network instead of the node's own.").prefault(false),
  })
  .describe("Endpoints of a probe with this module.");

type ProbeModuleSection = z.output<typeof probeModule>;

const PATTERN_EXPECTED = "a host and a port such as 10.0.0.7:9650 or node-*.example.org:9650";
/** A host name or IPv4 address, which can contain stars, or an IPv6 address in brackets; then a port. */
const PATTERN = /^([A-Za-z0-9*]([A-Za-z0-9.*-]*[A-Za-z0-9*])?|\[[0-9A-Fa-f:.]+\]):\d{1,5}$/;
const moduleName = z.string().regex(/^[A-Za-z0-9_-]{1,50}$/, { error: "a name of letters, digits, _ and -" });

const pattern = matching("Host and port; * in the host matches any characters except a dot.", PATTERN, PATTERN_EXPECTED)
  .refine((value) => Number(value.slice(value.lastIndexOf(":") + 1)) <= 65_535, { error: PATTERN_EXPECTED })
  .transform((value) => {
    const colon = value.lastIndexOf(":");
    return { host: value.slice(0, colon).toLowerCase(), port: Number(value.slice(colon + 1)) };
  });

export const probeSection = z
  .strictObject({
    only: flag("Whether nodes are polled only on requests to /probe, and not on a schedule.").prefault(false),
    targets: listOf("Hosts and ports that /probe accepts in addition to the configured nodes. Default: none.", pattern),
    concurrency: integer(
      "Maximum number of concurrent probes, 1 to 1000; further ones are rejected.",
      1,
      1000,
    ).prefault(50),
    timeout: duration("Timeout of a probe whose request has no timeout.", "1s", "5m").prefault("10s"),
    timeout_offset: duration("Part of the request's timeout that is reserved for the response.", "0s", "10s").prefault(
      "500ms",
    ),
    modules: z
      .record(moduleName, probeModule)
      .nullish()
      .describe("Modules by name, in addition to node, validator, evm and network, or replacing them.")
      .transform((value) => ({ ...PROBE_MODULES, ...value })),
  })
  .describe("Settings of /probe.")
  .transform(camelKeys);
