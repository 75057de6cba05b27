import { VmConfigs } from "../../api/node/admin.ts";
import { chainLabel } from "../labels.ts";
import { infos } from "../define/metric.ts";
import { topic } from "../define/topic.ts";

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
