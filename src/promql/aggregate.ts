import { PromqlError, type Labelling } from "./expression.ts";
import { labelsKept, seriesOf, signature, type Sample } from "./sample.ts";
import { inSteps, type Work } from "../runtime/work.ts";

const OPERATORS: Readonly<Record<string, (values: readonly number[], parameter: number) => number>> = {
  count: (values) => values.length,
  group: () => 1,
  sum: (values) => values.reduce((sum, each) => sum + each, 0),
  avg: (values) => values.reduce((sum, each) => sum + each, 0) / values.length,
  min: (values) => values.reduce((a, b) => (b < a || Number.isNaN(a) ? b : a)),
  max: (values) => values.reduce((a, b) => (b > a || Number.isNaN(a) ? b : a)),
  quantile: (values, parameter) => quantile(parameter, values),
};

/** @throws PromqlError for an unsupported operator */
export function* aggregated(
  operator: string,
  grouping: Labelling,
  parameter: number,
  samples: readonly Sample[],
): Work<readonly Sample[]> {
  const combine = OPERATORS[operator];
  if (combine === undefined) throw new PromqlError(`${operator} is not evaluated here`);
  const groups = new Map<string, { readonly first: Sample; readonly values: number[] }>();
  yield* inSteps(samples, (sample) => {
    const key = signature(sample, grouping);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: sample, values: [sample.value] });
    else group.values.push(sample.value);
  });
  return [...groups.values()].map(({ first, values }) => ({
    name: "",
    series: seriesOf(labelsKept(first, grouping)),
    value: combine(values, parameter),
  }));
}

/** Interpolates linearly between the two nearest values, as Prometheus does. */
function quantile(phi: number, values: readonly number[]): number {
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
