import { createHash } from "node:crypto";
import { z } from "zod";
import { inDialect, type Dialect, type InDialect } from "./dialect.ts";
import { keyedEndpoint, type Method } from "../endpoint.ts";
import type { Sha256 } from "../wire.ts";

/** EVM admin API: the running configuration of an EVM chain. Off on real nodes unless their operator turned it on. */

const none = z.tuple([z.object({})]);
const nothing = z.object({});
const configuration = z.object({ config: z.record(z.string(), z.unknown()) });

/** Where an EVM chain serves its admin API, and how it spells the methods. */
export function adminMethods(chain: string, dialect: Dialect) {
  const path = `/ext/bc/${chain}/admin`;
  const method = <P, R>(name: string, about: string, params: z.ZodType<P>, result: z.ZodType<R>): Method<P, R> => ({
    name: dialect === "spec" ? `admin_${name}` : `admin.${name}`,
    path,
    about,
    params,
    result,
  });
  return {
    getVMConfig: method("getVMConfig", "The running configuration of the EVM chain.", none, configuration),
    startCPUProfiler: writing(method("startCPUProfiler", "Starts a CPU profile that writes to a file.", none, nothing)),
    stopCPUProfiler: writing(method("stopCPUProfiler", "Stops the CPU profile.", none, nothing)),
    memoryProfile: writing(method("memoryProfile", "Writes a memory profile to a file.", none, nothing)),
    lockProfile: writing(method("lockProfile", "Writes a mutex profile to a file.", none, nothing)),
    setLogLevel: writing(
      method(
        "setLogLevel",
        "Sets the log level of the EVM chain: trace, debug, info, warn, error or crit.",
        z.tuple([z.object({ level: z.string() })]),
        nothing,
      ),
    ),
  };
}

function writing<P, R>(method: Method<P, R>): Method<P, R> {
  return { ...method, writes: true };
}

/** What is kept of a configuration: the settings that matter most, and a fingerprint of all. */
export type VmConfig = InDialect & {
  /** Equal for equal configurations. */
  readonly hash: string;
  readonly pruning: boolean | undefined;
  readonly stateSync: boolean | undefined;
  readonly logLevel: string | undefined;
  readonly apis: readonly string[];
};

/** Keys that may hold a path, an address of a machine or a secret: never shown, and no part of the fingerprint. */
const PRIVATE_KEY = /(^|-)(dir|directory|path|file|url|uri|key)$|keystore|secret|password|token|signer/i;

/** Sixteen hex digits of the SHA-256 over the configuration as JSON with sorted keys, without private ones. */
export function configHash(config: Readonly<Record<string, unknown>>, sha256: Sha256): string {
  const text = JSON.stringify(sorted(config));
  return Buffer.from(sha256(Buffer.from(text))).toString("hex", 0, 8);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .filter(([key]) => !PRIVATE_KEY.test(key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)]);
}

const hashOf: Sha256 = (bytes) => createHash("sha256").update(bytes).digest();

function vmConfig(config: Readonly<Record<string, unknown>>, dialect: Dialect): VmConfig {
  const { "pruning-enabled": pruning, "state-sync-enabled": sync, "log-level": level, "eth-apis": apis } = config;
  return {
    dialect,
    hash: configHash(config, hashOf),
    pruning: typeof pruning === "boolean" ? pruning : undefined,
    stateSync: typeof sync === "boolean" ? sync : undefined,
    logLevel: typeof level === "string" ? level : undefined,
    apis: Array.isArray(apis) ? apis.filter((api) => typeof api === "string") : [],
  };
}

/** Keyed by EVM chain. Real nodes do not serve it unless told to, and never after the Helicon upgrade: off unless configured. */
export const VmConfigs = keyedEndpoint<VmConfig>({
  id: "admin.getVMConfig",
  about: "The running configuration of each EVM chain.",
  scope: "node",
  methods: ["admin_getVMConfig", "admin.getVMConfig"],
  every: 300,
  timeout: 10,
  enabled: false,
  optional: true,
  keys: ({ evmChains }) => evmChains.map(({ id }) => id),
  ask: (api, chain, facts, previous) =>
    inDialect(facts.dialect, previous?.dialect, async (dialect) => {
      const { config } = await api.call(adminMethods(chain, dialect).getVMConfig, [{}]);
      return vmConfig(config, dialect);
    }),
});
