import { where } from "../../../src/topics/define/selector.ts";
import { subnets } from "../../../src/topics/network/subnets.ts";
import { NETWORK } from "./selectors.ts";

/** Figures by network and subnet with the label `name`: the configured name of the subnet, else its ID. */
export function withSubnetNames(expr: string): string {
  const names = `group by (network, subnet, name) (${where(subnets.metrics.info, NETWORK)})`;
  const ids = `label_replace(${expr}, "name", "$1", "subnet", "(.*)")`;
  return `(${expr}) * on (network, subnet) group_left (name) ${names} or ignoring (name) ${ids}`;
}
