/** A node as a candidate for reference node of its network. */
export type Candidate = {
  readonly name: string;
  readonly up: boolean;
  /** Whether its P-Chain is done bootstrapping; `undefined` when unknown. */
  readonly bootstrapped: boolean | undefined;
  /** Since when its height has been behind another node's; `undefined` when it keeps up. Unix seconds. */
  readonly behindSince: number | undefined;
};

/** Tolerated time behind another node: a lag of a block or two between polls is normal. Seconds. */
const BEHIND_FOR = 60;

/**
 * Chooses the reference node of a network: the first node of the configuration that is up, bootstrapped and keeps up. If none
 * keeps up, the first one that is up and bootstrapped; `undefined` if there is none.
 */
export function chooseReferenceNode(candidates: readonly Candidate[], now: number): string | undefined {
  const able = candidates.filter(({ up, bootstrapped }) => up && bootstrapped === true);
  const sound = able.find(({ behindSince }) => behindSince === undefined || now - behindSince < BEHIND_FOR);
  return (sound ?? able[0])?.name;
}
