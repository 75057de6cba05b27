import type { ExpositionFormat } from "../exposition/render-samples.ts";

type Negotiated = { readonly format: ExpositionFormat; readonly gzip: boolean; readonly contentType: string };

const SERVED = {
  text: { type: "text/plain", version: "0.0.4" },
  openmetrics: { type: "application/openmetrics-text", version: "1.0.0" },
} as const satisfies Record<ExpositionFormat, { type: string; version: string }>;

/** One element of a header's list: a media range or a content coding, the version and the weight. */
type Range = { readonly value: string; readonly version: string | undefined; readonly q: number };

/**
 * Chooses the format by `Accept` and the compression by `Accept-Encoding`: OpenMetrics when the client names it and does not
 * prefer text. A client that accepts none of them gets the text format, uncompressed. By hand, because negotiator rejects a range
 * with a parameter that the type lacks: Prometheus 3 adds `escaping`, and would get text.
 */
export function negotiate(accept: string | undefined, acceptEncoding: string | undefined): Negotiated {
  const ranges = parse(accept ?? "");
  const openmetrics = weightOf(ranges, "openmetrics");
  const format = openmetrics > 0 && openmetrics >= weightOf(ranges, "text") ? "openmetrics" : "text";
  const { type, version } = SERVED[format];
  const contentType = `${type}; version=${version}; charset=utf-8`;
  return { format, gzip: acceptsGzip(parse(acceptEncoding ?? "")), contentType };
}

/** The weight of a format that the client names; 0 for any other. */
function weightOf(ranges: readonly Range[], format: ExpositionFormat): number {
  const { type, version: served } = SERVED[format];
  const named = ranges.filter(({ value, version = served }) => value === type && version === served);
  return Math.max(0, ...named.map(({ q }) => q));
}

function acceptsGzip(codings: readonly Range[]): boolean {
  const weight = (...names: string[]) => codings.find(({ value }) => names.includes(value))?.q;
  const gzip = weight("gzip", "x-gzip") ?? weight("*") ?? 0;
  return gzip > 0 && gzip >= (weight("identity") ?? 0);
}

function parse(header: string): readonly Range[] {
  return header
    .toLowerCase()
    .split(",")
    .map((element) => {
      const [value = "", ...rest] = element.split(";").map((part) => part.trim());
      const params = new Map(
        rest.map((part) => [part.split("=")[0]?.trim(), part.split("=")[1]?.replace(/[\s"]/g, "")]),
      );
      const q = Number.parseFloat(params.get("q") ?? "");
      // An invalid weight counts as missing.
      return { value, version: params.get("version"), q: Number.isNaN(q) ? 1 : q };
    });
}
