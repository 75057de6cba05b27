import type { HostedService } from "../api/hosted/hosted-endpoint.ts";
import { unitsPerDay } from "../api/hosted/hosted-endpoints.ts";
import type { Config, HostedConfig } from "./config.ts";
import { knownNetworkOf } from "../api/node/network-names.ts";
import { isOfNetwork } from "../api/node/wallets-of.ts";
import { isNothing } from "./schema/data-api-of.ts";
import { warning, type ConfigFinding } from "./base/config-finding.ts";
import { quoted } from "./base/error-texts.ts";

/** Warns about a configuration that is valid but probably not intended: subnets without nodes, and a request budget that is too small. */
export function* checkDemand(config: Config): Iterable<ConfigFinding> {
  yield* checkSubnets(config);
  yield* checkWallets(config);
  const { nodes, dataApi, metricsApi } = config;
  // The validators of polled nodes are asked about once their IDs are known.
  const hasNode = nodes.some(({ network }) => network === undefined || network === dataApi?.wanted.network);
  if (dataApi !== undefined && isNothing(dataApi.wanted) && !hasNode)
    yield warning(
      ["data_api"],
      "nothing is requested: poll a node of this network, name validators under watch or here, or list chains, wallets or accounts",
    );
  yield* checkBudget("data", dataApi, config);
  yield* checkBudget("metrics", metricsApi, config);
}

function* checkSubnets({ nodes, subnets }: Config): Iterable<ConfigFinding> {
  if (nodes.length === 0) return;
  const served = new Set(nodes.flatMap((node) => node.subnets));
  for (const [index, { id, name, network }] of subnets.entries()) {
    if (served.has(id)) continue;
    const help = network === undefined ? "" : `set network: ${network} on its nodes, or `;
    yield warning(["subnets", index], `no node serves the subnet ${quoted(name)}; ${help}name it under their subnets`);
  }
}

function* checkWallets({ nodes, watch, dataApi }: Config): Iterable<ConfigFinding> {
  const networks = [...nodes.map(({ network }) => network), ...(dataApi === undefined ? [] : [dataApi.wanted.network])];
  for (const [index, { address }] of watch.addresses.entries())
    if (
      !networks.some((network) => isOfNetwork(address, { network, knownNetwork: knownNetworkOf(undefined, network) }))
    )
      yield warning(["watch", "addresses", index, "address"], "no node is on the network of this address");
}

/** Warns when the scheduled requests exceed 90 % of the daily budget. */
function* checkBudget(
  service: HostedService,
  hosted: HostedConfig | undefined,
  { endpoints }: Config,
): Iterable<ConfigFinding> {
  if (hosted === undefined) return;
  const { budget, wanted } = hosted;
  const allowed = Math.round(Math.min(budget.perDay, budget.perMinute * 1440) * 0.9);
  const scheduled = Math.round(unitsPerDay(service, wanted, endpoints));
  if (scheduled <= allowed) return;
  yield warning(
    [`${service}_api`],
    `polls need about ${scheduled} units a day, the budget allows ${allowed}: data will be late; poll less often (endpoints), request less, or raise the budget to what your key allows`,
  );
}
