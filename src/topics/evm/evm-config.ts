import { VmConfigs, type VmConfig } from "../../api/node/admin.ts";
import { chainLabel } from "../labels.ts";
import { counters, infos } from "../../catalogue/metric.ts";
import { reducer } from "../../catalogue/topic.ts";

/** Characters of a text of the configuration that are shown. */
const LONGEST = 200;
const SOURCE = "(admin.getVMConfig,";

type Seen = { readonly hash: string; readonly changes: number };

export const evmConfig = reducer(
  {
    id: "evm-config",
    about: "How is each EVM chain of the node configured, and did that change?",
    scope: "node",
    needs: { configs: VmConfigs },
    start: (): ReadonlyMap<string, Seen> => new Map(),
    next: (seen: ReadonlyMap<string, Seen>, { configs }): ReadonlyMap<string, Seen> => {
      const next = new Map(seen);
      for (const [chain, config] of configs) next.set(chain, changed(seen.get(chain), config));
      return next;
    },
  },
  {
    config: infos(
      "avax_evm_config_info",
      `Chosen settings of an EVM chain as it runs, and a hash of all settings that hold no path and no secret: equal hashes, equal settings ${SOURCE} \`config\`).`,
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
      ({ configs, state }, context) =>
        [...configs.keys()].map((chain) => [{ chain: chainLabel(context, chain) }, state.get(chain)?.changes]),
    ),
  },
  ({ changes }) => [
    {
      name: "AvaxEvmConfigChanged",
      severity: "info",
      expr: `increase(${changes}[1h]) > 0`,
      for: "0m",
      summary: "The configuration of {{ $labels.chain }} on {{ $labels.node }} changed",
      description:
        "The running configuration of the EVM chain {{ $labels.chain }} on {{ $labels.node }} changed in the last 60 minutes.",
      runbook: {
        meaning:
          "The node runs the chain with other settings than before: it was restarted with a changed file, or its log level was set.",
        confirm: "`avax_evm_config_info` before and after: the settings that are labels, and a hash of all of them.",
        commands: [
          {
            run: "call <node> admin_getVMConfig --chain=<chain>",
            see: "All settings with which the chain runs. Save them to compare after the next change.",
          },
        ],
        action: "Compare with what was planned. Nodes of one role should share one hash.",
        falseWhen: "You changed it.",
      },
      fires: {
        series: { 'avax_evm_config_changes_total{node="a",chain="C"}': "0x10 1x30" },
        at: "15m",
        labels: { node: "a", chain: "C" },
      },
      silent: {
        series: { 'avax_evm_config_changes_total{node="a",chain="C"}': "0x40" },
        at: "15m",
        why: "the same settings all the time",
      },
    },
  ],
);

function changed(before: Seen | undefined, { hash }: VmConfig): Seen {
  if (before === undefined) return { hash, changes: 0 };
  return before.hash === hash ? before : { hash, changes: before.changes + 1 };
}
