import type { Diagnosis } from "../../diagnosis/finding.ts";
import { outageOf } from "../../diagnosis/validator/outages.ts";
import type { ValidatorView } from "../../diagnosis/validator/validator-views.ts";
import { answerOf, reasonsOf } from "./words.ts";
import { problemsOf } from "./problems-section.ts";

/** The figures of the page of one validator. Unknown values are absent. `problems` is absent when the diagnosis failed. */
export function validatorJson(
  view: ValidatorView,
  diagnosis: Diagnosis | undefined,
  outages: readonly number[],
): object {
  const { reward, stakes } = view;
  return {
    ...view,
    reward: { ...reward, answer: answerOf(reward), why: reasonsOf(view) },
    stakes: stakes.map((stake) => ({
      ...stake,
      ...(stake.reward.state === "none" ? {} : { outages: outages.map((each) => outageOf(stake, view.at, each)) }),
    })),
    problems:
      diagnosis === undefined
        ? undefined
        : problemsOf(diagnosis, view).map(({ alert, severity, summary, action, runbook, because, labels }) => ({
            alert,
            severity,
            summary,
            action,
            runbook,
            because,
            labels,
          })),
  };
}

/** One line for each validator. */
export function validatorListJson(views: readonly ValidatorView[]): object {
  return {
    validators: views.map(({ nodeId, network, name, nodes, reward, stakes }) => ({
      nodeId,
      network,
      name,
      nodes: nodes.map(({ node }) => node),
      reward: { ...reward, answer: answerOf(reward) },
      stakes: stakes.map(({ subnet, subnetName, reward: verdict, uptime, requirement, budget, end }) => ({
        subnet,
        subnetName,
        reward: verdict,
        uptime,
        requirement,
        budget,
        end,
      })),
    })),
  };
}
