import { describe, expect, it } from "vitest";
import { DASHBOARDS, type DashboardJson, type PanelJson } from "./dashboard.ts";

/** Queries that a dashboard may send when it opens: those of its open rows, its variables and its annotations. */
const BUDGET = 32;

describe("queries", () => {
  it.each(DASHBOARDS.map(costOf))(
    `of $uid: $queries.open of $queries.all for $panels.open of $panels.all panels when it opens, ${BUDGET} at most`,
    ({ queries }) => {
      expect(queries.open).toBeLessThanOrEqual(BUDGET);
    },
  );

  it("of an annotation that compares all nodes with their past are sent only when a user asks, except on one node", () => {
    const heavy = DASHBOARDS.filter(({ uid }) => uid !== "avax-node").flatMap(({ uid, annotations }) =>
      annotations.list
        .filter(({ enable, expr }) => enable && / offset /.test(expr))
        .map(({ name }) => `${uid}: ${name}`),
    );
    expect(heavy).toEqual([]);
  });
});

type Cost = Record<"panels" | "queries", { readonly open: number; readonly all: number }> & { readonly uid: string };

function costOf({ uid, opened, panels, templating, annotations }: DashboardJson): Cost {
  const variables = templating.list.filter(({ type }) => type === "query").length;
  const enabled = annotations.list.filter(({ enable }) => enable).length;
  return {
    uid,
    panels: { open: drawn(opened).length, all: drawn(panels).length },
    queries: {
      open: queriesOf(opened) + variables + enabled,
      all: queriesOf(panels) + variables + annotations.list.length,
    },
  };
}

function drawn(panels: readonly PanelJson[]): readonly PanelJson[] {
  return panels.filter(({ type }) => type !== "row");
}

function queriesOf(panels: readonly PanelJson[]): number {
  return drawn(panels).reduce((sum, { targets = [] }) => sum + targets.length, 0);
}
