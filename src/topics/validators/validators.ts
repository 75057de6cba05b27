import { NodeVersion, Peers } from "../../api/node/info.ts";
import { PRIMARY, Validators, type Validator } from "../../api/node/platform.ts";
import { toAvax } from "../../api/wire.ts";
import { byRange, topByName, UPTIME_BOUNDS, UPTIME_RANGES } from "../labels.ts";
import { gauges } from "../define/metric.ts";
import { optional } from "../define/needs.ts";
import { topic } from "../define/topic.ts";
import { isWeighed, weightOf, type ValidatorSets } from "../stakes.ts";

const DAY = 86_400;
export const END_BOUNDS = [DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY, 90 * DAY] as const;
export const END_RANGES = ["0-1d", "1-3d", "3-7d", "7-14d", "14-30d", "30-90d", "over 90d"] as const;
const SOURCE = "(platform.getCurrentValidators,";

export const validators = topic(
  {
    id: "validators",
    about: "What are the size and state of the validator set of the Primary Network and of each configured subnet?",
    scope: "network",
    needs: { sets: Validators, peers: optional(Peers), own: optional(NodeVersion) },
  },
  {
    count: gauges(
      "avax_validators",
      `Validator records in the set ${SOURCE} number of \`validators\`).`,
      ["subnet"],
      ({ sets }) => [...sets].map(([subnet, { validators }]) => [{ subnet }, validators.length]),
    ),
    connected: gauges(
      "avax_validators_connected",
      `Validators that the network's reference node is connected to; absent where the records lack the field ${SOURCE} \`connected\`).`,
      ["subnet"],
      ({ sets }) => sums(sets, ({ connected }) => (connected === undefined ? undefined : Number(connected))),
    ),
    stake: gauges(
      "avax_validators_stake_avax",
      `Stake of the Primary Network by staker, validator or delegator ${SOURCE} \`weight\`, \`delegatorWeight\`).`,
      ["staker"],
      ({ sets }) => {
        const primary = sets.get(PRIMARY)?.validators;
        if (primary === undefined) return [];
        const own = sum(primary.map(({ weight }) => weight));
        const known = primary.map(({ delegatorWeight }) => delegatorWeight).filter((weight) => weight !== undefined);
        const delegated = known.length === 0 || known.length < primary.length ? undefined : toAvax(sum(known));
        return [
          [{ staker: "validator" }, toAvax(own)],
          [{ staker: "delegator" }, delegated],
        ];
      },
    ),
    weight: gauges(
      "avax_subnet_weight",
      `Weight of all validators of a configured subnet, inactive ones included, in the subnet's own unit ${SOURCE} \`weight\`).`,
      ["subnet"],
      ({ sets }) =>
        [...sets]
          .filter(([subnet]) => subnet !== PRIMARY)
          .map(([subnet, { validators }]) => [{ subnet }, Number(sum(validators.map(({ weight }) => weight)))]),
    ),
    delegators: gauges(
      "avax_validators_delegators",
      `Delegators of all validators of the set; absent where the records lack the field ${SOURCE} \`delegatorCount\`).`,
      ["subnet"],
      ({ sets }) => sums(sets, ({ delegatorCount }) => delegatorCount),
    ),
    uptime: gauges(
      "avax_validators_by_uptime",
      `Validators by the uptime ratio that the network's reference node observed; ranges include their lower bound ${SOURCE} \`uptime\`).`,
      ["subnet", "range"],
      ({ sets }) =>
        bySubnet(sets, ({ uptime }) => uptime).flatMap(([subnet, known]) =>
          byRange(
            UPTIME_BOUNDS,
            UPTIME_RANGES,
            known.map((ratio) => [ratio, 1]),
          ).map(([range, value]) => [{ subnet, range }, value] as const),
        ),
    ),
    ending: gauges(
      "avax_validators_stake_ending_avax",
      `Own and delegated stake of Primary Network validators by days left until the end of their period, at the time of the answer; absent where the end of one is unknown ${SOURCE} \`endTime\`).`,
      ["remaining"],
      ({ sets }, { time }) => {
        const stakes = weighedPrimary(sets)?.map((each) => [(each.endTime ?? NaN) - time, stakeOf(each)] as const);
        // Every stake of the Primary Network has an end: one that is unknown is of no range.
        if (stakes === undefined || stakes.some(([left]) => Number.isNaN(left))) return [];
        return byRange(END_BOUNDS, END_RANGES, stakes).map(([remaining, value]) => [{ remaining }, value]);
      },
    ),
    versions: gauges(
      "avax_validators_stake_by_version_avax",
      "Own and delegated stake of Primary Network validators by the version that they advertise to the reference node; `not connected` for those that are not its peers (platform.getCurrentValidators joined with info.peers, `version`, and with info.getNodeVersion for the reference node itself).",
      ["version"],
      ({ sets, peers, own }, { nodeId }) => {
        const primary = weighedPrimary(sets);
        if (primary === undefined || peers === undefined) return [];
        const versions = new Map(Array.from(peers.peers, ({ nodeID, version }) => [nodeID, version]));
        // A node is not a peer of itself.
        if (nodeId !== undefined && own !== undefined) versions.set(nodeId, own.version);
        return topByName(
          primary.map((validator) => [versions.get(validator.nodeID) ?? "not connected", stakeOf(validator)]),
        ).map(([version, value]) => [{ version }, value]);
      },
    ),
  },
);

/** The values of one field, by set; a set that lacks it in a record is left out: its sum would be too small. */
function bySubnet<V>(
  sets: ValidatorSets,
  read: (validator: Validator) => V | undefined,
): ReadonlyArray<readonly [subnet: string, known: readonly V[]]> {
  return [...sets]
    .map(([subnet, { validators }]) => [subnet, validators.map(read).filter((value) => value !== undefined)] as const)
    .filter(([subnet, known]) => known.length > 0 && known.length === sets.get(subnet)?.validators.length);
}

function sums(sets: ValidatorSets, read: (validator: Validator) => number | undefined) {
  return bySubnet(sets, read).map(([subnet, known]) => [{ subnet }, known.reduce((a, b) => a + b, 0)] as const);
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** The Primary Network's validators; `undefined` where a weight is unknown. */
function weighedPrimary(sets: ValidatorSets): readonly Validator[] | undefined {
  const set = sets.get(PRIMARY);
  return set !== undefined && isWeighed(set) ? set.validators : undefined;
}

/** AVAX at stake with a Primary Network validator: its own and its delegations. */
const stakeOf = (validator: Validator): number => toAvax(weightOf(validator));
