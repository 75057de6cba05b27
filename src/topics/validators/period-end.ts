import type { Metric } from "../define/metric.ts";
import type { Threshold } from "../define/threshold.ts";

/** In a short period a limit in days is always reached: the end is near in the last quarter of the period at the earliest. */
const LAST_RATIO = 0.25;

type Bounds = Readonly<Record<"start" | "end", Metric<never, "subnet" | "node_id">>>;

/** Seconds until the end of the periods that end within the limit, and within their last quarter. */
export function endsWithin(limit: Threshold, { start, end }: Bounds): string {
  return `(${end} - time() < ${limit} < ${LAST_RATIO} * (${end} - ${start}))`;
}
