import { Short } from "@grafana/grafana-foundation-sdk/units";
import { NODE_STATE, NODE_STATES } from "./node-states.ts";
import { timeline } from "../parts/panels.ts";
import { FEW_BARS, top } from "../parts/top.ts";

export const overTimeRow = {
  id: 200,
  title: "Over time",
  panels: [
    timeline(
      {
        id: 201,
        title: "Node state",
        about: `The worst that was the matter with each node, as in the overview: of the ${FEW_BARS} nodes that were worst in the selected time range. A gap: the exporter was not scraped.`,
        width: 24,
        height: 11,
        unit: Short,
        mappings: NODE_STATES,
        alerts: ["AvaxNodeDown", "AvaxNodeUnhealthy", "AvaxNodeLagging"],
      },
      [[top(NODE_STATE, { of: "lowest", count: FEW_BARS }), "{{node}}"]],
    ),
  ],
};
