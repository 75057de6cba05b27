import type { Subnet } from "../../api/endpoint.ts";
import { scheduled, Upgrades } from "../../api/node/info.ts";
import { PRIMARY, Validators, type Validator } from "../../api/node/platform.ts";
import { gauges, type Context } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { watched } from "./members.ts";
import type { ValidatorSets } from "../stakes.ts";
import { wholeBudget } from "./staking-period.ts";

/** Uptime that a Primary Network validator needs for its reward. Source: AvalancheGo's genesis parameters. */
const REQUIREMENT = 0.8;
/** The same when its period began at or after the Helicon upgrade. Source: ACP-267. */
const REQUIREMENT_SINCE_HELICON = 0.9;

const LABELS = ["subnet", "node_id"] as const;

export const validatorRequirement = topic(
  {
    id: "validator-requirement",
    about: "What uptime does each watched validator need for its reward?",
    scope: "network",
    watched: true,
    needs: { sets: Validators, upgrades: Upgrades },
    formulas: [
      {
        metric: "avax_validator_downtime_budget_seconds",
        formula: "(1 - requirement) · (end - start)",
        example: "A period of 14 days from 1785250800 to 1786460400 with requirement 0.9: a tenth of 1,209,600 s.",
        result: 120_960,
      },
    ],
  },
  {
    requirement: gauges(
      "avax_validator_uptime_requirement_ratio",
      "Uptime requirement of a watched validator: 0.8, 0.9 if its period began at or after Helicon, the configured one in an elastic subnet; absent without a reward (platform.getCurrentValidators, `startTime`; info.upgrades, `heliconTime`).",
      LABELS,
      (data, context) => rows(data, context, (_validator, requirement) => requirement),
    ),
    wholeBudget: gauges(
      "avax_validator_downtime_budget_seconds",
      "Whole downtime budget of a watched validator: how long it can be offline in its period without losing its reward (platform.getCurrentValidators, `startTime`, `endTime`; info.upgrades, `heliconTime`).",
      LABELS,
      (data, context) =>
        rows(data, context, ({ startTime: start, endTime: end }, requirement) =>
          start === undefined || end === undefined ? undefined : wholeBudget({ start, end }, requirement),
        ),
    ),
  },
);

function rows<V>(
  { sets, upgrades }: { readonly sets: ValidatorSets; readonly upgrades: ReadonlyMap<string, number> },
  context: Context,
  read: (validator: Validator, requirement: number) => V,
) {
  const helicon = heliconOf(upgrades);
  return watched(sets, context.watchNetwork).flatMap(([labels, each]) => {
    const requirement = requirementOf(each, labels.subnet, helicon, context.subnets);
    return requirement === undefined ? [] : [[labels, read(each, requirement)] as const];
  });
}

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
