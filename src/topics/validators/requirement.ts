import type { Subnet } from "../../api/endpoint.ts";
import { scheduled } from "../../api/node/info.ts";
import { PRIMARY, type Validator } from "../../api/node/platform.ts";

/** Uptime that a Primary Network validator needs for its reward. Source: AvalancheGo's genesis parameters. */
const REQUIREMENT = 0.8;
/** The same when its period began at or after the Helicon upgrade. Source: ACP-267. */
const REQUIREMENT_SINCE_HELICON = 0.9;

/** Activation of Helicon in a node's schedule (`info.upgrades`), Unix seconds; `undefined` while it is not scheduled. */
export function heliconOf(upgrades: ReadonlyMap<string, number> | undefined): number | undefined {
  return scheduled(upgrades?.get("helicon"));
}

/**
 * The uptime that a validator needs for its reward, 0 to 1; `undefined` for members of L1s and permissioned subnets, which
 * have no reward. The requirement of an elastic subnet must be configured, because no API reports it.
 *
 * `helicon` must come from the same node as the record: a node without Helicon in its schedule has no record of a validation
 * that started after it.
 */
export function requirementOf(
  { startTime, validationID, potentialReward }: Pick<Validator, "startTime" | "validationID" | "potentialReward">,
  subnet: string,
  helicon: number | undefined,
  subnets: readonly Subnet[],
): number | undefined {
  if (validationID !== undefined) return undefined;
  if (subnet === PRIMARY) {
    if (helicon === undefined) return REQUIREMENT;
    if (startTime === undefined) return undefined;
    return startTime >= helicon ? REQUIREMENT_SINCE_HELICON : REQUIREMENT;
  }
  if (potentialReward === undefined) return undefined;
  return subnets.find(({ id }) => id === subnet)?.uptimeRequirement;
}
