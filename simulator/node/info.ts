import { otherKey, proofOf, publicKeyOf, type BlsKey } from "../encoding/bls.ts";
import { chainState, namedChain } from "../world/chains.ts";
import { isSubnetChain, SUBNET_EVM, type GenesisMember } from "../world/genesis.ts";
import { goTime } from "../encoding/gotime.ts";
import { isNodeId, makeNodeId } from "../encoding/ids.ts";
import {
  behaviourAt,
  fullWeight,
  heliconTimeAt,
  linked,
  rosterAt,
  stakeOf,
  sumWeights,
  versionAt,
} from "../world/network.ts";
import { seatsOf, type Seat } from "../world/quorum.ts";
import { announcedUpgrade, listedProposals, peersOf, SUPPORTED, supportedProposals } from "../world/peers.ts";
import { answerRpc, type RpcService } from "../world/rpc.ts";
import { reportedUptime } from "../world/uptime.ts";
import { schedule } from "../world/upgrades.ts";
import {
  BAD_ARGUMENT,
  fail,
  int,
  ok,
  since,
  textParam,
  textsParam,
  type Interface,
  type SimulatedMethod,
  type View,
} from "../world/wire.ts";

/** Info API, also available while the node bootstraps. */

/** ID of the node; another one with the scenario wrong-node-id. */
export function nodeIdOf({ network, index, at }: View): string {
  const { twin } = behaviourAt(network, index, at);
  const member = network.world.members[twin ? index - 1 : index];
  const impostor = member === undefined || behaviourAt(network, index, at).impostor;
  return impostor ? makeNodeId(network.world.settings.seed, "impostor", index) : member.nodeId;
}

export function keyOf({ network, index, at }: View): BlsKey {
  const { seed } = network.world.settings;
  const { impostor, blsKey, twin } = behaviourAt(network, index, at);
  if (blsKey === "other") return otherKey(seed, "wrong", index);
  if (impostor) return otherKey(seed, "impostor", index);
  const member = twin ? index - 1 : index;
  return { publicKey: publicKeyOf(seed, member), proof: proofOf(seed, member) };
}

const getNodeID: SimulatedMethod = (view) => {
  const { publicKey, proof } = keyOf(view);
  return ok({ nodeID: nodeIdOf(view), nodePOP: { publicKey, proofOfPossession: proof } });
};

const getNodeIP: SimulatedMethod = ({ network, index }) =>
  ok({ ip: `${network.world.members[index]?.ip ?? "127.0.0.1"}:9651` });

const getNetworkID: SimulatedMethod = (view) => ok({ networkID: int(view, view.network.world.settings.network.id) });

const getNetworkName: SimulatedMethod = ({ network }) => ok({ networkName: network.world.settings.network.name });

type Release = { readonly rpc: string; readonly evm: string };
const RELEASES: Readonly<Record<string, Release>> = {
  "1.11.13": { rpc: "38", evm: "v0.13.8" },
  "1.12.2": { rpc: "39", evm: "v0.14.1" },
  "1.13.5": { rpc: "43", evm: "v0.15.3" },
  "1.14.2": { rpc: "45", evm: "v1.14.2" },
  "1.15.0": { rpc: "46", evm: "v1.15.0" },
};

const getNodeVersion: SimulatedMethod = (view) => {
  const { version } = view;
  const release = RELEASES[version] ?? { rpc: "46", evm: `v${version}` };
  const own = since(view, "1.14.1") ? `avalanchego/${version}` : `v${version}`;
  const { pluginFailed, nextRelease } = behaviourAt(view.network, view.index, view.at);
  const vmVersions = {
    avm: own,
    evm: release.evm,
    platform: own,
    ...(pluginFailed ? {} : { [SUBNET_EVM]: release.evm }),
  };
  return ok({
    version: `avalanchego/${nextRelease ? "1.99.0" : version}`,
    ...(nextRelease ? { buildTags: [] } : {}),
    databaseVersion: "v1.4.5",
    rpcProtocolVersion: release.rpc,
    gitCommit: "",
    vmVersions,
  });
};

const getVMs: SimulatedMethod = (view) =>
  ok({
    vms: {
      jvYyfQTxGMJLuGWa55kdP2p2zSUYsQ5Raupu4TW34ZAUBAbtq: ["avm"],
      mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6: ["evm"],
      rWhpuQPF1kb72esV2momhMuTYGkEb1oL29pt2EBXWmSy4kxnT: ["platform"],
      [SUBNET_EVM]: [],
    },
    ...(view.dialect === "spec"
      ? {}
      : {
          fxs: {
            qd2U4HDWUvMrVUeTcCHp6xH3Qpnn1XbU5MDdnBoiifFqvgXwT: "nftfx",
            rXJsCSEYXg2TehWxCEEGj6JU2PWKTkd6cBdNLjoe2SpsKD9cy: "propertyfx",
            spdxUxVJQbX85MGxMHbKw1sHxMnSqJ3QBzDyDYEP3h6TLuxqQ: "secp256k1fx",
          },
        }),
  });

const getTxFee: SimulatedMethod = () =>
  ok({
    txFee: "1000000",
    createAssetTxFee: "1000000",
    createSubnetTxFee: "100000000",
    transformSubnetTxFee: "100000000",
    createBlockchainTxFee: "100000000",
    addPrimaryNetworkValidatorFee: "0",
    addPrimaryNetworkDelegatorFee: "0",
    addSubnetValidatorFee: "1000000",
    addSubnetDelegatorFee: "1000000",
  });

const getBlockchainID: SimulatedMethod = (view, params) => {
  const alias = textParam(params, "alias");
  if (alias === undefined) return fail(BAD_ARGUMENT);
  const chain = namedChain(view, alias);
  // Aliases of the primary chains exist before the chains; a chain of a subnet is known only while the node runs it.
  const known =
    chain === "P" || chain === "X" || chain === "C" || (chain !== undefined && chainState(view, chain) !== "missing");
  return chain !== undefined && known
    ? ok({ blockchainID: view.network.world.chainIds[chain] })
    : fail(`there is no ID with alias: ${alias}`);
};

const isBootstrapped: SimulatedMethod = (view, params) => {
  const name = textParam(params, "chain");
  if (name === undefined) return fail(BAD_ARGUMENT);
  if (name === "") return fail("argument 'chain' not given");
  const chain = namedChain(view, name);
  if (chain === undefined) return fail(`there is no chain with alias/ID '${name}'`);
  const state = chainState(view, chain);
  if (state === "missing" && isSubnetChain(chain)) return fail(`there is no chain with alias/ID '${name}'`);
  return ok({ isBootstrapped: state === "running" });
};

/** The address that a node reports for a peer; while the peer has a twin, that of either for five minutes. */
function addressOf({ network, index, at }: View, peer: GenesisMember): string {
  const twin = network.world.members[peer.index + 1];
  const hasTwin = twin !== undefined && behaviourAt(network, twin.index, at).twin;
  return hasTwin && (Math.floor(at / 300_000) + index) % 2 === 0 ? twin.ip : peer.ip;
}

/** JSON text of a peer record. */
function peerText(view: View, peer: GenesisMember): string {
  const { network, index, at } = view;
  const [first, second] = network.world.subnets;
  const { settings, validations } = network.world;
  const { untracked } = behaviourAt(network, peer.index, at);
  const tracks = !untracked && (peer.index < settings.nodes || validations.some(({ member }) => member === peer.index));
  const tracked = tracks ? [first.id, second.id].sort() : [];
  const primary = since(view, "1.11.7") ? ["11111111111111111111111111111111LpoYY"] : [];
  const benched = behaviourAt(network, peer.index, at).benched
    ? [...(view.dialect === "spec" ? [view.network.world.chainIds.C] : ["C", "P"]), first.chainId]
    : [];
  const time = goTime(Math.floor(at / 1000) * 1000 - 1000 * ((peer.index + index) % 3));
  const observedUptime =
    view.dialect === "spec"
      ? String(reportedUptime(network, peer.index, index, at))
      : `"${reportedUptime(network, peer.index, index, at)}"`;
  const upgrade = since(view, "1.14.1") ? `"upgradeTime":${announcedUpgrade(view, peer)},` : "";
  const proposals =
    view.dialect === "spec"
      ? ""
      : `"supportedACPs":${JSON.stringify(supportedProposals(view, peer))},"objectedACPs":[],`;
  return (
    `{"ip":"${peer.ip}:${peer.index % 2 === 0 ? 9651 : 40_000 + (peer.index % 20_000)}","publicIP":"${addressOf(view, peer)}:9651","nodeID":"${peer.nodeId}",` +
    `"version":"avalanchego/${versionAt(network, peer.index, at)}",${upgrade}"lastSent":"${time}","lastReceived":"${time}","observedUptime":${observedUptime},` +
    `"trackedSubnets":${JSON.stringify([...primary, ...tracked])},${proposals}"benched":${JSON.stringify(benched)}}`
  );
}

const peers: SimulatedMethod = (view, params) => {
  const wanted = textsParam(params, "nodeIDs");
  if (wanted === undefined || !wanted.every(isNodeId)) return fail(BAD_ARGUMENT);
  const all = peersOf(view);
  const chosen = wanted.length === 0 ? all : all.filter(({ nodeId }) => wanted.includes(nodeId));
  return {
    json: `{"numPeers":${JSON.stringify(int(view, chosen.length))},"peers":[${chosen.map((peer) => peerText(view, peer)).join(",")}]}`,
  };
};

/** Required uptime for the reward, in whole percent; releases up to 1.15.0 compare with 80 even if 90 applies. */
const REQUIRED_PERCENT = 80;

/** Validators whose observations count for `info.uptime`; `undefined` if the node does not validate. Real nodes ignore the subnet. */
function voters(view: View, subnetId: string): ReadonlyArray<Seat> | undefined {
  const { network, index, at } = view;
  const subnet = network.world.subnets.find(({ id }) => id === subnetId);
  const primary = stakeOf(network, index, at) !== undefined && !behaviourAt(network, index, at).bootstrapping;
  let seats: ReadonlyArray<Seat>;
  if (view.dialect === "spec" && subnet !== undefined) seats = seatsOf(network, subnet.chain, at);
  else
    return primary
      ? rosterAt(network, at).validators.map((member) => ({ member: member.index, weight: fullWeight(member) }))
      : undefined;
  return seats.some(({ member }) => member === index) ? seats : undefined;
}

const uptime: SimulatedMethod = (view, params) => {
  const { network, index, at } = view;
  const seats = voters(view, textParam(params, "subnetID") ?? "");
  if (seats === undefined) return fail("couldn't get node uptime: node is not a validator");
  let [total, granted, weighted] = [0, 0, 0];
  for (const { member, weight } of seats) {
    total += weight;
    const percent =
      member === index ? 100 : linked(network, index, member, at) ? reportedUptime(network, member, index, at) : 0;
    if (percent >= REQUIRED_PERCENT) granted += weight;
    weighted += weight * percent;
  }
  const [rewarding, average] = [(granted / total) * 100, weighted / total];
  return view.dialect === "spec"
    ? ok({
        rewardingStakePercentage: Number(rewarding.toFixed(4)),
        weightedAveragePercentage: Number(average.toFixed(4)),
      })
    : ok({ rewardingStakePercentage: rewarding.toFixed(4), weightedAveragePercentage: average.toFixed(4) });
};

const acps: SimulatedMethod = (view) => {
  const { network, index, at } = view;
  const { validators, exact } = rosterAt(network, at);
  const supporting = validators.filter((member) => member.index !== index && linked(network, index, member.index, at));
  // Every supported proposal has the same list of up to thousands of node IDs: its text is created once.
  const votes = (supporters: ReadonlyArray<GenesisMember>): string => {
    const weight = sumWeights(supporters);
    const names = JSON.stringify(supporters.map(({ nodeId }) => nodeId).sort());
    return `{"supportWeight":"${weight}","supporters":${names},"objectWeight":"0","objectors":[],"abstainWeight":"${exact - weight}"}`;
  };
  const noSupporters = votes([]);
  const supporters = votes(supporting.filter((member) => supportedProposals(view, member).length > 0));
  const entries = listedProposals(view).map(
    (proposal) => `"${proposal}":${SUPPORTED.includes(proposal) ? supporters : noSupporters}`,
  );
  return { json: `{"acps":{${entries.join(",")}}}` };
};

const upgrades: SimulatedMethod = (view) => ok(schedule(view, heliconTimeAt(view.network, view.index, view.at)));

const service: RpcService = {
  name: "info",
  methods: {
    acps,
    getBlockchainID,
    getNetworkID,
    getNetworkName,
    getNodeID,
    getNodeIP,
    getNodeVersion,
    getTxFee,
    getVMs,
    isBootstrapped,
    peers,
    upgrades,
    uptime,
  },
};

export const info: Interface = (request, view) =>
  request.path === "/ext/info" ? answerRpc(service, request, view) : undefined;
