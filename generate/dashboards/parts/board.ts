import {
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  RowBuilder,
  type Panel,
  type RowPanel,
} from "@grafana/grafana-foundation-sdk/dashboard";
import { RUNBOOK_INDEX } from "../../../src/topics/all/alerts.ts";
import type { PanelBuilder, Row } from "./panel-options.ts";
import { annotationQuery, type Annotation } from "./annotations.ts";
import { datasource, variable, type Choice } from "./variables.ts";

/** A dashboard with its purpose (`about`), variables, marked events and rows. The `uid` must never change. */
export type Board = {
  readonly uid: `avax-${string}`;
  readonly title: string;
  readonly about: string;
  /** Besides the data source, the job and the exporter, which every board has. */
  readonly variables: readonly Choice[];
  readonly annotations?: readonly Annotation[];
  readonly rows: readonly Row[];
};

/** Grafana 10 to 13 read this version of the classic format. */
const SCHEMA_VERSION = 39;
/** Tag of all dashboards, by which each links to the others. */
const TAG = "avalanche";

/** The dashboard as Grafana imports it. */
export function dashboardFile({ uid, title, about, variables, annotations = [], rows }: Board): string {
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
  for (const choice of ["job", "instance", ...variables] as const) builder.withVariable(variable(choice));
  for (const annotation of annotations) builder.annotation(annotationQuery(annotation));
  for (const row of rows) addRow(builder, row);
  const dashboard = builder.build();
  closeUp(dashboard.panels ?? []);
  // The builder puts every link into a menu instead of the bar.
  for (const link of dashboard.links ?? []) delete link.placement;
  return `${JSON.stringify({ ...dashboard, schemaVersion: SCHEMA_VERSION }, undefined, 2)}\n`;
}

/** The panels of a closed row are within the row in Grafana's format, those of an open one follow it. */
function addRow(builder: DashboardBuilder, { id, title, collapsed, panels }: Row): void {
  const isClosed = collapsed === true;
  const row = new RowBuilder(title).id(id).collapsed(isClosed);
  if (isClosed) for (const panel of panels) row.withPanel(copied(panel));
  builder.withRow(row);
  if (!isClosed) for (const panel of panels) builder.withPanel(copied(panel));
}

/** The builder of a dashboard writes places into its panels, and each dashboard is built several times. */
function copied(panel: PanelBuilder): PanelBuilder {
  return {
    build: () => {
      const { gridPos, ...others } = panel.build();
      return gridPos === undefined ? others : { ...others, gridPos: { ...gridPos } };
    },
  };
}

/** The builder leaves the room that a closed row needs when it is open: the rows below move up. */
function closeUp(panels: ReadonlyArray<Panel | RowPanel>): void {
  let room = 0;
  for (const panel of panels) {
    const inside = isRow(panel) && panel.collapsed ? panel.panels : [];
    for (const { gridPos } of [panel, ...inside]) if (gridPos !== undefined) gridPos.y -= room;
    if (inside.length > 0) room += Math.max(...inside.map(endOf)) - endOf(panel);
  }
}

function endOf({ gridPos }: Panel | RowPanel): number {
  return gridPos === undefined ? 0 : gridPos.y + gridPos.h;
}

function isRow(panel: Panel | RowPanel): panel is RowPanel {
  return panel.type === "row";
}
