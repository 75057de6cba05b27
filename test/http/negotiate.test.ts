import { describe, expect, test } from "vitest";
import { negotiate } from "../../src/http/negotiate.ts";

const PROMETHEUS_2 =
  "application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4," +
  "text/plain;version=0.0.4;q=0.3,*/*;q=0.2";
const PROMETHEUS_3 =
  "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5," +
  "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2";
const PROMETHEUS_PROTO =
  "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.6," +
  "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2";

describe("the format", () => {
  test.each([
    ["Prometheus 2", PROMETHEUS_2, "openmetrics"],
    ["Prometheus 3", PROMETHEUS_3, "openmetrics"],
    ["Prometheus with protobuf first", PROMETHEUS_PROTO, "openmetrics"],
    ["a version in quotes and capitals", 'Application/OpenMetrics-Text; Version="1.0.0"', "openmetrics"],
    ["OpenMetrics of any version", "application/openmetrics-text", "openmetrics"],
    ["OpenMetrics and text with the same weight", "text/plain, application/openmetrics-text", "openmetrics"],
    [
      "text of an unsupported version, then OpenMetrics",
      "text/plain;version=1.0.0;q=0.6,application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.4",
      "openmetrics",
    ],
    ["an invalid weight", "application/openmetrics-text;version=1.0.0;q=high,text/plain;q=0.5", "openmetrics"],
    ["no header", undefined, "text"],
    ["an empty header", "", "text"],
    ["anything", "*/*", "text"],
    ["a browser", "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", "text"],
    ["text preferred", "application/openmetrics-text;version=1.0.0;q=0.3,text/plain;version=0.0.4;q=0.5", "text"],
    ["text of any version preferred", "text/plain,application/openmetrics-text;q=0.9", "text"],
    ["only the old OpenMetrics", "application/openmetrics-text;version=0.0.1", "text"],
    ["the old OpenMetrics or anything", "application/openmetrics-text;version=0.0.1,*/*;q=0.1", "text"],
    ["OpenMetrics rejected", "application/openmetrics-text;version=1.0.0;q=0,*/*", "text"],
    ["only the newer text", "text/plain;version=1.0.0;escaping=underscores", "text"],
    ["no supported format", "application/json", "text"],
    ["a header of commas", ",;,", "text"],
  ] as const)("for %s: %s is %s", (_, accept, format) => {
    const contentType = {
      openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
      text: "text/plain; version=0.0.4; charset=utf-8",
    }[format];
    expect(negotiate(accept, undefined)).toEqual({ format, gzip: false, contentType });
  });

  test("depends on the named ranges, not on a wildcard with a higher weight", () => {
    expect(negotiate("*/*;q=1,application/openmetrics-text;q=0.2,text/plain;q=0.1", undefined).format).toBe(
      "openmetrics",
    );
  });
});

test.each([
  [undefined, false],
  ["", false],
  ["gzip", true],
  ["GZIP", true],
  ["x-gzip", true],
  ["gzip, deflate, br, zstd", true],
  ["br;q=1.0, gzip;q=0.8, *;q=0.1", true],
  ["*", true],
  ["*;q=0", false],
  ["gzip;q=0", false],
  ["gzip;q=0, *", false],
  ["gzip; q=0.000", false],
  ["gzip, *;q=0", true],
  ["identity", false],
  ["identity;q=1, gzip;q=0.5", false],
  ["identity;q=0.5, gzip;q=1", true],
  ["identity, gzip", true],
  ["identity, *;q=0.5", false],
  ["identity;q=0", false],
  ["deflate, br", false],
])("Accept-Encoding %j compresses: %s", (header, gzip) => {
  expect(negotiate(undefined, header).gzip).toBe(gzip);
});
