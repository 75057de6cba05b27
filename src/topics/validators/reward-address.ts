import { Validators, type Validator } from "../../api/node/platform.ts";
import { gauges, infos } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { VALIDATOR_AWAY } from "../define/causes.ts";
import { watched } from "./members.ts";

/** Most addresses of one owner with series: an owner can have any number. */
const MOST_ADDRESSES = 5;
/** Characters of an address that are exported. */
const LONGEST_ADDRESS = 100;

export const rewardAddress = topic(
  {
    id: "reward-address",
    about: "Which addresses receive the rewards of each watched validator, and are they the configured ones?",
    scope: "network",
    watched: true,
    needs: { sets: Validators },
  },
  {
    address: infos(
      "avax_validator_reward_address_info",
      `An address that receives rewards of a watched validator: those of its own stake (kind validation) or its delegation fees (kind delegation), ${MOST_ADDRESSES} addresses of each at most (platform.getCurrentValidators, \`validationRewardOwner\`, \`delegationRewardOwner\`).`,
      ["subnet", "node_id", "kind", "address"],
      ({ sets }, { watchNetwork }) =>
        watched(sets, watchNetwork).flatMap(([labels, { validationRewardOwner, delegationRewardOwner }]) => {
          const rows = (kind: string, addresses: readonly string[] = []) =>
            shown(addresses).map((address) => ({ ...labels, kind, address }));
          return [...rows("validation", validationRewardOwner), ...rows("delegation", delegationRewardOwner)];
        }),
    ),
    matches: gauges(
      "avax_validator_reward_address_matches",
      "1 when each address that receives the validation reward of a watched validator is one of its configured `reward_addresses`, 0 when one is not or when there is no address; absent without `reward_addresses` (platform.getCurrentValidators, `validationRewardOwner`).",
      ["subnet", "node_id"],
      ({ sets }, { watchNetwork, watchDetails }) =>
        watched(sets, watchNetwork).map(([labels, each]) => [labels, isAllowed(each, watchDetails.get(each.nodeID))]),
    ),
  },
  ({ matches }) => ({
    AvaxValidatorRewardAddressChanged: {
      severity: "warning",
      when: { of: matches, equals: 0 },
      labels: ["network", "subnet", "node_id"],
      for: "1m",
      explainedBy: [...VALIDATOR_AWAY],
      summary: "{{ or $labels.name $labels.node_id }} pays rewards to an unknown address",
      over: "pays rewards to known addresses",
      description:
        "It is not one of its `reward_addresses` ({{ or $labels.subnet_name $labels.subnet }}, {{ $labels.network }}).",
      meaning:
        "The transaction that began the staking period named another reward owner than the configured one. The network pays the validation reward to this owner at the end of the period.",
      confirm:
        'Compare `avax_validator_reward_address_info{kind="validation"}` with `reward_addresses` of the validator in the configuration.',
      commands: {
        [`call <any-node> platform.getCurrentValidators '{"nodeIDs": ["<node_id>"]}'`]:
          '`validationRewardOwner.addresses`. Of an elastic subnet add `"subnetID": "<subnet>"`.',
      },
      action:
        "Not yours: secure the signing keys. Yours: add it to `reward_addresses`. Stake again with the right address when the period ends.",
      falsePositives: "The stake was renewed with another address of your own, which is not configured yet.",
    },
  }),
);

const shown = (addresses: readonly string[]): readonly string[] => [
  ...new Set(addresses.slice(0, MOST_ADDRESSES).map((address) => address.slice(0, LONGEST_ADDRESS))),
];

/** Whether the validation reward goes to configured addresses alone; `undefined` where none is configured or the owner is unknown. */
function isAllowed(
  { validationRewardOwner: addresses }: Validator,
  { rewardAddresses = [] }: { readonly rewardAddresses?: readonly string[] } = {},
): boolean | undefined {
  if (addresses === undefined || rewardAddresses.length === 0) return undefined;
  return addresses.length > 0 && addresses.every((address) => rewardAddresses.includes(address));
}
