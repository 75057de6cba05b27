/** Interpolates linearly between the two nearest values, as Prometheus does. */
export function quantile(phi: number, values: readonly number[]): number {
  const ordered = values.toSorted((a, b) => a - b);
  const rank = phi * (ordered.length - 1);
  const lower = Math.floor(rank);
  const weight = rank - lower;
  const [low = NaN, high = low] = ordered.slice(lower, lower + 2);
  return weight === 0 ? low : low * (1 - weight) + high * weight;
}
