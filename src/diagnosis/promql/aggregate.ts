import { PromqlError, type Labelling } from "./expression.ts";
import { labelsKept, seriesOf, signature, type Sample } from "./sample.ts";

const OPERATORS: Readonly<Record<string, (values: readonly number[], parameter: number) => number>> = {
  count: (values) => values.length,
  group: () => 1,
  sum: (values) => values.reduce((sum, each) => sum + each, 0),
  avg: (values) => values.reduce((sum, each) => sum + each, 0) / values.length,
  min: (values) => values.reduce((a, b) => (b < a || Number.isNaN(a) ? b : a)),
  max: (values) => values.reduce((a, b) => (b > a || Number.isNaN(a) ? b : a)),
  quantile: (values, parameter) => quantile(parameter, values),
};

/** Order of the values that `topk` and `bottomk` keep. NaN is kept last, and of equal values the first. */
const RANKINGS: Readonly<Record<string, (a: number, b: number) => number>> = {
  topk: (a, b) => b - a,
  bottomk: (a, b) => a - b,
};

/** @throws PromqlError for an unsupported operator */
export function aggregated(
  operator: string,
  grouping: Labelling,
  parameter: number,
  samples: readonly Sample[],
): readonly Sample[] {
  const ranking = RANKINGS[operator];
  if (ranking !== undefined) return ranked(ranking, grouping, parameter, samples);
  const combine = OPERATORS[operator];
  if (combine === undefined) throw new PromqlError(`${operator} is not evaluated here`);
  return groupsOf(samples, grouping).map((group) => ({
    name: "",
    series: seriesOf(labelsKept(group[0], grouping)),
    value: combine(
      group.map(({ value }) => value),
      parameter,
    ),
  }));
}

/** The first samples of each group, with their names and all of their labels. */
function ranked(
  ranking: (a: number, b: number) => number,
  grouping: Labelling,
  most: number,
  samples: readonly Sample[],
): readonly Sample[] {
  if (Number.isNaN(most)) throw new PromqlError("the number of series is NaN");
  const order = ({ value: a }: Sample, { value: b }: Sample): number => {
    if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    // Two infinities have no difference.
    return a === b ? 0 : ranking(a, b);
  };
  return groupsOf(samples, grouping).flatMap((group) => group.toSorted(order).slice(0, Math.max(0, Math.trunc(most))));
}

function groupsOf(samples: readonly Sample[], grouping: Labelling) {
  // A group has at least one sample.
  return [...Map.groupBy(samples, (sample) => signature(sample, grouping)).values()] as Array<[Sample, ...Sample[]]>;
}

/** Interpolates linearly between the two nearest values, as Prometheus does. */
export function quantile(phi: number, values: readonly number[]): number {
  if (Number.isNaN(phi)) return NaN;
  if (phi < 0) return -Infinity;
  if (phi > 1) return Infinity;
  const ordered = [...values].sort((a, b) => a - b);
  const rank = phi * (ordered.length - 1);
  const lower = Math.floor(rank);
  const weight = rank - lower;
  const [low = NaN, high = low] = ordered.slice(lower, lower + 2);
  return weight === 0 ? low : low * (1 - weight) + high * weight;
}
