import { SEVERITIES, type Alert } from "../catalogue/alert.ts";
import { ALERT_GROUPS, type AlertGroup } from "../definitions/alerts.ts";
import { POLICY } from "./alert-policy.ts";
import { code, page, table } from "./markdown.ts";
import { commandsText } from "./runbook-commands.ts";

/** The page of one alert. */
export function runbook(alert: Alert): string {
  const { name, severity, expr, summary, description } = alert;
  const { meaning, confirm, action, falseWhen } = alert.runbook;
  return page(
    `# ${name}`,
    `> ${inWords(summary)}\n>\n> ${inWords(description)}`,
    `Severity: ${severity}. ${POLICY[severity].means} ${waiting(alert)}`,
    `\`\`\`promql\n${expr}\n\`\`\``,
    ...(alert.records ?? []).map(
      (each) => `\`${each.name}\` is recorded. ${each.about}\n\n\`\`\`promql\n${each.expr}\n\`\`\``,
    ),
    `## What it means\n\n${meaning}`,
    `## How to confirm it\n\n${commandsText(alert)}\n\n${confirm}`,
    `## What to do\n\n${action}`,
    `## False positives\n\n${falseWhen}`,
    ...causesOf(alert),
    "[All runbooks](README.md) · [Metrics](../reference/metrics.md)",
  );
}

/** The alerts that often cause this one, without those that explain every alert. */
function causesOf({ explainedBy = [] }: Alert): readonly string[] {
  const causes = new Map(
    explainedBy.filter(({ alert }) => alert !== "AvaxExporterAbsent").map((each) => [each.alert, each]),
  );
  if (causes.size === 0) return [];
  const lines = [...causes.values()].map(({ alert, why }) => `- [${alert}](${alert}.md): ${why}`);
  return [`## Often caused by\n\nWhile one of these fires, this alert is not sent.\n\n${lines.join("\n")}`];
}

/**
 * A template in readable form: placeholders become slanted words, a loop becomes the label that it lists, a query the text that
 * replaces it, and a choice both of its texts.
 */
function inWords(template: string): string {
  return template
    .replaceAll(/\{\{ or \$labels\.name \$labels\.node_id \}\}/g, "*validator*")
    .replaceAll(/ ?\{\{ range .*?\}\}.*?\.Labels\.(\w+) \}\}\{\{ end \}\}/g, " *each $1*")
    .replaceAll(/\{\{ with .*?\}\}.*?\{\{ else \}\}(.*?)\{\{ end \}\}/g, "$1")
    .replaceAll(/\{\{ if .*?\}\}(.*?)\{\{ else \}\}(.*?)\{\{ end \}\}/g, "$1 / $2")
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, "*$1*")
    .replaceAll(/\{\{ \$value[^}]*\}\}/g, "*value*");
}

/** The list of all runbooks, by question. */
export function runbookIndex(groups: readonly AlertGroup[] = ALERT_GROUPS): string {
  return page(
    "# Runbooks",
    "Every alert with its meaning, confirmation, action and false positives. Prometheus fills in the *slanted* words.",
    table(
      ["severity", "meaning"],
      SEVERITIES.map((severity) => [code(severity), POLICY[severity].means]),
    ),
    "[The policy, the pages and the causes](../alerts.md)",
    ...groups.map(
      ({ about, alerts }) =>
        `## ${about}\n\n${table(
          ["alert", "severity", "for", "summary"],
          alerts.map(({ name, severity, for: time, summary }) => [
            `[${name}](${name}.md)`,
            severity,
            time,
            inWords(summary),
          ]),
        )}`,
    ),
  );
}

function waiting({ for: time }: Alert): string {
  return /^0[smh]?$/.test(time)
    ? "It fires as soon as the expression has a result."
    : `It fires after the expression has had a result for ${time}.`;
}
