/** What prom-client says of any process, as far as a dashboard shows it. */
export const PROCESS_FAMILIES = {
  memory: "process_resident_memory_bytes",
  cpu: "process_cpu_seconds_total",
  loopDelay: "nodejs_eventloop_lag_p99_seconds",
} as const;
