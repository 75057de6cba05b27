import { loadRecording, RECORDING_NAMES, type Recording } from "./recording.ts";

/**
 * The recorded nodes as one fleet. Nodes that were recorded within two seconds of each other share a network; other moments
 * of the same network are networks of their own, because only what was true at one time can be compared. The first of each
 * is its reference node.
 */
const NETWORKS: Readonly<Record<string, readonly string[]>> = {
  "custom 10:51": ["custom-upgrade-ahead", "custom-upgrade-unknown"],
  "custom 11:03": ["custom-helicon-active", "custom-left-behind", "custom-auto-renewed-validator"],
  "custom 11:07": ["custom-stake-lost", "custom-bootstrapping"],
  "custom 11:10": ["custom-not-a-validator"],
  "head 20:41": ["head-just-transitioned"],
  "head 20:49:22": ["head-helicon-restarted-validator"],
  "head 20:49:27": ["head-l1-validator", "head-left-behind"],
  "head 20:52": ["head-auto-renewed-second-cycle"],
  "head115 21:18": ["head115-upgrade-ahead", "head115-upgrade-unknown"],
  "head115 21:24": ["head115-at-transition"],
  "head115 21:25": ["head115-left-behind"],
  "local 10:41": ["local-fresh-network"],
  "local 10:55": ["local-plugin-failed"],
  "local 11:06": ["local-healthy-validator", "local-young-validator"],
  "local 11:21": ["local-l1-drained", "local-no-inbound"],
  "local-1.14.2": ["local-1.14.2-validator", "local-1.14.2-just-restarted"],
};

/** A well-formed subnet ID that no node knows; every recording has the health answer for it. */
const UNKNOWN_SUBNET = "2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof";
const ASKED_ABOUT_UNKNOWN = ["custom-helicon-active", "local-healthy-validator"];

/** Watched in every network: a genesis validator of both, the young one of `local`, and the auto-renewed one of `custom`. */
const WATCHED = [
  "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",
  "NodeID-8svdcPMG3GiLuyy5675h2BUNaXdrNCujA",
  "NodeID-ECTV6zg5tvcdKrQidMZ6956r1PSpUzbLo",
] as const;

/** Configured for one network, where it is missing, and absent in the others. */
const EXPECTED_IN: Readonly<Record<string, readonly string[]>> = {
  "custom 11:03": ["NodeID-111111111111111111116DBWJs"],
};

/** A subnet as the configuration has it. `recorded` is its name in the recordings' answers. */
type FleetSubnet = {
  readonly id: string;
  readonly recorded: "s1" | "s2" | "unknown";
  readonly chains: ReadonlyArray<{ readonly id: string; readonly label: string }>;
};

/** A recorded node with everything else that decides which series it has. */
export type FleetNode = {
  readonly name: string;
  readonly recording: Recording;
  readonly network: string;
  readonly subnets: readonly FleetSubnet[];
};

const LOADED = new Map(RECORDING_NAMES.map((name) => [name, loadRecording(name)]));

function loaded(name: string): Recording {
  const recording = LOADED.get(name);
  if (recording === undefined) throw new Error(`there is no recording ${name}`);
  return recording;
}

/** Every recorded node, in the order of the configuration. */
export function fleet(): readonly FleetNode[] {
  return Object.entries(NETWORKS).flatMap(([network, names]) =>
    names.map(loaded).map((recording) => ({ name: recording.name, recording, network, subnets: subnetsOf(recording) })),
  );
}

/** The subnets of a node: those whose chain it runs, and for two nodes one that is mistyped. */
function subnetsOf(recording: Recording): readonly FleetSubnet[] {
  const { name, ids } = recording;
  // The network with the L1 alone has it as its first subnet.
  const places: ReadonlyArray<readonly [string, string, FleetSubnet["recorded"]]> =
    ids["S1"] === undefined
      ? [["S2", "l1one-head", "s1"]]
      : [
          ["S1", "perm1", "s1"],
          ["S2", "l1one", "s2"],
        ];
  const own = places.flatMap(([key, label, recorded]): readonly FleetSubnet[] => {
    const [id = "", chain = ""] = [ids[key], ids[`${key}_CHAIN`]];
    const asked = recording.answers.find((each) => each.name === `health.get.tag-${recorded}`);
    const runs = asked?.response.body.includes(`"${chain}":{`) === true;
    return runs ? [{ id, recorded, chains: [{ id: chain, label }] }] : [];
  });
  const mistyped: FleetSubnet = { id: UNKNOWN_SUBNET, recorded: "unknown", chains: [] };
  return [...own, ...(ASKED_ABOUT_UNKNOWN.includes(name) ? [mistyped] : [])];
}

/** The configuration of the daemon. `urls` by node name. */
export function fleetConfig(nodes: readonly FleetNode[], urls: ReadonlyMap<string, string>): unknown {
  const subnets = new Map(nodes.flatMap((node) => node.subnets.map((subnet) => [subnet.id, subnet])));
  return {
    nodes: nodes.map(({ name, network, subnets: served }) => ({
      name,
      url: urls.get(name),
      network,
      subnets: served.map(({ id }) => id),
    })),
    subnets: [...subnets.values()].map(({ id, chains }) => ({
      id,
      chains: chains.map((chain) => ({ id: chain.id, name: chain.label })),
    })),
    watch: { validators: WATCHED, validators_by_network: EXPECTED_IN },
    // Lag needs a node's answer after those of the others, and a node is watched once it is known: a second round soon.
    endpoints: Object.fromEntries(
      ["platform.getHeight", "platform.getCurrentValidators.watched", "evm.head"].map((id) => [id, { every: "1s" }]),
    ),
  };
}
