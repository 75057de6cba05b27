import { ChainValidators } from "../../api/node/evm-facts.ts";
import type { ChainValidator } from "../../api/node/evm.ts";
import { gauges, type Context } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import type { Value } from "../../exposition/sample.ts";

const LABELS = ["subnet", "node_id", "validation_id"] as const;
const SOURCE = "(validators.getCurrentValidators of the L1's own chain,";
const VIEW = "as observed by this node; a node's view of itself does not count";

/** Uptime and connection of L1 validators, which the P-Chain does not report. Only chains of Subnet-EVM report them. */
export const l1ValidatorView = topic(
  {
    id: "l1-validator-view",
    about: "Which uptime and connection does each polled node observe for the watched L1 validators?",
    scope: "observer",
    needs: { chains: ChainValidators },
  },
  {
    uptime: gauges(
      "avax_l1_validator_uptime_ratio",
      `Uptime of a watched validator since the validation began, ${VIEW} ${SOURCE} \`uptimePercentage\`).`,
      LABELS,
      ({ chains }, context) => rows(chains, context, ({ uptimePercentage }) => uptimePercentage),
    ),
    connected: gauges(
      "avax_l1_validator_connected",
      `1 while a watched validator is connected, ${VIEW} ${SOURCE} \`isConnected\`).`,
      LABELS,
      ({ chains }, context) => rows(chains, context, ({ isConnected }) => isConnected),
    ),
    active: gauges(
      "avax_l1_validator_active_on_chain",
      `1 while the chain counts the validation of a watched validator as active, ${VIEW} ${SOURCE} \`isActive\`).`,
      LABELS,
      ({ chains }, context) => rows(chains, context, ({ isActive }) => isActive),
    ),
  },
);

/** Chains of one subnet have the same validators, so only the first that answers is read. */
function rows(
  chains: ReadonlyMap<string, { readonly validators: readonly ChainValidator[] }>,
  { evmChains, watch }: Context,
  read: (validator: ChainValidator) => Value,
) {
  const watched = new Set(watch);
  const exported = new Set<string>();
  return [...chains].flatMap(([id, { validators }]) => {
    const subnet = evmChains.find((chain) => chain.id === id)?.subnet;
    if (subnet === undefined || exported.has(subnet)) return [];
    exported.add(subnet);
    return validators
      .filter(({ nodeID }) => watched.has(nodeID))
      .map((each) => [{ subnet, node_id: each.nodeID, validation_id: each.validationID }, read(each)] as const);
  });
}
