import { SEVERITIES, type Alert } from "../../src/topics/define/alert.ts";
import { ALERT_GROUPS, type AlertGroup } from "../../src/topics/all/alerts.ts";
import { machineCommands, placeholdersText } from "../../src/topics/all/runbook-commands.ts";
import { frequentCauses, inWords, SEVERITY_MEANS, waitingText } from "../../src/topics/all/runbook-text.ts";
import { code, page, table } from "../text/markdown.ts";
import { queryOf } from "../../src/topics/define/condition.ts";
import { recordingsOf } from "../../src/topics/all/recordings.ts";

/** The page of one alert. */
export function runbook(alert: Alert): string {
  const { name, severity, expr, summary, description, meaning, confirm, action, fix = {}, falsePositives } = alert;
  return page(
    `# ${name}`,
    [summary, description].flatMap((text) => (text === undefined ? [] : [`> ${inWords(text)}`])).join("\n>\n"),
    `Severity: ${severity}. ${SEVERITY_MEANS[severity]} ${waitingText(alert)}`,
    `## What to do\n\n${action}${Object.entries(fix).map(commandText).join("")}`,
    `## How to confirm it\n\n${commandsText(alert)}\n\n${confirm}`,
    `## What it means\n\n${meaning}`,
    `## False positives\n\n${falsePositives}`,
    ...causesOf(alert),
    `## Expression\n\n\`\`\`promql\n${expr}\n\`\`\``,
    ...recordingsOf([alert]).map(
      (each) =>
        `\`${each.name}\` is recorded. ${each.about}\n\n\`\`\`promql\n${each.promql(queryOf({ settings: alert.settings, more: [] }))}\n\`\`\``,
    ),
    "[All runbooks](README.md) · [Metrics](../reference/metrics.md)",
  );
}

/** A command for a shell, and what it does. */
function commandText([run, does]: readonly [string, string]): string {
  return `\n\n\`\`\`sh\n${run}\n\`\`\`\n\n${does}`;
}

/** The commands of a runbook with their expected answers and the meaning of their placeholders. */
function commandsText(alert: Alert): string {
  const { commands } = alert;
  const shown = Object.entries(commands).map(([run, see]) => `\`\`\`sh\navax-exporter ${run}\n\`\`\`\n\n${see}`);
  const placeholders = placeholdersText([...Object.keys(commands), ...Object.keys(alert.fix ?? {})]);
  const machine = machineCommands(alert);
  if (machine.length > 0) shown.push(`On the machine of the node:\n\n\`\`\`sh\n${machine.join("\n")}\n\`\`\``);
  return [...shown, ...(placeholders === "" ? [] : [`*${placeholders}*`])].join("\n\n");
}

/** The alerts that often cause this one, without those that explain every alert. */
function causesOf(alert: Alert): readonly string[] {
  const causes = frequentCauses(alert);
  if (causes.length === 0) return [];
  const lines = causes.map(({ alert: name, why }) => `- [${name}](${name}.md): ${why}`);
  return [`## Often caused by\n\nWhile one of these fires, this alert is not sent.\n\n${lines.join("\n")}`];
}

/** The list of all runbooks, by question. */
export function runbookIndex(groups: readonly AlertGroup[] = ALERT_GROUPS): string {
  return page(
    "# Runbooks",
    "Every alert with its meaning, confirmation, action and false positives. Prometheus fills in the *slanted* words.",
    table(
      ["severity", "meaning"],
      SEVERITIES.map((severity) => [code(severity), SEVERITY_MEANS[severity]]),
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
