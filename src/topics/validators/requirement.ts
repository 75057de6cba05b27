import type { Subnet } from "../../api/endpoint.ts";
import { scheduled } from "../../api/node/info.ts";
import { PRIMARY, type Validator } from "../../api/node/platform.ts";

/** Uptime that a Primary Network validator needs for its reward. Source: AvalancheGo's genesis parameters. */
const REQUIREMENT = 0.8;
/** The same when its period began at or after the Helicon upgrade. Source: ACP-267. */
const REQUIREMENT_SINCE_HELICON = 0.9;

/** When Helicon activates as one node's schedule says (`info.upgrades`), Unix seconds; nothing while it is not scheduled. */
export function heliconOf(upgrades: ReadonlyMap<string, number> | undefined): number | undefined {
  return scheduled(upgrades?.get("helicon"));
}

/**
 * The uptime that a validator needs for its reward, 0 to 1; nothing where there is no reward: members of L1s, and of
 * permissioned subnets. An elastic subnet's own requirement must be configured, nothing tells it.
 *
 * `helicon` is to come from the node that the record came from. A validation can only start at or after Helicon on a
 * chain that accepted it then, so a node that does not know of Helicon has no record of such a start either.
 */
export function requirementOf(
  { startTime, validationID, potentialReward }: Validator,
  subnet: string,
  helicon: number | undefined,
  subnets: readonly Subnet[],
): number | undefined {
  if (validationID !== undefined) return undefined;
  if (subnet === PRIMARY)
    return helicon !== undefined && startTime >= helicon ? REQUIREMENT_SINCE_HELICON : REQUIREMENT;
  if (potentialReward === undefined) return undefined;
  return subnets.find(({ id }) => id === subnet)?.uptimeRequirement;
}
