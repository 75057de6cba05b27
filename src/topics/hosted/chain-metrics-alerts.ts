import type { Alert } from "../../catalogue/alert.ts";
import type { Metric, Moment } from "../../catalogue/metric.ts";
import { where } from "../../catalogue/selector.ts";

/** One day may be missing while the service computes it, but not two. Seconds. */
const BEHIND = 3.5 * 86_400;

/** Alert for old data of a service that answers. `dataTime` is the beginning of the exported interval. */
export function chainDataStale(
  dataTime: Metric<never, "metric" | "evm_chain_id" | "interval" | "window", Moment>,
): Alert {
  return {
    name: "AvaxHostedSeriesBehind",
    severity: "warning",
    expr: `time() - max by (instance, job, evm_chain_id) (${where(dataTime, { interval: "day", window: "complete" })}) > ${BEHIND}`,
    for: "1h",
    summary: "The Metrics API is {{ $value | humanizeDuration }} behind for chain {{ $labels.evm_chain_id }}",
    description:
      "The newest complete day that the Metrics API has of chain {{ $labels.evm_chain_id }} began {{ $value | humanizeDuration }} ago. The figures on /metrics are of that day, not of yesterday.",
    runbook: {
      meaning:
        "The service answers, and what it answers is old: its indexing of this chain stands still or lags. The figures of the chain have stopped, whatever their graph looks like.",
      confirm:
        "`avax_hosted_chain_metric_timestamp_seconds` of this chain tells which day each figure is about; compare the chain's head at its own RPC.",
      commands: [
        {
          run: `call metrics-api '/v2/chains/{chainId}/metrics/{metric}' '{"chainId": "<evm_chain_id>", "metric": "txCount", "timeInterval": "day", "pageSize": 1}'`,
          see: "`timestamp` of the newest day, unix seconds.",
        },
      ],
      action: "Nothing can be done here; ask the service's operator. Use the figures of your own nodes meanwhile.",
      falseWhen: "The chain made no block for days: there is no day to count.",
    },
    fires: {
      series: {
        'avax_hosted_chain_metric_timestamp_seconds{metric="txCount",evm_chain_id="43114",interval="day",window="complete"}':
          "-400000x90",
      },
      at: "80m",
      labels: { evm_chain_id: "43114" },
    },
    silent: {
      series: {
        'avax_hosted_chain_metric_timestamp_seconds{metric="txCount",evm_chain_id="43114",interval="day",window="complete"}':
          "-172800x90",
      },
      at: "80m",
      why: "the last complete day began two days ago: it is yesterday's, just before midnight",
    },
  };
}
