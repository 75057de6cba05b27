/** Lines in a chart of nodes: more have no colour of their own in Grafana's palette, or that of a limit. */
export const FEW_LINES = 4;
/** Bars in a timeline of nodes. */
export const FEW_BARS = 30;

type Worst = { readonly of: "highest" | "lowest"; readonly by?: string; readonly count?: number };

/**
 * The series that were worst within the selected time range, the same ones over the whole range: `topk` alone chooses others at
 * each step. So 1,000 nodes are not 1,000 lines.
 */
export function top(expr: string, { of, by = "node", count = FEW_LINES }: Worst): string {
  const [choose, over] = of === "highest" ? ["topk", "max_over_time"] : ["bottomk", "min_over_time"];
  const ranked = `${choose}(${count}, ${over}((${expr})[$__range:$__interval] @ end()))`;
  return `(${expr}) and on (${by}) ${ranked}`;
}
