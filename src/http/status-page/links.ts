import type { Finding } from "../../diagnosis/finding.ts";
import type { About } from "../dependencies.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";

/** Links to the programs beside the exporter, where their addresses are known. */

type Labels = Finding["labels"];

/** The dashboard of what these labels are about. */
export function boardLink({ dashboards }: About, labels: Labels, words = "Dashboard"): Html {
  if (dashboards === undefined) return NOTHING;
  const { network, node, node_id: nodeId, subnet } = labels;
  const query = new URLSearchParams(network === undefined ? {} : { "var-network": network });
  const choose = (board: string, variable?: string, value = ""): string => {
    if (variable !== undefined) query.set(`var-${variable}`, value);
    return board;
  };
  const board =
    node !== undefined
      ? choose("node", "node", node)
      : nodeId !== undefined
        ? choose("validator", "validator", nodeId)
        : subnet !== undefined
          ? choose("l1", "subnet", subnet)
          : choose("network");
  return safe`<a href="${`${dashboards}/d/avax-${board}?${query.toString()}`}" rel="noreferrer">${words}</a>`;
}

/** The form of Alertmanager that silences these findings of an alert: what their labels have in common. */
export function silenceLink({ alertmanager }: About, alert: string, same: readonly Labels[]): Html {
  if (alertmanager === undefined) return NOTHING;
  const common = Object.entries(same[0] ?? {}).filter(([name, value]) => same.every((each) => each[name] === value));
  const matchers = [["alertname", alert], ...common].map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return safe`<a href="${`${alertmanager}/#/silences/new?filter=${encodeURIComponent(`{${matchers.join(",")}}`)}`}" rel="noreferrer">Silence</a>`;
}
