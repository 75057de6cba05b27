import { createHash } from "node:crypto";
import {
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  type Panel as BuiltPanel,
} from "@grafana/grafana-foundation-sdk/dashboard";
import { EXPORTER_PAGES } from "../../../src/topics/exporter/exporter-pages.ts";
import { RUNBOOK_INDEX } from "../../../src/topics/all/alerts.ts";
import type { Panel, Row } from "./panels.ts";
import { annotationQuery, type Annotation } from "./annotations.ts";
import { datasource, exporter, variable, type Choice } from "./variables.ts";

/** A dashboard with its purpose (`about`), variables, marked events and rows. The `uid` must never change. */
export type Board = {
  readonly uid: `avax-${string}`;
  readonly title: string;
  readonly about: string;
  /** Besides the data source, the job and the exporter, which every board has. */
  readonly variables: readonly Choice[];
  /** A page of the exporter about the same, beside its status page: words and path. */
  readonly page?: readonly [title: string, path: string];
  readonly annotations?: readonly Annotation[];
  readonly rows: readonly Row[];
};

/** Grafana 10 to 13 read this version of the classic format. */
const SCHEMA_VERSION = 39;
/** Tag of all dashboards, by which each links to the others. */
const TAG = "avalanche";

/** The dashboard as Grafana imports it. */
export function dashboardFile({ uid, title, about, variables, page, annotations = [], rows }: Board): string {
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
    .link(pageLink("Runbooks", RUNBOOK_INDEX))
    .link(pageLink("Status page", EXPORTER_PAGES));
  if (page !== undefined) builder.link(pageLink(page[0], `${EXPORTER_PAGES}${page[1]}`));
  for (const choice of ["job", "instance", ...variables] as const) builder.withVariable(variable(choice));
  builder.withVariable(exporter());
  for (const annotation of annotations) builder.annotation(annotationQuery(annotation));
  const dashboard = builder.build();
  // The builder puts every link into a menu instead of the bar.
  for (const link of dashboard.links ?? []) delete link.placement;
  const panels = rowsBelow(rows);
  return `${JSON.stringify({ ...dashboard, panels, schemaVersion: SCHEMA_VERSION }, undefined, 2)}\n`;
}

function pageLink(title: string, url: string): DashboardLinkBuilder {
  return new DashboardLinkBuilder(title).type(DashboardLinkType.Link).icon("doc").url(url).targetBlank(true);
}

/** The panels of a closed row are within the row in Grafana's format, those of an open one follow it. */
function rowsBelow(rows: readonly Row[]): readonly object[] {
  let y = 0;
  return rows.flatMap(({ title, collapsed = false, legend = "", panels }, index): readonly object[] => {
    const below = placed(panels, y + 1).map(({ panel, gridPos }) => ({
      ...(index === 0 ? panel.build(legend) : unlessEssential(panel.build(legend))),
      id: idOf(panel.kind, panel.title),
      gridPos,
    }));
    const row = { type: "row", id: idOf("row", title), title, collapsed, gridPos: { x: 0, y, w: COLUMNS, h: 1 } };
    y = collapsed ? y + 1 : Math.max(...below.map(({ gridPos }) => gridPos.y + gridPos.h));
    return collapsed ? [{ ...row, panels: below }] : [{ ...row, panels: [] }, ...below];
  });
}

/** The panel, whose text while it is empty names the other cause. For whoever exports with `metrics: essential`. */
function unlessEssential(panel: BuiltPanel): BuiltPanel {
  const { fieldConfig } = panel;
  if (fieldConfig?.defaults.noValue === undefined) return panel;
  const noValue = `${fieldConfig.defaults.noValue} (or metrics: essential)`;
  return { ...panel, fieldConfig: { ...fieldConfig, defaults: { ...fieldConfig.defaults, noValue } } };
}

/**
 * The id of a panel, to which links and annotations refer: a hash of its kind and its title, from 1 on. So it stays when panels are
 * added, removed or moved to another row, and changes with the title; a test finds two that are equal.
 */
function idOf(kind: string, title: string): number {
  return 1 + (createHash("sha256").update(`${kind} ${title}`).digest().readUInt32BE() % 9_999_999);
}

const COLUMNS = 24;

/**
 * The places of the panels of a row from line `top` on. Neighbours of one height flow into as few lines of 24 columns as can hold
 * their least widths, each with its fair part of them; the narrowest panels of a line get what is left.
 */
function placed(panels: readonly Panel[], top: number) {
  let y = top;
  return blocksOf(panels).flatMap((block) =>
    linesOf(block, Math.ceil(widthOf(block) / COLUMNS)).flatMap((line) => {
      const widths = filled(line.map(({ width }) => width));
      let x = 0;
      const found = line.map((panel, index) => {
        const gridPos = { x, y, w: widths[index] ?? 0, h: panel.height };
        x += gridPos.w;
        return { panel, gridPos };
      });
      y += line[0]?.height ?? 0;
      return found;
    }),
  );
}

/** The widths of a line, with what is left of its columns. */
function filled(widths: readonly number[]): readonly number[] {
  if (widths.reduce((sum, width) => sum + width, 0) >= COLUMNS) return widths;
  return filled(widths.with(widths.indexOf(Math.min(...widths)), Math.min(...widths) + 1));
}

/** Neighbours of one height. */
function blocksOf(panels: readonly Panel[]): ReadonlyArray<readonly Panel[]> {
  const blocks: Panel[][] = [];
  for (const panel of panels) {
    const last = blocks.at(-1);
    if (last?.[0]?.height === panel.height) last.push(panel);
    else blocks.push([panel]);
  }
  return blocks;
}

/** Panels of one height in so many lines, or more where they do not fit. */
function linesOf(block: readonly Panel[], count: number): ReadonlyArray<readonly Panel[]> {
  if (block.length === 0) return [];
  const fair = widthOf(block) / count;
  const ends = block.findIndex((_, index) => {
    const width = widthOf(block.slice(0, index + 1));
    return width >= fair || width + (block[index + 1]?.width ?? 0) > COLUMNS;
  });
  const others = block.slice(ends + 1);
  return [block.slice(0, ends + 1), ...linesOf(others, Math.max(count - 1, Math.ceil(widthOf(others) / COLUMNS)))];
}

const widthOf = (panels: readonly Panel[]): number => panels.reduce((sum, { width }) => sum + width, 0);
