import { quantile } from "../../topics/quantile.ts";
import { PromqlError, type Labelling } from "./expression.ts";
import { labelsKept, seriesOf, signature, type Sample } from "./sample.ts";

const OPERATORS: Readonly<Record<string, (values: readonly number[], parameter: number) => number>> = {
  count: (values) => values.length,
  group: () => 1,
  sum: (values) => values.reduce((sum, each) => sum + each, 0),
  min: (values) => values.reduce((a, b) => (b < a || Number.isNaN(a) ? b : a)),
  max: (values) => values.reduce((a, b) => (b > a || Number.isNaN(a) ? b : a)),
  quantile: (values, parameter) => quantile(parameter, values),
};

/** @throws PromqlError for an unsupported operator */
export function aggregated(
  operator: string,
  grouping: Labelling,
  parameter: number,
  samples: readonly Sample[],
): readonly Sample[] {
  // A group has at least one sample.
  const groups = [...Map.groupBy(samples, (sample) => signature(sample, grouping)).values()] as Array<
    [Sample, ...Sample[]]
  >;
  // The first samples of each group, with their names and all of their labels.
  if (operator === "topk") return groups.flatMap((group) => group.toSorted(largestFirst).slice(0, parameter));
  const combine = OPERATORS[operator];
  if (combine === undefined) throw new PromqlError(`${operator} is not evaluated here`);
  return groups.map((group) => ({
    name: "",
    series: seriesOf(labelsKept(group[0], grouping)),
    value: combine(
      group.map(({ value }) => value),
      parameter,
    ),
  }));
}

/** NaN comes last. */
function largestFirst({ value: a }: Sample, { value: b }: Sample): number {
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b)) || Number(b > a) - Number(a > b);
}
