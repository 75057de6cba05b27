import type { Finding } from "../../diagnosis/finding.ts";
import type { About } from "../http-dependencies.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";

/** Links to the programs beside the exporter, where their addresses are known. */

/** The boards by the label that chooses one, each with its variable. */
const BOARDS = [
  ["node", "node", "node"],
  ["node_id", "validator", "validator"],
  ["subnet", "l1", "subnet"],
  ["network", "network", "network"],
] as const;

/** The dashboard of what these labels are about. */
export function boardLink({ dashboards }: About, labels: Finding["labels"]): Html {
  if (dashboards === undefined) return NOTHING;
  const [label, board, variable] = BOARDS.find(([each]) => labels[each] !== undefined) ?? BOARDS[3];
  const chosen = { network: labels["network"], [variable]: labels[label] };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(chosen)) if (value !== undefined) query.set(`var-${name}`, value);
  return safe`<a href="${`${dashboards}/d/avax-${board}?${query.toString()}`}" rel="noreferrer">Dashboard</a>`;
}

/** The form of Alertmanager that silences these findings of an alert: what their labels have in common. */
export function silenceLink({ alertmanager }: About, same: readonly Finding[]): Html {
  const [first] = same;
  if (alertmanager === undefined || first === undefined) return NOTHING;
  const common = Object.entries(first.labels).filter(([name, value]) =>
    same.every(({ labels }) => labels[name] === value),
  );
  const matchers = [["alertname", first.alert], ...common].map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return safe`<a href="${`${alertmanager}/#/silences/new?filter=${encodeURIComponent(`{${matchers.join(",")}}`)}`}" rel="noreferrer">Silence</a>`;
}
