import { EXPORTER_STARTS, NODES_DOWN, off, VERSIONS } from "../parts/annotations.ts";
import type { Board } from "../parts/board.ts";
import { costRow } from "./cost-row.ts";
import { endpointsRow } from "./endpoints-row.ts";
import { fleetRow } from "./fleet-row.ts";
import { hostedRow } from "./hosted-row.ts";
import { processRow } from "./process-row.ts";

export const exporterBoard: Board = {
  uid: "avax-exporter",
  title: "Exporter",
  about: "The exporter itself: which nodes it reaches, the age of its data, and the cost of its polls and scrapes.",
  variables: ["network", "node"],
  annotations: [EXPORTER_STARTS, NODES_DOWN, off(VERSIONS)],
  rows: [processRow, endpointsRow, costRow, hostedRow, fleetRow],
};
