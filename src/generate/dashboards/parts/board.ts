import {
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  RowBuilder,
} from "@grafana/grafana-foundation-sdk/dashboard";
import { RUNBOOK_INDEX } from "../../../definitions/alerts.ts";
import type { Row } from "./panel-options.ts";
import { datasource, variable, type VariableName } from "./variables.ts";

/** A dashboard with its purpose (`about`), variables and rows. The `uid` must never change. */
export type Board = {
  readonly uid: `avax-${string}`;
  readonly title: string;
  readonly about: string;
  readonly variables: readonly VariableName[];
  readonly rows: readonly Row[];
};

/** Grafana 10 to 13 read this version of the classic format. */
const SCHEMA_VERSION = 39;
/** Tag of all dashboards, by which each links to the others. */
const TAG = "avalanche";

/** The dashboard as Grafana imports it. */
export function dashboardFile({ uid, title, about, variables, rows }: Board): string {
  const builder = new DashboardBuilder(`Avalanche / ${title}`)
    .uid(uid)
    .description(about)
    .tags([TAG])
    .editable()
    .tooltip(DashboardCursorSync.Crosshair)
    .time({ from: "now-6h", to: "now" })
    .refresh("30s")
    .withVariable(datasource())
    .link(
      new DashboardLinkBuilder("Avalanche")
        .type(DashboardLinkType.Dashboards)
        .tags([TAG])
        .includeVars(true)
        .keepTime(true),
    )
    .link(
      new DashboardLinkBuilder("Runbooks")
        .type(DashboardLinkType.Link)
        .icon("doc")
        .url(RUNBOOK_INDEX)
        .targetBlank(true),
    );
  for (const name of variables) builder.withVariable(variable(name));
  for (const row of rows) {
    builder.withRow(new RowBuilder(row.title).id(row.id));
    for (const panel of row.panels) builder.withPanel(panel);
  }
  const dashboard = builder.build();
  // The builder puts every link into a menu instead of the bar.
  for (const link of dashboard.links ?? []) delete link.placement;
  return `${JSON.stringify({ ...dashboard, schemaVersion: SCHEMA_VERSION }, undefined, 2)}\n`;
}
