import { samplesOf } from "../../../../src/diagnosis/samples.ts";
import { evaluate } from "../../../../src/diagnosis/promql/evaluate.ts";
import { parse } from "../../../../src/diagnosis/promql/parse.ts";
import { labelsOf } from "../../../../src/diagnosis/promql/sample.ts";
import { readingsIn } from "../../../support/readings.ts";

export type Result = { readonly labels: Readonly<Record<string, string>>; readonly value: number };

/** The result of a dashboard's expression on sample lines. Every variable stands at "All". */
export function evaluated(expr: string, lines: readonly string[]): readonly Result[] {
  const source = samplesOf(readingsIn(`${lines.join("\n")}\n`), 1000);
  const value = evaluate(parse(expr.replaceAll(/\$\w+/g, ".*")), source);
  if (typeof value === "number") return [{ labels: {}, value }];
  return value.map((sample) => ({ labels: Object.fromEntries(labelsOf(sample)), value: sample.value }));
}
