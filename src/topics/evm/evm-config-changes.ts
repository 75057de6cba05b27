import { VmConfigs } from "../../api/node/admin.ts";
import { EvmIdentity } from "../../api/node/evm-facts.ts";
import { countChange, NO_CHANGES, type Changes } from "../changes.ts";
import { chainLabel } from "../labels.ts";
import { counters } from "../define/metric.ts";
import { maybe } from "../define/needs.ts";
import { reducer } from "../define/topic.ts";
import { NODE_AWAY } from "../define/causes.ts";

/** What is known of a chain's configuration. */
type State = {
  readonly settings: Changes;
  /** Of one release: another one has other fork times without a change of the configuration. */
  readonly schedule: Changes;
  readonly release?: string | undefined;
};
const UNKNOWN: State = { settings: NO_CHANGES, schedule: NO_CHANGES };

export const evmConfigChanges = reducer(
  {
    id: "evm-config-changes",
    about: "Did the configuration of an EVM chain change?",
    scope: "node",
    needs: { configs: maybe(VmConfigs), identities: maybe(EvmIdentity) },
    start: (): ReadonlyMap<string, State> => new Map(),
    next: (state: ReadonlyMap<string, State>, { configs, identities }): ReadonlyMap<string, State> => {
      const next = new Map(state);
      for (const [chain, { hash }] of configs ?? []) {
        const before = next.get(chain) ?? UNKNOWN;
        next.set(chain, { ...before, settings: countChange(before.settings, hash) });
      }
      // For whoever starts a node with another upgrade file: since Helicon the C-Chain reports nothing else of its configuration.
      for (const [chain, { clientVersion: release, forks }] of identities ?? []) {
        if (release === undefined || forks.size === 0) continue;
        const before = next.get(chain) ?? UNKNOWN;
        const { count } = before.schedule;
        const known = before.release === release ? before.schedule : { ...NO_CHANGES, count };
        next.set(chain, { ...before, release, schedule: countChange(known, JSON.stringify([...forks].sort())) });
      }
      return next;
    },
  },
  {
    changes: counters(
      "avax_evm_config_changes_total",
      "Changes of an EVM chain's configuration since the exporter started: of its settings, which the C-Chain reports until Helicon, and of its fork times without another release (admin.getVMConfig, `config`; eth_getChainConfig, keys that end in `Time` or `Timestamp`; web3_clientVersion, `result`).",
      ["chain"],
      ({ configs, identities, state }, context) =>
        [...new Set([...(configs?.keys() ?? []), ...(identities?.keys() ?? [])])].map((chain) => {
          const { settings, schedule } = state.get(chain) ?? UNKNOWN;
          const isKnown = (settings.last ?? schedule.last) !== undefined;
          return [
            { chain: chainLabel(context, chain) },
            isKnown ? settings.count + schedule.count : undefined,
          ] as const;
        }),
    ),
  },
  ({ changes }) => ({
    AvaxEvmConfigChanged: {
      severity: "info",
      expr: `increase(${changes}[1h]) > 0`,
      labels: ["node", "network", "chain"],
      for: "0m",
      explainedBy: [...NODE_AWAY],
      summary: "{{ $labels.node }}: configuration of {{ $labels.chain }} changed",
      description: "Its settings, or fork times of one release, changed within the last 60 minutes.",
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
      falseWhen: "The change was planned.",
    },
  }),
);
