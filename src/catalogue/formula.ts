/** How a derived figure is made, with an example that the reference shows and a test computes. */
export type Formula = {
  /** Name of the metric. */
  readonly metric: string;
  readonly formula: string;
  /** The example in words, with its figures. */
  readonly example: string;
  /** What the example gives, worked out by hand. */
  readonly result: number;
  /** The same with the function that the metric is read with. */
  readonly compute: () => number | undefined;
};
