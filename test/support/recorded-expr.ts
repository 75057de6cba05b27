import { queryOf } from "../../src/topics/define/condition.ts";
import type { Recording } from "../../src/topics/define/recording.ts";

/** The PromQL of a recording rule with the standard limits. */
export const recordedExpr = ({ promql }: Recording): string => promql(queryOf({ settings: new Map(), more: [] }));
