import type { Alerts } from "../define/alert.ts";
import { EXPORTER_OVERLOADED, NODE_OUT } from "../define/causes.ts";
import { countOf, sumOf } from "../define/selector.ts";
import { threshold } from "../define/threshold.ts";
import { polling } from "../exporter/polling.ts";

const slow = threshold("api-slow", "seconds", "when an answer of the node's API takes longer than this on average", {
  standard: 3,
  least: 1,
  most: 60,
});

const { duration } = polling.metrics;
const perSecond = (series: string): string => `rate(${series}[10m])`;

/** For the operator whose node still answers everything, but so late that deadlines are near. */
export const SLOW_API_ALERTS: Alerts = {
  AvaxNodeApiSlow: {
    severity: "warning",
    when: {
      promql: ({ series, limit }) =>
        `max without (instance)(${perSecond(series(sumOf(duration)))} / ${perSecond(series(countOf(duration)))}) > ${limit(slow)}`,
    },
    for: "10m",
    explainedBy: [...NODE_OUT, EXPORTER_OVERLOADED],
    summary: "{{ $labels.node }} answers slowly: {{ $value | humanizeDuration }} on average",
    over: "answers in time again",
    meaning:
      "The node's API is overloaded, its machine lacks processor time or disk speed, or the network path is slow. A validator in this state also answers its peers late.",
    confirm: "The status page: all polls of the node are slow, or only one.",
    commands: { "call <node> info.getNodeVersion": "The time until the answer: it is cheap for a healthy node." },
    action: "Check CPU, disk latency and memory. Move public API traffic to another node; look for expensive requests.",
    falsePositives: "The path between exporter and node is slow, or a proxy in between is.",
  },
};
