import type { GrafanaTheme2 } from "@grafana/data";
import type { UPlotConfigBuilder } from "@grafana/ui";
import type { Annotation, Dashboard, Span } from "./dashboard.ts";
import { askSpan, type Series } from "./prometheus.ts";
import { interpolate, type Values } from "./variables.ts";

/** A marked event in Unix milliseconds; one that lasts has an end. */
export type Mark = { readonly from: number; readonly to: number; readonly color: string };

/** The events of the annotations that are on, as Grafana's data source makes them. */
export async function marksOf({ annotations }: Dashboard, values: Values, span: Span): Promise<readonly Mark[]> {
  const asked = (annotations?.list ?? []).filter(({ enable, expr }) => enable && expr !== undefined);
  return (await Promise.all(asked.map((each) => marks(each, values, span)))).flat();
}

async function marks(annotation: Annotation, values: Values, span: Span): Promise<readonly Mark[]> {
  const step = Number.parseInt(annotation.step ?? "60", 10);
  const series = await askSpan(interpolate(annotation.expr ?? "", values, span, step), span, step);
  return series
    .flatMap((each) => joined(timesOf(each, annotation), step * 1000, annotation.iconColor))
    .filter(({ from, to }) => to >= span.from * 1000 && from <= span.to * 1000);
}

function timesOf({ values }: Series, { useValueForTime }: Annotation): readonly number[] {
  if (useValueForTime === true) return values.map(([, value]) => Number(value));
  return values.filter(([, value]) => Number(value) > 0).map(([time]) => time * 1000);
}

/** Moments that are a step apart are one event. */
function joined(times: readonly number[], step: number, color: string): readonly Mark[] {
  const found: Mark[] = [];
  for (const time of times) {
    const last = found.at(-1);
    if (last !== undefined && last.to + step >= time)
      found[found.length - 1] = { ...last, to: Math.max(last.to, time) };
    else found.push({ from: time, to: time, color });
  }
  return found;
}

/** Draws the events into a plot: a line and a triangle each, and a shade where it lasts. */
export function drawMarks(builder: UPlotConfigBuilder, marked: readonly Mark[], theme: GrafanaTheme2): void {
  builder.addHook("draw", ({ ctx, bbox, valToPos }) => {
    const within = (time: number) => Math.min(bbox.left + bbox.width, Math.max(bbox.left, valToPos(time, "x", true)));
    ctx.save();
    for (const { from, to, color } of marked) {
      const [left, right, bottom] = [within(from), within(to), bbox.top + bbox.height];
      ctx.fillStyle = ctx.strokeStyle = theme.visualization.getColorByName(color);
      ctx.globalAlpha = 0.12;
      ctx.fillRect(left, bbox.top, right - left, bbox.height);
      ctx.globalAlpha = 0.9;
      ctx.setLineDash([4, 4]);
      ctx.beginPath();
      for (const x of right > left ? [left, right] : [left]) {
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bottom);
      }
      ctx.stroke();
      ctx.beginPath();
      ctx.moveTo(left - 4, bottom + 5);
      ctx.lineTo(left + 4, bottom + 5);
      ctx.lineTo(left, bottom);
      ctx.fill();
    }
    ctx.restore();
  });
}
