/** A node as a candidate for reference node of its network. */
export type Candidate = {
  readonly name: string;
  readonly up: boolean;
  /** Whether its P-Chain is done bootstrapping; `undefined` when that is not known. */
  readonly bootstrapped: boolean | undefined;
  /** Since when every answer of it was behind another node's height; `undefined` when it is not behind. Unix seconds. */
  readonly behindSince: number | undefined;
};

/** A node may be behind for this long: a block or two between polls is ordinary. Seconds. */
const BEHIND_FOR = 60;

/**
 * The node that facts of a network are asked of: the first of the configuration that answers, is bootstrapped and keeps up. When
 * none keeps up, one that answers is better than none; `undefined` when none does.
 */
export function chooseReferenceNode(candidates: readonly Candidate[], now: number): string | undefined {
  const able = candidates.filter(({ up, bootstrapped }) => up && bootstrapped === true);
  const sound = able.find(({ behindSince }) => behindSince === undefined || now - behindSince < BEHIND_FOR);
  return (sound ?? able[0])?.name;
}
