import { VmConfigs } from "../../api/node/admin.ts";
import { countChange, NO_CHANGES, type Changes } from "../changes.ts";
import { chainLabel, chainRows } from "../labels.ts";
import { counters, infos } from "../define/metric.ts";
import { reducer } from "../define/topic.ts";
import { NODE_AWAY } from "../define/causes.ts";

/** Maximum length of an exported configuration text. */
const LONGEST = 200;
const SOURCE = "(admin.getVMConfig,";

export const evmConfig = reducer(
  {
    id: "evm-config",
    about: "How is each EVM chain of the node configured, and did its configuration change?",
    scope: "node",
    needs: { configs: VmConfigs },
    start: (): ReadonlyMap<string, Changes> => new Map(),
    next: (state: ReadonlyMap<string, Changes>, { configs }): ReadonlyMap<string, Changes> => {
      const next = new Map(state);
      for (const [chain, { hash }] of configs) next.set(chain, countChange(state.get(chain) ?? NO_CHANGES, hash));
      return next;
    },
  },
  {
    config: infos(
      "avax_evm_config_info",
      `Selected settings of a running EVM chain, and a hash of all settings without paths and secrets: equal hashes mean equal settings ${SOURCE} \`config\`).`,
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
    changes: counters(
      "avax_evm_config_changes_total",
      `Changes of an EVM chain's configuration since the exporter started ${SOURCE} \`config\`).`,
      ["chain"],
      ({ configs, state }, context) => chainRows(configs, context, (_config, chain) => state.get(chain)?.count),
    ),
  },
  ({ changes }) => [
    {
      name: "AvaxEvmConfigChanged",
      severity: "info",
      expr: `increase(${changes}[1h]) > 0`,
      labels: ["node", "network", "chain"],
      for: "0m",
      explainedBy: [...NODE_AWAY],
      summary: "{{ $labels.node }}: configuration of {{ $labels.chain }} changed",
      description: "The running configuration of the chain changed within the last 60 minutes.",
      runbook: {
        meaning:
          "The node runs the chain with other settings than before: it was restarted with a changed file, or its log level was set.",
        confirm:
          "Compare `avax_evm_config_info` before and after the change: selected settings and a hash are labels. Since Helicon the C-Chain reports no configuration: there the alert is about its last change before the upgrade.",
        commands: [
          {
            run: "call <node> admin_getVMConfig --chain=<chain>",
            see: "All settings of the running chain. Save them to compare after the next change. `404` for the C-Chain since Helicon: read its configuration file on the machine.",
          },
        ],
        action: "Compare the settings with the planned ones. Nodes of one role should share one hash.",
        falseWhen: "The change was planned.",
      },
    },
  ],
);
