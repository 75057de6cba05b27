/** A recording rule for a figure that several alerts need, or that is expensive. In a template it is its name. */
export type Recording<L extends string = string> = {
  /** `level:metric:operations`. */
  readonly name: `${string}:avax_${string}:${string}`;
  /** What the series is, in a sentence. */
  readonly about: string;
  readonly expr: string;
  /** Labels of its series, without those of the scrape. */
  readonly labels: readonly L[];
  readonly toString: () => string;
};

export function recording<const L extends string>(rule: Omit<Recording<L>, "toString">): Recording<L> {
  return { ...rule, toString: () => rule.name };
}
