import { infos } from "../define/metric.ts";
import { topic } from "../define/topic.ts";

export const subnets = topic(
  {
    id: "subnets",
    about: "Which configured subnets does the network have, and what are their names?",
    scope: "network",
    needs: {},
  },
  {
    info: infos(
      "avax_subnet_info",
      "ID and configured name of each configured subnet that a node of the network serves; the name is the ID where none is configured (configuration, `subnets`).",
      ["subnet", "name"],
      (_data, context) => context.subnets.map(({ id, name }) => ({ subnet: id, name })),
    ),
  },
);
