import { PromqlError, SET_OPERATORS, type Binary } from "./expression.ts";
import { formatLabels, labelsKept, labelsOf, seriesOf, signature, sorted, type Labels, type Sample } from "./sample.ts";

/** A scalar or an instant vector. */
export type Value = number | readonly Sample[];

type How = Omit<Binary, "left" | "right">;
type Compute = (a: number, b: number) => number | boolean;

const OPERATORS: Readonly<Record<string, Compute>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
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
  if (compute === undefined || how.many === "right") throw new PromqlError(`${how.operator} is not evaluated here`);
  if (typeof left === "number") {
    if (typeof right === "number") return Number(compute(left, right));
    return right.flatMap((sample) => outcome(compute(left, sample.value), sample));
  }
  if (typeof right === "number") return left.flatMap((sample) => outcome(compute(sample.value, right), sample));
  return matched(how, compute, left, right);
}

/** A comparison keeps or drops the sample. Any other operation drops the metric's name. */
function outcome(result: number | boolean, sample: Sample): readonly Sample[] {
  if (typeof result === "number") return [{ name: "", series: sample.series, value: result }];
  return result ? [sample] : [];
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

/** One to one, or many samples of the left side to one of the right. */
function matched(how: How, compute: Compute, left: readonly Sample[], right: readonly Sample[]): readonly Sample[] {
  if (left.length === 0) return [];
  const partners = new Map<string, Sample>();
  for (const sample of right) {
    const key = signature(sample, how.matching);
    if (partners.has(key))
      throw new PromqlError(`${how.operator} finds several series for the match group {${formatLabels(sample)}}`);
    partners.set(key, sample);
  }
  const seen = new Set<string>();
  return left.flatMap((sample) => {
    const key = signature(sample, how.matching);
    const partner = partners.get(key);
    if (partner === undefined) return [];
    // A one-to-one match on some labels drops the metric's name.
    const name = how.many === undefined && how.matching.keep ? "" : sample.name;
    const labelled = { name, series: seriesOf(resultLabels(how, sample, partner)), value: sample.value };
    const result = outcome(compute(sample.value, partner.value), labelled);
    if (result.length === 0) return [];
    const group = how.many === undefined ? key : formatLabels(labelled);
    if (seen.has(group)) throw new PromqlError(`${how.operator} matches several series with {${formatLabels(sample)}}`);
    seen.add(group);
    return result;
  });
}

/** One to one: the matching labels. Many to one: all labels of the "many" side and the included ones of the "one" side. */
function resultLabels({ many, matching, include }: How, sample: Sample, partner: Sample): Labels {
  if (many === undefined) return labelsKept(sample, matching);
  if (include.length === 0) return labelsOf(sample);
  const own = [...labelsOf(sample)].filter(([name]) => !include.includes(name));
  return sorted([...own, ...[...labelsOf(partner)].filter(([name]) => include.includes(name))]);
}
