import type { Threshold } from "@grafana/grafana-foundation-sdk/dashboard";

/** Red below the limit of an alert. */
export function redBelow(limit: number): readonly Threshold[] {
  return [
    { value: null, color: "red" },
    { value: limit, color: "green" },
  ];
}

/** Red above the limit of an alert. */
export function redAbove(limit: number): readonly Threshold[] {
  return [
    { value: null, color: "green" },
    { value: limit, color: "red" },
  ];
}

/** Red below the limit of a critical alert, orange below that of a warning. */
export function redOrangeBelow(critical: number, warning: number): readonly Threshold[] {
  return [
    { value: null, color: "red" },
    { value: critical, color: "orange" },
    { value: warning, color: "green" },
  ];
}

export const DEFAULT_THRESHOLDS: readonly Threshold[] = [{ value: null, color: "blue" }];
