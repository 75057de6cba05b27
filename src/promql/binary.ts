import { PromqlError, SET_OPERATORS, type Binary } from "./expression.ts";
import { labelsKept, labelsOf, seriesOf, signature, sorted, type Labels, type Sample } from "./sample.ts";
import { inSteps, type Work } from "../runtime/work.ts";

/** A number, or samples of a moment. */
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

/** @throws PromqlError where Prometheus has an error too: several series where one is meant. */
export function* combined(how: How, left: Value, right: Value): Work<Value> {
  if (SET_OPERATORS.has(how.operator)) {
    if (typeof left === "number" || typeof right === "number")
      throw new PromqlError(`${how.operator} takes no numbers`);
    return yield* setOperation(how, left, right);
  }
  const compute = OPERATORS[how.operator];
  if (compute === undefined) throw new PromqlError(`${how.operator} is not evaluated here`);
  if (typeof left === "number" && typeof right === "number") return Number(compute(left, right));
  if (typeof left !== "number" && typeof right !== "number") return yield* matched(how, compute, left, right);
  const [samples, number] = typeof left === "number" ? [right as readonly Sample[], left] : [left, right as number];
  const kept: Sample[] = [];
  yield* inSteps(samples, (sample) => {
    const result = typeof left === "number" ? compute(number, sample.value) : compute(sample.value, number);
    const made = outcome(how, result, sample, sample.value, sample.series);
    if (made !== undefined) kept.push(made);
  });
  return kept;
}

/** A comparison keeps the sample or drops it; everything else, `bool` too, makes a value without a metric's name. */
function outcome(
  { bool }: How,
  result: number | boolean,
  { name }: Sample,
  value: number,
  series: Sample["series"],
): Sample | undefined {
  if (typeof result === "number") return { name: "", series, value: result };
  if (bool) return { name: "", series, value: Number(result) };
  return result ? { name, series, value } : undefined;
}

function* setOperation(
  { operator, matching }: How,
  left: readonly Sample[],
  right: readonly Sample[],
): Work<readonly Sample[]> {
  if (left.length === 0) return operator === "or" ? right : [];
  const [shown, other] = operator === "or" ? [right, left] : [left, right];
  const present = new Set<string>();
  yield* inSteps(other, (sample) => void present.add(signature(sample, matching)));
  const kept: Sample[] = operator === "or" ? [...left] : [];
  yield* inSteps(shown, (sample) => {
    if (present.has(signature(sample, matching)) === (operator === "and")) kept.push(sample);
  });
  return kept;
}

function* matched(
  how: How,
  compute: (a: number, b: number) => number | boolean,
  left: readonly Sample[],
  right: readonly Sample[],
): Work<readonly Sample[]> {
  if (left.length === 0 || right.length === 0) return [];
  const [many, one] = how.many === "right" ? [right, left] : [left, right];
  const ones = new Map<string, Sample>();
  yield* inSteps(one, (sample) => {
    const key = signature(sample, how.matching);
    if (ones.has(key))
      throw new PromqlError(`${how.operator} finds several series for the match group ${words(sample)}`);
    ones.set(key, sample);
  });
  const seen = new Set<string>();
  const kept: Sample[] = [];
  yield* inSteps(many, (sample) => {
    const key = signature(sample, how.matching);
    const partner = ones.get(key);
    if (partner === undefined) return;
    const [a, b] = how.many === "right" ? [partner.value, sample.value] : [sample.value, partner.value];
    // One to one by some labels, the result is no longer the metric's.
    const kin = how.many === undefined && how.matching.keep ? { ...sample, name: "" } : sample;
    const made = outcome(how, compute(a, b), kin, a, seriesOf(resultLabels(how, sample, partner)));
    if (made === undefined) return;
    if (how.many === undefined && seen.has(key))
      throw new PromqlError(`${how.operator} matches several series with ${words(sample)}`);
    seen.add(key);
    kept.push(made);
  });
  return kept;
}

/** One to one: the labels that were matched. Many to one: all labels of the many, and those asked for of the one. */
function resultLabels({ many, matching, include }: How, sample: Sample, partner: Sample): Labels {
  if (many === undefined) return labelsKept(sample, matching);
  if (include.length === 0) return labelsOf(sample);
  const given = labelsOf(partner);
  const own = [...labelsOf(sample)].filter(([name]) => !include.includes(name));
  return sorted([...own, ...[...given].filter(([name]) => include.includes(name))]);
}

function words(sample: Sample): string {
  return `{${[...labelsOf(sample)].map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(",")}}`;
}
