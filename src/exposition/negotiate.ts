import type { Format } from "./format.ts";

type Negotiated = { readonly format: Format; readonly gzip: boolean; readonly contentType: string };

const CONTENT_TYPES = {
  text: "text/plain; version=0.0.4; charset=utf-8",
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
} as const satisfies Record<Format, string>;

const SERVED = {
  text: { type: "text/plain", group: "text/*", version: "0.0.4" },
  openmetrics: { type: "application/openmetrics-text", group: "application/*", version: "1.0.0" },
} as const satisfies Record<Format, { type: string; group: string; version: string }>;

/** One element of a header's list: a media range or a content coding, its parameters and its weight. */
type Range = { readonly value: string; readonly params: ReadonlyMap<string, string>; readonly q: number };

/** The client's preference for a format: the weight of the most specific range that matches it. */
type Preference = { readonly q: number; readonly exactness: number };

/**
 * Chooses the format by `Accept` and the compression by `Accept-Encoding`. A client that accepts none of them gets the text
 * format, uncompressed.
 */
export function negotiate(accept: string | undefined, acceptEncoding: string | undefined): Negotiated {
  const format = chooseFormat(parse(accept ?? ""));
  return { format, gzip: acceptsGzip(parse(acceptEncoding ?? "")), contentType: CONTENT_TYPES[format] };
}

/** OpenMetrics when the client names it and does not prefer text; the text format for a mere wildcard. */
function chooseFormat(ranges: readonly Range[]): Format {
  const text = preference(ranges, "text");
  const openmetrics = preference(ranges, "openmetrics");
  if (openmetrics.q <= 0) return "text";
  const named = openmetrics.exactness >= 2;
  return openmetrics.q > text.q || (named && openmetrics.q === text.q) ? "openmetrics" : "text";
}

function preference(ranges: readonly Range[], format: Format): Preference {
  const [best] = ranges
    .map((range): Preference => ({ q: range.q, exactness: exactness(range, format) }))
    .filter((each) => each.exactness >= 0)
    .sort((a, b) => b.exactness - a.exactness || b.q - a.q);
  return best ?? { q: 0, exactness: -1 };
}

/** How specific a range is: 3 with the version, 2 without one, 1 and 0 for wildcards, -1 for no match. */
function exactness({ value, params }: Range, format: Format): number {
  const { type, group, version } = SERVED[format];
  if (value === "*/*" || value === "*") return 0;
  if (value === group) return 1;
  if (value !== type) return -1;
  const wanted = params.get("version");
  if (wanted === undefined) return 2;
  return wanted === version ? 3 : -1;
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

/** An invalid weight counts as missing. */
function weightOf(q: string | undefined): number {
  const weight = q === undefined || q === "" ? 1 : Number(q);
  return Number.isFinite(weight) ? Math.min(1, Math.max(0, weight)) : 1;
}
