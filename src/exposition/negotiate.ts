import type { Format } from "./format.ts";

/** What a client asked for in its headers, and what it is answered with. */

export type Negotiated = { readonly format: Format; readonly gzip: boolean; readonly contentType: string };

const CONTENT_TYPES = {
  text: "text/plain; version=0.0.4; charset=utf-8",
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
} as const satisfies Record<Format, string>;

const SERVED = {
  text: { type: "text/plain", group: "text/*", version: "0.0.4" },
  openmetrics: { type: "application/openmetrics-text", group: "application/*", version: "1.0.0" },
} as const satisfies Record<Format, { type: string; group: string; version: string }>;

/** One element of a list in a header: a media range or a content coding, its parameters, its weight. */
type Range = { readonly value: string; readonly params: ReadonlyMap<string, string>; readonly q: number };

/** How well the client likes something: by the most exact of the ranges that cover it. */
type Liking = { readonly q: number; readonly exactness: number };

/**
 * Chooses the format by `Accept` and the compression by `Accept-Encoding`. Nobody is turned away: a client that accepts
 * nothing of what is served gets the text format, uncompressed.
 */
export function negotiate(accept: string | undefined, acceptEncoding: string | undefined): Negotiated {
  const format = chooseFormat(parse(accept ?? ""));
  return { format, gzip: acceptsGzip(parse(acceptEncoding ?? "")), contentType: CONTENT_TYPES[format] };
}

/** OpenMetrics for those who name it and do not like text better; a mere wildcard gets what people can read everywhere. */
function chooseFormat(ranges: readonly Range[]): Format {
  const text = liking(ranges, "text");
  const openmetrics = liking(ranges, "openmetrics");
  if (openmetrics.q <= 0) return "text";
  const named = openmetrics.exactness >= 2;
  return openmetrics.q > text.q || (named && openmetrics.q === text.q) ? "openmetrics" : "text";
}

function liking(ranges: readonly Range[], format: Format): Liking {
  const none: Liking = { q: 0, exactness: -1 };
  return ranges
    .map((range): Liking => ({ q: range.q, exactness: exactness(range, format) }))
    .filter((found) => found.exactness >= 0)
    .reduce((best, found) => {
      if (found.exactness !== best.exactness) return found.exactness > best.exactness ? found : best;
      return found.q > best.q ? found : best;
    }, none);
}

/** How exactly a range names the format: 3 with its version, 2 without one, 1 and 0 by wildcards, -1 not at all. */
function exactness({ value, params }: Range, format: Format): number {
  const { type, group, version } = SERVED[format];
  if (value === "*/*" || value === "*") return 0;
  if (value === group) return 1;
  if (value !== type) return -1;
  const asked = params.get("version");
  if (asked === undefined) return 2;
  return asked === version ? 3 : -1;
}

function acceptsGzip(codings: readonly Range[]): boolean {
  const weight = (...names: string[]) => codings.find(({ value }) => names.includes(value))?.q;
  const any = weight("*");
  const gzip = weight("gzip", "x-gzip") ?? any ?? 0;
  return gzip > 0 && gzip >= (weight("identity") ?? 0);
}

function parse(header: string): Range[] {
  return header
    .split(",")
    .map((element) => element.split(";").map((part) => part.trim().toLowerCase()))
    .filter(([value]) => value !== undefined && value !== "")
    .map(([value = "", ...rest]) => {
      const params = new Map(rest.map(parseParam));
      return { value, params, q: weightOf(params.get("q")) };
    });
}

function parseParam(part: string): [name: string, value: string] {
  const [name = "", ...value] = part.split("=");
  return [
    name.trim(),
    value
      .join("=")
      .trim()
      .replace(/^"(.*)"$/, "$1"),
  ];
}

/** A weight that is none counts as not given. */
function weightOf(q: string | undefined): number {
  const weight = q === undefined || q === "" ? 1 : Number(q);
  return Number.isFinite(weight) ? Math.min(1, Math.max(0, weight)) : 1;
}
