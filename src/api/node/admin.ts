import { createHash } from "node:crypto";
import { z } from "zod";
import { inDialect, type Dialect } from "./dialect.ts";
import { keyedEndpoint, methodsAt, type Method } from "../endpoint.ts";

/** EVM admin API: the running configuration of an EVM chain. Real nodes do not serve it by default. */

/** The specification has no parameters here, and its servers refuse an object. */
const none = z.tuple([]);
const nothing = z.object({});
const configuration = z.object({ config: z.record(z.string(), z.unknown()) });

type Command = "startCPUProfiler" | "stopCPUProfiler" | "memoryProfile" | "lockProfile" | "setLogLevel";
type AdminMethods = Readonly<Record<Command, Method<unknown, unknown>>> & {
  readonly getVMConfig: Method<[], z.output<typeof configuration>>;
};

/** The admin methods of an EVM chain in one dialect. */
export function adminMethods(chain: string, dialect: Dialect): AdminMethods {
  const method = methodsAt(`/ext/bc/${chain}/admin`);
  const named = (name: string): string => (dialect === "spec" ? `admin_${name}` : `admin.${name}`);
  const command = <P>(name: string, about: string, params: z.ZodType<P>) =>
    method(named(name), about, params, nothing, { writes: true });
  return {
    getVMConfig: method(named("getVMConfig"), "The running configuration of the EVM chain.", none, configuration),
    startCPUProfiler: command("startCPUProfiler", "Starts a CPU profile that writes to a file.", none),
    stopCPUProfiler: command("stopCPUProfiler", "Stops the CPU profile.", none),
    memoryProfile: command("memoryProfile", "Writes a memory profile to a file.", none),
    lockProfile: command("lockProfile", "Writes a mutex profile to a file.", none),
    setLogLevel: command(
      "setLogLevel",
      "Sets the log level of the EVM chain: trace, debug, info, warn, error or crit.",
      z.tuple([z.object({ level: z.string() })]),
    ),
  };
}

/** Keys whose value can be a path, a host address or a secret: never exported, and excluded from the fingerprint. */
const PRIVATE_KEY = /(^|-)(dir|directory|path|file|url|uri|key)$|keystore|secret|password|token|signer/i;

/** First 16 hex digits of the SHA-256 of the configuration as JSON, with sorted keys and without private ones. */
export function configHash(config: Readonly<Record<string, unknown>>): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(config)))
    .digest("hex")
    .slice(0, 16);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .filter(([key]) => !PRIVATE_KEY.test(key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)]);
}

/** The main settings of a configuration, and a fingerprint of all settings: equal for equal configurations. */
function vmConfig(config: Readonly<Record<string, unknown>>, dialect: Dialect): VmConfig {
  const { "pruning-enabled": pruning, "state-sync-enabled": sync, "log-level": level, "eth-apis": apis } = config;
  return {
    dialect,
    hash: configHash(config),
    pruning: typeof pruning === "boolean" ? pruning : undefined,
    stateSync: typeof sync === "boolean" ? sync : undefined,
    logLevel: typeof level === "string" ? level : undefined,
    apis: Array.isArray(apis) ? apis.filter((api) => typeof api === "string") : [],
  };
}

export type VmConfig = {
  readonly dialect: Dialect;
  readonly hash: string;
  readonly pruning: boolean | undefined;
  readonly stateSync: boolean | undefined;
  readonly logLevel: string | undefined;
  readonly apis: string[];
};

/** Keyed by EVM chain. Off by default: real nodes serve it only if configured to, and never after the Helicon upgrade. */
export const VmConfigs = keyedEndpoint<VmConfig>({
  id: "admin.getVMConfig",
  about: "The running configuration of each EVM chain.",
  scope: "node",
  methods: ["admin_getVMConfig", "admin.getVMConfig"],
  every: 300,
  enabled: false,
  optional: true,
  keys: ({ evmChains }) => evmChains.map(({ id }) => id),
  follows: true,
  serves: ({ hash }) => hash,
  ask: (api, chain, facts, previous) =>
    inDialect(facts.options.dialect, previous?.dialect, async (dialect) => {
      const { config } = await api.call(adminMethods(chain, dialect).getVMConfig, []);
      return vmConfig(config, dialect);
    }),
});
