import { createTheme, ThemeContext, type DataFrame, type GrafanaTheme2 } from "@grafana/data";
import { GlobalStyles, Icon, PanelChrome } from "@grafana/ui";
import { Component, useContext, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import "@fontsource/inter/400.css";
import "@fontsource/inter/500.css";
import type { Choice, Dashboard, Span, Theme } from "./dashboard.ts";
import { marksOf, type Mark } from "./events.ts";
import { framesOf } from "./frames.ts";
import { placesOf, type Place } from "./layout.ts";
import { isEmpty, PanelBody } from "./panel.tsx";
import { fillVariables, type Values } from "./variables.ts";

/** Grafana's grid: 24 columns, cells of 30 pixels with 8 between. */
const CELL = 38;
const GAP = 8;
const HEAD = 84;
const EDGE = 16;

type Job = {
  readonly dashboard: Dashboard;
  readonly choice: Choice;
  readonly span: Span;
  readonly dashboards: readonly string[];
  readonly theme: Theme;
  readonly allOpen: boolean;
};
type Drawn = { readonly place: Place; readonly frames: DataFrame[]; readonly error?: string };

(window as unknown as Record<string, unknown>)["__grafana_public_path__"] = "/public/";

void draw();

async function draw(): Promise<void> {
  const job = (await (await fetch("/job")).json()) as Job;
  const { dashboard, choice, span } = job;
  const theme = createTheme({ colors: { mode: job.theme } });
  const values = await fillVariables(dashboard, choice, span);
  const marks = await marksOf(dashboard, values, span);
  const drawn: Drawn[] = [];
  for (const place of placesOf(dashboard, job.allOpen)) drawn.push(await dataOf(place, values, span, theme));
  await document.fonts.load("400 14px Inter");
  await document.fonts.load("500 14px Inter");
  flushSync(() => {
    createRoot(document.querySelector("#page") ?? document.body).render(
      <ThemeContext.Provider value={theme}>
        <Page job={job} values={values} drawn={drawn} marks={marks} />
      </ThemeContext.Provider>,
    );
  });
  // Legends are measured before their plots are drawn.
  for (let frame = 0; frame < 10; frame += 1) await new Promise((resolve) => setTimeout(resolve, 50));
  const empty = drawn.filter(
    ({ place, frames, error }) => place.panel.type !== "row" && error === undefined && isEmpty(frames),
  );
  await report({
    empty: empty.map(({ place }) => place.panel.title),
    failed: drawn.flatMap(({ place, error }) => (error === undefined ? [] : [`${place.panel.title}: ${error}`])),
  });
}

async function report(body: unknown): Promise<void> {
  await fetch("/report", { method: "POST", body: JSON.stringify(body) });
}

async function dataOf(place: Place, values: Values, span: Span, theme: GrafanaTheme2): Promise<Drawn> {
  const { panel } = place;
  try {
    return { place, frames: await framesOf(panel, values, span, (panel.gridPos.w / 24) * window.innerWidth, theme) };
  } catch (error) {
    return { place, frames: [], error: String(error) };
  }
}

function Page({
  job,
  values,
  drawn,
  marks,
}: {
  readonly job: Job;
  readonly values: Values;
  readonly drawn: readonly Drawn[];
  readonly marks: readonly Mark[];
}) {
  const width = window.innerWidth - 2 * EDGE;
  return (
    <>
      <GlobalStyles />
      <Head job={job} values={values} />
      {drawn.map((each) => (
        <Placed key={each.place.panel.id} drawn={each} span={job.span} width={width} marks={marks} />
      ))}
    </>
  );
}

function Head({ job: { dashboard, span, dashboards }, values }: { readonly job: Job; readonly values: Values }) {
  const theme = useContext(ThemeContext);
  const clock = (time: number) => new Date(time * 1000).toISOString().slice(11, 16);
  const pill = {
    background: theme.colors.background?.secondary,
    border: `1px solid ${theme.colors.border?.weak}`,
    borderRadius: 4,
    padding: "3px 8px",
    marginRight: 8,
  };
  return (
    <header
      style={{
        position: "absolute",
        top: 10,
        left: EDGE,
        right: EDGE,
        fontSize: 13,
        color: theme.colors.text?.primary,
      }}
    >
      <div style={{ display: "flex", justifyContent: "space-between", marginBottom: 10 }}>
        <span style={{ fontSize: 18, fontWeight: 500, color: theme.colors.text?.maxContrast }}>{dashboard.title}</span>
        <span style={{ color: theme.colors.text?.secondary }}>
          {dashboards.map((title) => (
            <span
              key={title}
              style={{
                marginLeft: 16,
                color: title === dashboard.title ? theme.colors.text?.primary : theme.colors.text?.link,
              }}
            >
              {title.replace("Avalanche / ", "")}
            </span>
          ))}
          {(dashboard.links ?? [])
            .filter(({ type }) => type === "link")
            .map(({ title }) => (
              <span key={title} style={{ marginLeft: 16, color: theme.colors.text?.link }}>
                {title}
              </span>
            ))}
        </span>
      </div>
      <div style={{ display: "flex", justifyContent: "space-between" }}>
        <span>
          {[...values.values()]
            .filter(({ isHidden }) => !isHidden)
            .map(({ label, shown }) => (
              <span key={label} style={pill}>
                <span style={{ color: theme.colors.text?.secondary }}>{label}</span>&ensp;{shown}
              </span>
            ))}
        </span>
        <span style={{ ...pill, marginRight: 0 }}>{`${clock(span.from)} to ${clock(span.to)} UTC`}</span>
      </div>
    </header>
  );
}

function Placed({
  drawn: {
    place: { panel, y },
    frames,
    error,
  },
  span,
  width,
  marks,
}: {
  readonly drawn: Drawn;
  readonly span: Span;
  readonly width: number;
  readonly marks: readonly Mark[];
}) {
  const theme = useContext(ThemeContext);
  const column = (width + GAP) / 24;
  const { x, w, h } = panel.gridPos;
  const box = { left: EDGE + x * column, top: HEAD + y * CELL, width: w * column - GAP, height: h * CELL - GAP };
  if (panel.type === "row")
    return (
      <div
        style={{
          position: "absolute",
          ...box,
          fontSize: 16,
          fontWeight: 500,
          lineHeight: "30px",
          color: theme.colors.text?.primary,
        }}
      >
        <Icon name={panel.collapsed === true ? "angle-right" : "angle-down"} /> {panel.title}
        {panel.collapsed === true && (
          <span style={{ color: theme.colors.text?.secondary, fontSize: 13, fontWeight: 400 }}>
            {" "}
            ({panel.panels?.length} {panel.panels?.length === 1 ? "panel" : "panels"})
          </span>
        )}
      </div>
    );
  return (
    <div style={{ position: "absolute", ...box }}>
      <Guard>
        <PanelChrome title={panel.title} description={panel.description ?? ""} width={box.width} height={box.height}>
          {(inside, height) =>
            error === undefined ? (
              <PanelBody
                panel={panel}
                frames={frames}
                span={span}
                width={inside}
                height={height}
                theme={theme}
                marks={marks}
              />
            ) : (
              <div>{error}</div>
            )
          }
        </PanelChrome>
      </Guard>
    </div>
  );
}

/** A panel that throws is told, and leaves the others standing. */
class Guard extends Component<{ readonly children: ReactNode }, { readonly error?: string }> {
  override state: { readonly error?: string } = {};
  static getDerivedStateFromError(error: unknown) {
    return { error: String(error) };
  }
  override componentDidCatch(error: unknown) {
    void report({ failed: [String(error)] });
  }
  override render() {
    return this.state.error ?? this.props.children;
  }
}
