import type { Alerts } from "../define/alert.ts";
import { SUBNET } from "../define/alert-texts.ts";
import { DISCONNECTED, DUPLICATED_VALIDATOR } from "../define/causes.ts";
import type { Metric } from "../define/metric.ts";
import { threshold } from "../define/threshold.ts";
import { l1Validator } from "./l1-validator.ts";

/** No chain states what an L1 requires: 80 % is the Primary Network's, and the default of the staking manager of AvalancheGo's L1s. */
const REQUIRED = 0.8;
/** A few minutes offline are much of a younger validation. Seconds. */
const YOUNG = 86_400;

const required = threshold(
  "l1-uptime",
  "share",
  "when the observed uptime of an own L1 validator is below this, a day after its validation began",
  { standard: REQUIRED, least: 0.01, most: 1 },
);

/** For the operator of an L1 validator whose rewards the L1 pays by uptime. */
export function l1UptimeAlerts({
  uptime,
}: Readonly<Record<"uptime", Metric<never, "subnet" | "node_id" | "validation_id">>>): Alerts {
  return {
    AvaxL1UptimeLow: {
      severity: "warning",
      expr: `100 * (quantile without (node, instance, job) (0.5, ${uptime}) < ${required}) and on (network, subnet, validation_id) time() - ${l1Validator.metrics.start} > ${YOUNG}`,
      labels: ["network", "subnet", "node_id", "validation_id"],
      for: "15m",
      thresholds: [required],
      noPage:
        "The uptime of an L1 rises and falls by hours; AvaxL1ValidatorOffline pages for a validator that is offline.",
      explainedBy: [
        {
          alert: "AvaxL1ValidatorOffline",
          equal: ["network", "subnet", "node_id"],
          why: "The validator is offline: its uptime falls.",
        },
        { ...DISCONNECTED, where: { subnet: "primary" }, equal: ["network", "node_id"] },
        DUPLICATED_VALIDATOR,
      ],
      summary: `{{ or $labels.name $labels.node_id }} has {{ $value | printf "%.1f" }} % uptime in ${SUBNET}: rewards at risk`,
      description: `The median of the polled nodes observes less than ${required.words} (validation {{ $labels.validation_id }}).`,
      meaning:
        "The validators of the L1 count the uptime since the validation began. An L1 that pays rewards asks for a share of it; the default of its staking manager is 80 %.",
      confirm: "`avax_l1_validator_uptime_ratio` and `avax_l1_validator_connected` by node.",
      commands: {
        'call <any-node> info.peers \'{"nodeIDs": ["<node_id>"]}\'':
          "The validator is connected, and has the subnet in `trackedSubnets`.",
      },
      action: "Keep the validator online; its uptime rises slowly. Set `l1-uptime` to what the L1 requires.",
      falseWhen: "The L1 pays no rewards, or requires less.",
    },
  };
}
