/** Series of a promtool case: name with labels → values in promtool's notation, one a minute. */
export type Series = Readonly<Record<string, string>>;

/**
 * A recording rule: what several conditions need, or what is dear to compute, is computed once at each evaluation and kept
 * under a name. In a template it is its name, as a metric is.
 */
export type Recording<L extends string = string> = {
  /** `level:metric:operations`. */
  readonly name: `${string}:avax_${string}:${string}`;
  /** What the series says, in a sentence. */
  readonly about: string;
  readonly expr: string;
  /** Labels of its series beside those of the scrape. */
  readonly labels: readonly L[];
  /** Proof: at `at` these are its samples, by their labels as PromQL writes them. */
  readonly proof: { readonly series: Series; readonly at: string; readonly samples: Readonly<Record<string, number>> };
  readonly toString: () => string;
};

export function recording<const L extends string>(rule: Omit<Recording<L>, "toString">): Recording<L> {
  return { ...rule, toString: () => rule.name };
}
