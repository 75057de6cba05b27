import { describe, expect, it } from "vitest";
import { dashboardWith } from "../../../src/cli/export/dashboard-with.ts";
import { EXPORTER_PAGES, TO_EXPORTER } from "../../../src/topics/exporter/exporter-pages.ts";
import { RUNBOOK_INDEX, runbookUrl } from "../../../src/topics/all/alerts.ts";
import { dashboardFile } from "../../../generate/dashboards/parts/board.ts";
import { BOARDS } from "../../../generate/dashboards/boards.ts";

const BOARD = {
  title: "avax_x is a title",
  links: [{ url: RUNBOOK_INDEX }],
  panels: [{ links: [{ url: runbookUrl("AvaxNodeDown") }], targets: [{ expr: 'avax_x{job=~"$job"} or process_x' }] }],
  templating: {
    list: [
      { name: "job", query: "label_values(avax_x, job)", current: { selected: true, text: "All", value: "$__all" } },
      { name: "node", query: "label_values(avax_x, node)", current: { selected: true, text: "All", value: "$__all" } },
    ],
  },
};
const changed = (options: Partial<Parameters<typeof dashboardWith>[1]>): unknown =>
  JSON.parse(dashboardWith(JSON.stringify(BOARD), { matchers: [], ...options }));

describe("dashboardWith", () => {
  it.each(BOARDS)("leaves $uid as it is without options", (board) => {
    const text = dashboardFile(board);
    expect(dashboardWith(text, { matchers: [] })).toBe(text);
  });

  it("opens with the job", () => {
    const [job, node] = BOARD.templating.list;
    const current = { selected: true, text: ["avax"], value: ["avax"] };
    expect(changed({ job: "avax" })).toEqual({ ...BOARD, templating: { list: [{ ...job, current }, node] } });
  });

  it("adds matchers to the exporter's series in queries", () => {
    const result = changed({ matchers: [{ label: "env", operator: "=", value: "prod" }] });
    expect(result).toMatchObject({
      title: "avax_x is a title",
      panels: [{ targets: [{ expr: 'avax_x{env="prod",job=~"$job"} or process_x' }] }],
      templating: { list: [{ query: 'label_values(avax_x{env="prod"}, job)' }, {}] },
    });
  });

  it("leads to the exporter's pages at the user's address", () => {
    const board = { links: [{ url: EXPORTER_PAGES }, { url: `${EXPORTER_PAGES}validator/` }, { url: TO_EXPORTER }] };
    const options = { matchers: [], exporter: "https://avax.example.org/x" };
    expect(JSON.parse(dashboardWith(JSON.stringify(board), options))).toEqual({
      links: ["/", "/validator/", "/"].map((path) => ({ url: `https://avax.example.org/x${path}` })),
    });
  });

  it("leads to the user's runbooks", () => {
    expect(changed({ runbooks: "https://wiki.example.org/avax" })).toMatchObject({
      links: [{ url: "https://wiki.example.org/avax" }],
      panels: [{ links: [{ url: "https://wiki.example.org/avax/AvaxNodeDown" }] }],
    });
  });
});
