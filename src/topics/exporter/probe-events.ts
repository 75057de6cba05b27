import type { Reason } from "../../api/reasons.ts";
import { gauge, gauges, type Metric } from "../define/metric.ts";

/** Why a probe was refused: a closed set, because it is a label value. */
export const REFUSALS = ["busy", "forbidden", "malformed", "module"] as const;
export type CountedRefusal = (typeof REFUSALS)[number];

/** Counted events of probes. Durations in seconds. */
export type ProbeEvents = {
  readonly ended: (module: string, seconds: number, success: boolean) => void;
  readonly refused: (why: CountedRefusal) => void;
};

/** The result of a probe. */
export type ProbeResult = {
  /** Whether every poll succeeded. */
  readonly success: boolean;
  readonly seconds: number;
  /** Failed polls, by endpoint and reason. */
  readonly failures: readonly ProbeFailure[];
};

export type ProbeFailure = { readonly endpoint: string; readonly reason: Reason; readonly polls: number };

/** The families about a probe itself, which follow those of its node. */
export const PROBE_FAMILIES: ReadonlyArray<Metric<ProbeResult, string, void>> = [
  gauge(
    "probe_success",
    "1 when every poll of the module succeeded; an optional endpoint that the node lacks does not count.",
    ({ success }) => success,
  ),
  gauge("probe_duration_seconds", "Duration of the probe.", ({ seconds }) => seconds),
  gauges(
    "probe_failed_polls",
    "Failed polls of the probe; absent when all succeeded.",
    ["api_endpoint", "reason"],
    ({ failures }) => failures.map(({ endpoint, reason, polls }) => [{ api_endpoint: endpoint, reason }, polls]),
  ),
];
