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

/** Orange below the limit of a warning. */
export function orangeBelow(limit: number): readonly Threshold[] {
  return [
    { value: null, color: "orange" },
    { value: limit, color: "green" },
  ];
}

/** Orange above the limit of a warning. */
export function orangeAbove(limit: number): readonly Threshold[] {
  return [
    { value: null, color: "green" },
    { value: limit, color: "orange" },
  ];
}

/**
 * The same limits as lines of a chart: Grafana draws a line in the colour of the steps from its value on, unless these are
 * transparent. So a limit has the colour of its bad side, whichever side that is.
 */
export function asLines(steps: readonly Threshold[]): readonly Threshold[] {
  return steps.map((step) => (BAD.has(step.color) ? step : { ...step, color: "transparent" }));
}

const BAD: ReadonlySet<string> = new Set(["red", "orange", "yellow"]);

/** Red below the limit of a critical alert, orange below that of a warning. */
export function redOrangeBelow(critical: number, warning: number): readonly Threshold[] {
  return [
    { value: null, color: "red" },
    { value: critical, color: "orange" },
    { value: warning, color: "green" },
  ];
}

export const DEFAULT_THRESHOLDS: readonly Threshold[] = [{ value: null, color: "blue" }];
