import type { Alerts } from "../define/alert.ts";
import type { Metric, Moment } from "../define/metric.ts";
import { where } from "../define/selector.ts";

/** One day can be missing while the service computes it, but not two. Seconds. */
const BEHIND = 3.5 * 86_400;

/** Alert for old data of a service that answers. `dataTime` is the beginning of the exported interval. */
export function chainDataStale(
  dataTime: Metric<never, "metric" | "evm_chain_id" | "interval" | "window", Moment>,
): Alerts {
  return {
    AvaxHostedSeriesBehind: {
      severity: "warning",
      expr: `time() - max by (instance, job, evm_chain_id) (${where(dataTime, { interval: "day", window: "complete" })}) > ${BEHIND}`,
      labels: ["evm_chain_id"],
      for: "1h",
      summary: "Chain {{ $labels.evm_chain_id }}: Metrics API data is {{ $value | humanizeDuration }} behind",
      description: "The newest complete day began that long ago: the figures on /metrics are of that day.",
      meaning:
        "The service answers, but with old data: its indexing of this chain is stalled or lags. The figures of the chain do not change.",
      confirm:
        "`avax_hosted_chain_metric_timestamp_seconds` of this chain shows the day of each figure. Compare the chain's head at its own RPC.",
      commands: {
        [`call metrics-api '/v2/chains/{chainId}/metrics/{metric}' '{"chainId": "<evm_chain_id>", "metric": "txCount", "timeInterval": "day", "pageSize": 1}'`]:
          "`timestamp` of the newest day, unix seconds.",
      },
      action: "Contact the service's operator. Use the figures of your own nodes meanwhile.",
      falseWhen: "The chain made no block for days, so no day can be counted.",
    },
  };
}
