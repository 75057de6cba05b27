/** A recording rule for a figure that several alerts need, or that is expensive. In a template it is its name. */
export type Recording<L extends string = string> = {
  /** `level:metric:operations`. */
  readonly name: `${string}:avax_${string}:${string}`;
  /** What the series is, in a sentence. */
  readonly about: string;
  readonly expr: string;
  /** Labels of its series, without those of the scrape. */
  readonly labels: readonly L[];
  /** In the group of what several groups read. */
  readonly shared?: true;
  readonly toString: () => string;
};

/** Every recording rule that is declared, by name: an expression names those that it reads. */
const DECLARED = new Map<string, Recording>();

export function recording<const L extends string>(rule: Omit<Recording<L>, "toString">): Recording<L> {
  if ((DECLARED.get(rule.name)?.expr ?? rule.expr) !== rule.expr)
    throw new Error(`two recordings are called ${rule.name}`);
  const declared = { ...rule, toString: () => rule.name };
  DECLARED.set(rule.name, declared);
  return declared;
}

/** One that alerts of several groups read: it is recorded once, in a group of its own. */
export function sharedRecording<const L extends string>(rule: Omit<Recording<L>, "toString">): Recording<L> {
  return recording({ ...rule, shared: true });
}

/** The recording rules that an expression names. */
export function recordedIn(expr: string): readonly Recording[] {
  return [...new Set(expr.match(/\b[a-z]+:avax_\w+:\w+/g))].flatMap((name) => DECLARED.get(name) ?? []);
}
