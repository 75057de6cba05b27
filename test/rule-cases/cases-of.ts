import { written } from "../../src/config/base/alert-limit.ts";
import { secondsOf } from "../../src/topics/all/alert-settings.ts";
import { isOfValidator, type Alert } from "../../src/topics/define/alert.ts";
import type { AlertCase, AlertCases, Series } from "./case.ts";
import { ALERTS_CASES } from "./alerts.ts";
import { CHAINS_CASES } from "./chains.ts";
import { EVM_CASES } from "./evm.ts";
import { EXPORTER_CASES } from "./exporter.ts";
import { HOSTED_CASES } from "./hosted.ts";
import { L1_CASES } from "./l1.ts";
import { NATIVE_CASES } from "./native.ts";
import { NETWORK_CASES } from "./network.ts";
import { NODE_CASES } from "./node.ts";
import { REFUSED_BLOCKS_CASES } from "./refused-blocks.ts";
import { VALIDATORS_CASES } from "./validators.ts";
import { WALLETS_CASES } from "./wallets.ts";

const CASES: AlertCases = {
  ...ALERTS_CASES,
  ...CHAINS_CASES,
  ...EVM_CASES,
  ...EXPORTER_CASES,
  ...HOSTED_CASES,
  ...L1_CASES,
  ...NATIVE_CASES,
  ...NETWORK_CASES,
  ...NODE_CASES,
  ...REFUSED_BLOCKS_CASES,
  ...VALIDATORS_CASES,
  ...WALLETS_CASES,
};

/** The cases of an alert. */
export function casesOf(alert: Alert): AlertCase {
  const found = CASES[alert.name];
  if (found === undefined) throw new Error(`no promtool cases of ${alert.name} in test/rule-cases`);
  return { at: written(secondsOf(alert) + 120, "seconds"), labels: labelsOf(alert, found.fires), ...found };
}

/** Labels that the exporter adds to series about a validator or subnet, and that of a shard. */
const ADDED: readonly string[] = ["name", "subnet_name", "shard"];

/** The labels of the first series that are labels of the alert. */
function labelsOf(alert: Alert, series: Series): AlertCase["labels"] {
  const [first = ""] = Object.keys(series);
  const given = [...first.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = "", value = ""]) => [label, value] as const);
  const added = [...ADDED, ...(isOfValidator(alert) ? ["node"] : [])];
  const labels = new Set([...alert.labels, ...added]);
  return Object.fromEntries(given.filter(([label]) => labels.has(label)));
}
