import type { Board } from "../parts/board.ts";
import { endpointsRow } from "./endpoints-row.ts";
import { fleetRow } from "./fleet-row.ts";
import { hostedRow } from "./hosted-row.ts";
import { processRow } from "./process-row.ts";

export const exporterBoard: Board = {
  uid: "avax-exporter",
  title: "Exporter",
  about: "The exporter itself: whom it reaches, how old its figures are, what its polls and scrapes cost.",
  variables: ["network", "node"],
  rows: [processRow, endpointsRow, hostedRow, fleetRow],
};
