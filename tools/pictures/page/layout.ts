import type { Dashboard, Panel } from "./dashboard.ts";

/** A row or a panel at its place when the dashboard is shown. */
export type Place = {
  readonly panel: Panel;
  /** Line of the grid. */
  readonly y: number;
};

/** Rows and panels that are visible, each at its line: closed rows as titles, or all open. */
export function placesOf({ panels }: Dashboard, allOpen: boolean): readonly Place[] {
  let lower = 0;
  return panels.flatMap((panel) => {
    const y = panel.gridPos.y + lower;
    const inside = allOpen ? (panel.panels ?? []) : [];
    const places = inside.map((each) => ({ panel: each, y: y + each.gridPos.y - panel.gridPos.y }));
    const end = Math.max(y + 1, ...places.map(({ panel: { gridPos }, y: top }) => top + gridPos.h));
    if (places.length > 0) lower += end - (y + 1);
    return [{ panel: { ...panel, collapsed: panel.collapsed === true && !allOpen }, y }, ...places];
  });
}

/** Lines of the grid. */
export function linesOf(places: readonly Place[]): number {
  return Math.max(...places.map(({ panel: { gridPos }, y }) => y + gridPos.h));
}
