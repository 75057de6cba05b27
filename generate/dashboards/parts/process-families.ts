/** Process metrics of prom-client that dashboards show. */
export const PROCESS_FAMILIES = {
  memory: "process_resident_memory_bytes",
  cpu: "process_cpu_seconds_total",
  loopDelay: "nodejs_eventloop_lag_p99_seconds",
} as const;
