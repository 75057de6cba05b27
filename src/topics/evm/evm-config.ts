import { VmConfigs } from "../../api/node/admin.ts";
import { EvmIdentity } from "../../api/node/evm-facts.ts";
import { chainLabel } from "../labels.ts";
import { counters, infos } from "../define/metric.ts";
import { optional, type Data } from "../define/needs.ts";
import { reducer, topic } from "../define/topic.ts";
import { NODE_AWAY } from "../define/causes.ts";

/** Maximum length of an exported configuration text. */
const LONGEST = 200;

export const evmConfig = topic(
  {
    id: "evm-config",
    about: "How is each EVM chain of the node configured?",
    scope: "node",
    needs: { configs: VmConfigs },
  },
  {
    config: infos(
      "avax_evm_config_info",
      "Selected settings of a running EVM chain, and a hash of all settings without paths and secrets: equal hashes mean equal settings (admin.getVMConfig, `config`).",
      ["chain", "hash", "pruning", "state_sync", "log_level", "apis"],
      ({ configs }, context) =>
        [...configs].map(([chain, { hash, pruning, stateSync, logLevel, apis }]) => ({
          chain: chainLabel(context, chain),
          hash,
          pruning: pruning === undefined ? "" : String(pruning),
          state_sync: stateSync === undefined ? "" : String(stateSync),
          log_level: (logLevel ?? "").slice(0, LONGEST),
          apis: apis.join(",").slice(0, LONGEST),
        })),
    ),
  },
);

const needs = { configs: optional(VmConfigs), identities: optional(EvmIdentity) };

/** What is known of a chain's configuration, and how often it changed. */
type Known = {
  readonly hash?: string | undefined;
  readonly release?: string | undefined;
  /** For whoever starts a node with another upgrade file: since Helicon the C-Chain reports nothing else of its configuration. */
  readonly forks?: string | undefined;
  readonly count: number;
};
const UNKNOWN: Known = { count: 0 };

export const evmConfigChanges = reducer(
  {
    id: "evm-config-changes",
    about: "Did the configuration of an EVM chain change?",
    scope: "node",
    needs,
    start: (): ReadonlyMap<string, Known> => new Map(),
    next: (state: ReadonlyMap<string, Known>, data): ReadonlyMap<string, Known> =>
      new Map([...state, ...chainsOf(data).map((chain) => [chain, next(state.get(chain), data, chain)] as const)]),
  },
  {
    changes: counters(
      "avax_evm_config_changes_total",
      "Changes of an EVM chain's configuration since the exporter started: of its settings, which the C-Chain reports until Helicon, and of its fork times without another release (admin.getVMConfig, `config`; eth_getChainConfig, keys that end in `Time` or `Timestamp`; web3_clientVersion, `result`).",
      ["chain"],
      ({ state, ...data }, context) =>
        chainsOf(data).map((id) => {
          const { hash, forks, count } = state.get(id) ?? UNKNOWN;
          return [{ chain: chainLabel(context, id) }, (hash ?? forks) === undefined ? undefined : count] as const;
        }),
    ),
  },
  ({ changes }) => ({
    AvaxEvmConfigChanged: {
      severity: "info",
      when: { promql: ({ series }) => `max without (instance)(increase(${series(changes)}[1h])) > 0` },
      labels: ["node", "network", "chain"],
      explainedBy: [...NODE_AWAY],
      summary: "{{ $labels.node }}: configuration of {{ $labels.chain }} changed",
      description: "Within 60 minutes.",
      meaning:
        "The node runs the chain with other settings than before: it was restarted with a changed file, or its log level was set. Or it has other fork times with the same release: its upgrade file was changed.",
      confirm:
        "Compare `avax_evm_config_info` before and after the change: selected settings and a hash are labels. Since Helicon the C-Chain reports no settings: there the alert is about fork times (`eth_getChainConfig`), or about the last change before the upgrade.",
      commands: {
        "call <node> admin_getVMConfig --chain=<chain>":
          "All settings of the running chain. Save them to compare after the next change. `404` for the C-Chain since Helicon: read its configuration file on the machine.",
      },
      action:
        "Compare the settings with the planned ones. Nodes of one role should share one hash, all nodes of a chain its fork times.",
      falsePositives: "The change was planned.",
    },
  }),
);

const chainsOf = ({ configs, identities }: Data<typeof needs>): readonly string[] => [
  ...new Set([...(configs?.keys() ?? []), ...(identities?.keys() ?? [])]),
];

function next(before = UNKNOWN, { configs, identities }: Data<typeof needs>, chain: string): Known {
  const hash = configs?.get(chain)?.hash ?? before.hash;
  const { clientVersion: release, forks: times } = identities?.get(chain) ?? {};
  const isRead = release !== undefined && times !== undefined && times.size > 0;
  const now = isRead ? { release, forks: JSON.stringify([...times].sort()) } : before;
  // Another release has other fork times without a change of the configuration.
  const isOther =
    isChanged(before.hash, hash) || (now.release === before.release && isChanged(before.forks, now.forks));
  return { hash, release: now.release, forks: now.forks, count: before.count + (isOther ? 1 : 0) };
}

const isChanged = (before: string | undefined, now: string | undefined): boolean =>
  before !== undefined && before !== now;
