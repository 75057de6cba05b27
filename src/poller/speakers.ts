/** A node as a candidate for speaking for its network. */
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
 * The node that speaks for a network: the present one while it answers, is bootstrapped and keeps up, otherwise the first
 * such node of the configuration. When none keeps up, one that answers is better than none; `undefined` when none does.
 */
export function chooseSpeaker(
  candidates: readonly Candidate[],
  current: string | undefined,
  now: number,
): string | undefined {
  const able = candidates.filter(({ up, bootstrapped }) => up && bootstrapped === true);
  const sound = able.filter(({ behindSince }) => behindSince === undefined || now - behindSince < BEHIND_FOR);
  const choice = sound.length > 0 ? sound : able;
  return (choice.find(({ name }) => name === current) ?? choice[0])?.name;
}
