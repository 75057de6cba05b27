import type { Alert } from "../../topics/define/alert.ts";
import { filledIn, machineCommands, placeholdersText } from "../../topics/all/runbook-commands.ts";
import type { Diagnosis, Finding } from "../../diagnosis/finding.ts";
import type { HttpDependencies } from "../http-dependencies.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { prose } from "../status-page/page-parts.ts";

/** What the exporter knows of the subjects of commands. */
export type KnownSubjects = Pick<HttpDependencies, "fleet" | "status" | "wallets" | "about"> & {
  readonly diagnosis: Diagnosis | undefined;
};

/** Commands that look, and those that mend. */
type Commands = { readonly look: Html; readonly fix: Html };

/** The commands of a runbook as they run where the exporter runs, filled in for one finding. */
export function runbookCommands(alert: Alert, labels: Finding["labels"], known: KnownSubjects): Commands {
  const { values, port } = valuesOf(labels, known);
  const { command, configFile } = known.about;
  const named = configFile === undefined ? "" : ` --config.file=${configFile}`;
  const line = (run: string): string => `${command} ${filledIn(run, values)}${run.startsWith("call ") ? named : ""}`;
  const look = Object.entries(alert.commands).map(([run, see]) => [line(run), see] as const);
  const fix = Object.entries(alert.fix ?? {}).map(([run, does]) => [filledIn(run, values), does] as const);
  const machine = machineCommands(alert, port).map((run) => filledIn(run, values));
  const left = placeholdersText([...look, ...fix].map(([run]) => run));
  return {
    fix: safe`${fix.map(renderCommand)}`,
    look: safe`${look.map(renderCommand)}
  ${machine.length === 0 ? NOTHING : safe`<p>On the machine of the node:</p><pre tabindex="0"><code>${machine.join("\n")}</code></pre>`}
  ${left === "" ? NOTHING : safe`<p class="quiet">${prose(left)}</p>`}`,
  };
}

function renderCommand([run, about]: readonly [string, string]): Html {
  return safe`<pre tabindex="0"><code>${run}</code></pre>
      <p>${prose(about)}</p>`;
}

/** The values of the placeholders. Without a finding the commands are about the first node. */
function valuesOf(labels: Finding["labels"], { fleet, status, wallets, about, diagnosis }: KnownSubjects) {
  const nodes = fleet();
  const ids = new Map(status().targets.map(({ name, nodeId }) => [name, nodeId]));
  const { node: named, node_id: nodeId, network: network } = labels;
  const ofId = nodes.find(({ name }) => nodeId !== undefined && ids.get(name) === nodeId);
  const own = named === undefined ? (ofId ?? nodes[0]) : nodes.find(({ name }) => name === named);
  const where = network ?? own?.reportedNetwork ?? own?.network;
  const others = nodes.filter((node) => node !== own && (node.reportedNetwork ?? node.network) === where);
  const other = others.find(({ name }) => ids.get(name) !== undefined) ?? others[0] ?? own;
  // With the configuration a name brings credentials; without it a URL needs none.
  const asked = (each: typeof own): string | undefined => (about.configFile === undefined ? each?.url : each?.name);
  const address = wallets().get(labels["wallet"] ?? "");
  const topUp = diagnosis?.topUps[where ?? ""];
  const ownId = ids.get(own?.name ?? "");
  return {
    port: /^http:\/\/[^/]+:(\d+)\/?$/.exec(own?.url ?? "")?.[1],
    values: {
      chain: "C",
      file: about.configFile,
      node_id: ownId,
      ...labels,
      node: asked(own) ?? named,
      "any-node": asked(other),
      "id-of-node": ownId,
      network: where,
      address,
      "address-on-C": address?.replace(/^[PX]-/, "C-"),
      "top-up": topUp?.toFixed(2),
    },
  };
}
