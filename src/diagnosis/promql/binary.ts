import { PromqlError, SET_OPERATORS, type Binary } from "./expression.ts";
import { formatLabels, labelsKept, labelsOf, seriesOf, signature, sorted, type Labels, type Sample } from "./sample.ts";

/** A scalar or an instant vector. */
export type Value = number | readonly Sample[];

type How = Omit<Binary, "left" | "right">;

const OPERATORS: Readonly<Record<string, (a: number, b: number) => number | boolean>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
  "^": (a, b) => a ** b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

/** @throws PromqlError where Prometheus fails too: several series match where one is required */
export function combined(how: How, left: Value, right: Value): Value {
  if (SET_OPERATORS.has(how.operator)) {
    if (typeof left === "number" || typeof right === "number")
      throw new PromqlError(`${how.operator} takes no numbers`);
    return setOperation(how, left, right);
  }
  const compute = OPERATORS[how.operator];
  if (compute === undefined) throw new PromqlError(`${how.operator} is not evaluated here`);
  if (typeof left === "number" && typeof right === "number") return Number(compute(left, right));
  if (typeof left !== "number" && typeof right !== "number") return matched(how, compute, left, right);
  const [samples, number] = typeof left === "number" ? [right as readonly Sample[], left] : [left, right as number];
  return samples.flatMap((sample) => {
    const result = typeof left === "number" ? compute(number, sample.value) : compute(sample.value, number);
    return outcome(how, result, sample, sample.value, sample.series);
  });
}

/** A comparison keeps or drops the sample. Any other operation, and `bool`, drops the metric's name. */
function outcome(
  { bool }: How,
  result: number | boolean,
  { name }: Sample,
  value: number,
  series: Sample["series"],
): readonly Sample[] {
  if (typeof result === "number" || bool) return [{ name: "", series, value: Number(result) }];
  return result ? [{ name, series, value }] : [];
}

function setOperation(
  { operator, matching }: How,
  left: readonly Sample[],
  right: readonly Sample[],
): readonly Sample[] {
  if (left.length === 0) return operator === "or" ? right : [];
  const [filtered, other] = operator === "or" ? [right, left] : [left, right];
  const present = new Set(other.map((sample) => signature(sample, matching)));
  const kept = filtered.filter((sample) => present.has(signature(sample, matching)) === (operator === "and"));
  return operator === "or" ? [...left, ...kept] : kept;
}

function matched(
  how: How,
  compute: (a: number, b: number) => number | boolean,
  left: readonly Sample[],
  right: readonly Sample[],
): readonly Sample[] {
  if (left.length === 0 || right.length === 0) return [];
  const [many, one] = how.many === "right" ? [right, left] : [left, right];
  const ones = new Map<string, Sample>();
  for (const sample of one) {
    const key = signature(sample, how.matching);
    if (ones.has(key))
      throw new PromqlError(`${how.operator} finds several series for the match group {${formatLabels(sample)}}`);
    ones.set(key, sample);
  }
  const matchedKeys = new Set<string>();
  const kept: Sample[] = [];
  for (const sample of many) {
    const key = signature(sample, how.matching);
    const partner = ones.get(key);
    if (partner === undefined) continue;
    const [a, b] = how.many === "right" ? [partner.value, sample.value] : [sample.value, partner.value];
    // A one-to-one match on some labels drops the metric's name.
    const base = how.many === undefined && how.matching.keep ? { ...sample, name: "" } : sample;
    const result = outcome(how, compute(a, b), base, a, seriesOf(resultLabels(how, sample, partner)));
    if (result.length === 0) continue;
    const seen = seenAs(how, key, result);
    if (seen !== undefined && matchedKeys.has(seen))
      throw new PromqlError(`${how.operator} matches several series with {${formatLabels(sample)}}`);
    if (seen !== undefined) matchedKeys.add(seen);
    kept.push(...result);
  }
  return kept;
}

/**
 * What a match must not give twice. One to one: the matching labels. Many to one: the labels of the result, which are those of
 * the sample and therefore differ, unless included labels replaced some of them.
 */
function seenAs({ many, include }: How, key: string, [result]: readonly Sample[]): string | undefined {
  if (many === undefined) return key;
  return include.length === 0 || result === undefined ? undefined : formatLabels(result);
}

/** One to one: the matching labels. Many to one: all labels of the "many" side and the included ones of the "one" side. */
function resultLabels({ many, matching, include }: How, sample: Sample, partner: Sample): Labels {
  if (many === undefined) return labelsKept(sample, matching);
  if (include.length === 0) return labelsOf(sample);
  const given = labelsOf(partner);
  const own = [...labelsOf(sample)].filter(([name]) => !include.includes(name));
  return sorted([...own, ...[...given].filter(([name]) => include.includes(name))]);
}
