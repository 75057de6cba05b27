/** A recording rule for a figure that several alerts need, or that is expensive. In a template it is its name. */
export type Recording<L extends string = string> = {
  /** `level:metric:operations`. */
  readonly name: `${string}:avax_${string}:${string}`;
  /** What the series is, in a sentence. */
  readonly about: string;
  readonly expr: string;
  /** Labels of its series, without those of the scrape. */
  readonly labels: readonly L[];
  /** Alerts of several groups read it: it is recorded once, in a group of its own. */
  readonly shared?: true;
  /** The recorded series that it reads. */
  readonly reads?: readonly Recording[];
  readonly toString: () => string;
};

export function recording<const L extends string>(rule: Omit<Recording<L>, "toString">): Recording<L> {
  return { ...rule, toString: () => rule.name };
}
