import { BOARDS } from "./dashboards/boards.ts";
import { pageFrom, table } from "./text/markdown.ts";

/** `docs/reference/panels.md`: every panel with the question that it answers, which begins its description. */
export function panelsPage(): string {
  return pageFrom(
    "generate/dashboards",
    "# Panels",
    "Every panel of the [dashboards](../dashboards.md) with the question that it answers. Its description in Grafana has the rest.",
    ...BOARDS.flatMap(({ title, about, rows }) => [
      `## ${title}`,
      about,
      table(
        ["row", "panel", "question"],
        rows.flatMap((row) =>
          row.panels.map((panel) => [row.title, panel.title, questionOf(panel.build("").description ?? "")]),
        ),
      ),
    ]),
  );
}

/** The question at the beginning of a description. */
function questionOf(description: string): string {
  return description.slice(0, description.indexOf("?") + 1);
}
