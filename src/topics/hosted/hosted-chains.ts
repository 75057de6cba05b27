import { bounded } from "../../api/bounded.ts";
import {
  CHAIN_FEATURES,
  CHAIN_STATUSES,
  ChainById,
  DataChain,
  DataChains,
  SupportedChains,
  type ChainCounts,
  type IndexedChain,
} from "../../api/hosted/data-chains.ts";
import type { Dated } from "../../api/hosted/hosted-endpoint.ts";
import { rowsOf } from "./hosted-rows.ts";
import { perRow, states } from "../define/metric.ts";
import { optional } from "../define/needs.ts";
import { hostedTopic } from "../define/topic.ts";
import { selector } from "../define/selector.ts";

type Given = {
  readonly list: ReadonlyMap<string, ChainCounts> | undefined;
  readonly chains: ReadonlyMap<string, Dated & { readonly chain: IndexedChain }> | undefined;
};

const chainRows = rowsOf(["evm_chain_id"], ({ chains }: Given) => chains);
const ofChain = perRow(chainRows);
const ofNetwork = perRow(rowsOf(["network"], ({ list }: Given) => list));

export const hostedChains = hostedTopic(
  {
    id: "hosted-chains",
    about: "Does the Data API index the configured EVM chains, and with which features?",
    needs: { list: optional(DataChains), chains: optional(DataChain) },
  },
  {
    status: states(
      "avax_hosted_chain_state",
      `State of the chain at the service (${ChainById.name}, \`status\`).`,
      ["evm_chain_id", "state"],
      CHAIN_STATUSES,
      (data: Given, context) => chainRows.of(data, context).map(([row, { chain }]) => [row, chain.status] as const),
    ),
    features: ofChain.gauges(
      "avax_hosted_chain_feature_enabled",
      `1 when the service offers this feature for the chain (${ChainById.name}, \`enabledFeatures\`).`,
      ["feature"],
      ({ chain }) => CHAIN_FEATURES.map((feature) => [{ feature }, chain.enabledFeatures?.includes(feature)] as const),
    ),
    info: ofChain.infos(
      "avax_hosted_chain_info",
      `Name, coin and kind of the chain as reported by the service, cut to 40 characters (${ChainById.name}, \`chainName\`, \`networkToken.symbol\`, \`vmName\`, \`isTestnet\`).`,
      ["name", "symbol", "vm", "testnet"],
      ({ chain }) => [
        {
          name: bounded(chain.chainName, 40),
          symbol: bounded(chain.networkToken?.symbol, 16),
          vm: bounded(chain.vmName, 16),
          testnet: chain.isTestnet === undefined ? "" : String(chain.isTestnet),
        },
      ],
    ),
    chains: ofNetwork.gauges(
      "avax_hosted_chains",
      `EVM chains that the service indexes, by status (${SupportedChains.name}, \`chains\`).`,
      ["state"],
      ({ statuses }) => [...statuses].map(([status, value]) => [{ state: status }, value] as const),
    ),
  },
  ({ status }) => ({
    AvaxHostedChainUnavailable: {
      severity: "warning",
      when: { of: selector(status, { state: "!=OK" }), equals: 1 },
      labels: ["evm_chain_id", "state"],
      for: "30m",
      summary: "Chain {{ $labels.evm_chain_id }} is unavailable in the Data API",
      over: "Chain {{ $labels.evm_chain_id }} is available in the Data API",
      meaning:
        "The hosted service does not index this chain at present. The status is the service's, not the network's: the chain itself can be fine.",
      confirm:
        "Request the head from the chain's own RPC. Compare `avax_hosted_answer_timestamp_seconds` and the heads of your own nodes of this chain.",
      commands: {
        [`call data-api '/v1/chains/{chainId}' '{"chainId": "<evm_chain_id>"}'`]:
          "`status` is the service's status of the chain.",
      },
      action:
        "The chain is fine: wait, or contact the service's operator. Its RPC does not answer either: check its validators.",
      falsePositives: "The owners gave the chain up: remove it from data_api.chains.",
    },
  }),
);
