import type { Peer } from "./peer.ts";

/**
 * The peers of one node, in little memory: 1,200 records take some 160 kB, this form 40 kB. What every node sees of a peer is kept once for
 * all of them, and times and ratios are kept as numbers in one buffer.
 */

/** Peers in the order of the answer. An array of records is one too. */
export type PeerList = Iterable<Peer> & { readonly length: number };

/** What topics read of an answer of `info.peers`. */
export type ConnectedPeers = { readonly peers: PeerList };

/** What a peer says of itself, the same to each node that is connected to it. */
type Identity = Pick<Peer, "nodeID" | "version" | "trackedSubnets" | "upgradeTime">;

/** Identities that are known at once. The main network has some 1,300 validators; a lying node can name any number. */
const MOST = 50_000;

const identities = new Map<string, Identity>();

/** The known copy of a peer's identity. Where nodes see different ones, the last one is known. */
function identityOf({ nodeID, version, trackedSubnets, upgradeTime }: Peer): Identity {
  const known = identities.get(nodeID);
  // Lists of texts are interned, so equal ones are the same.
  if (known?.version === version && known.trackedSubnets === trackedSubnets && known.upgradeTime === upgradeTime)
    return known;
  if (identities.size >= MOST) identities.clear();
  const identity = { nodeID, version, trackedSubnets, upgradeTime };
  identities.set(nodeID, identity);
  return identity;
}

const NONE: readonly string[] = [];

/** Numbers of a peer in the buffer; `NaN` is none. */
const [SENT, RECEIVED, UPTIME, NUMBERS] = [0, 1, 2, 3];

/** Packs records. The list yields records that are equal to them. */
export function packedPeers(peers: readonly Peer[]): PeerList {
  const known = peers.map(identityOf);
  const numbers = new Float64Array(peers.length * NUMBERS);
  /** By position in the list: few peers are benched. */
  const benches = new Map<number, readonly string[]>();
  for (const [index, { lastSent, lastReceived, observedUptime, benched }] of peers.entries()) {
    const from = index * NUMBERS;
    numbers[from + SENT] = lastSent ?? NaN;
    numbers[from + RECEIVED] = lastReceived ?? NaN;
    numbers[from + UPTIME] = observedUptime ?? NaN;
    if (benched.length > 0) benches.set(index, benched);
  }

  const numberOf = (index: number, which: number): number | undefined => {
    const value = numbers[index * NUMBERS + which];
    return value === undefined || Number.isNaN(value) ? undefined : value;
  };
  const peerAt = (index: number, { nodeID, version, trackedSubnets, upgradeTime }: Identity): Peer => ({
    nodeID,
    version,
    lastSent: numberOf(index, SENT),
    lastReceived: numberOf(index, RECEIVED),
    observedUptime: numberOf(index, UPTIME),
    trackedSubnets,
    benched: benches.get(index) ?? NONE,
    upgradeTime,
  });
  return {
    length: known.length,
    // Not a generator, which is several times as slow.
    [Symbol.iterator]() {
      let index = 0;
      return {
        next() {
          const identity = known[index];
          return identity === undefined
            ? { done: true, value: undefined }
            : { done: false, value: peerAt(index++, identity) };
        },
      };
    },
  };
}
