import type { Service } from "../api/hosted/hosted.ts";
import { unitsPerDay } from "../api/hosted/hosted-endpoints.ts";
import type { Config, HostedConfig } from "./config.ts";
import { warn, type Findings } from "./base/tree.ts";
import { quoted } from "./base/words.ts";

/** Warns of what is valid and does not come out as it was probably meant: of subnets without nodes, and of too little budget. */
export function warnOfDemand(config: Config, findings: Findings): void {
  warnOfSubnets(config, findings);
  if (config.dataApi !== undefined) warnOfBudget("data", config.dataApi, config, findings);
  if (config.metricsApi !== undefined) warnOfBudget("metrics", config.metricsApi, config, findings);
}

function warnOfSubnets({ nodes, subnets }: Config, findings: Findings): void {
  if (nodes.length === 0) return;
  const served = new Set(nodes.flatMap((node) => node.subnets));
  subnets.forEach(({ id, name, network }, index) => {
    if (served.has(id)) return;
    const help =
      network === undefined
        ? "name it under a node's subnets"
        : `set network: ${network} on its nodes, or name it under their subnets`;
    warn(findings, ["subnets", index], `no node is asked about the subnet ${quoted(name)}; ${help}`);
  });
}

/** Warns when more is asked for than the budget of a day allows: answers would come late. */
function warnOfBudget(
  service: Service,
  { budget, wanted }: HostedConfig,
  { endpoints }: Config,
  findings: Findings,
): void {
  const allowed = Math.round(Math.min(budget.perDay, budget.perMinute * 1440) * 0.9);
  const asked = Math.round(unitsPerDay(service, wanted, endpoints));
  if (asked <= allowed) return;
  const section = service === "data" ? "data_api" : "metrics_api";
  warn(
    findings,
    [section],
    `about ${asked} units a day are asked for and ${allowed} can be spent: answers will come late; ask less often (endpoints), about less, or raise the budget to what your key allows`,
  );
}
