import { Upgrades } from "../../api/node/info.ts";
import { Validators, type Validator } from "../../api/node/platform.ts";
import { gauges, type Context } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { watched } from "./membership.ts";
import { heliconOf, requirementOf } from "./requirement.ts";
import type { ValidatorSets } from "../stake.ts";
import { wholeBudget } from "./verdict.ts";

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
  return watched(sets, context).flatMap(([subnet, each]) => {
    const requirement = requirementOf(each, subnet, helicon, context.subnets);
    return requirement === undefined ? [] : [[{ subnet, node_id: each.nodeID }, read(each, requirement)] as const];
  });
}
