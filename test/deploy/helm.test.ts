import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it, test } from "vitest";
import { helmValuesSchema } from "../../generate/helm-values.ts";
import { parse } from "yaml";
import { CHART_VALUES } from "../kubernetes/support/chart-values.ts";
import { z } from "zod";

const ROOT = resolve(import.meta.dirname, "../..");
const CHART = "deploy/helm/avax-exporter";
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

type Schema = { readonly properties?: Readonly<Record<string, Schema>>; readonly additionalProperties?: unknown };
const SCHEMA = helmValuesSchema() as Schema;
const DEFAULTS = parse(read(`${CHART}/values.yaml`)) as Record<string, unknown>;
const checked = (values: unknown) =>
  z.fromJSONSchema(SCHEMA as Parameters<typeof z.fromJSONSchema>[0]).safeParse(values).error?.issues ?? [];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Paths of the values that the schema names one by one. */
function paths(schema: Schema, at = ""): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, below]) =>
    at === "" && (key === "global" || key === "config")
      ? []
      : below.properties === undefined
        ? [`${at}${key}`]
        : paths(below, `${at}${key}.`),
  );
}

const valueAt = (path: string) =>
  path.split(".").reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), DEFAULTS);

describe("the values of the Helm chart", () => {
  it("have a default in values.yaml for each one of the schema, and no other", () => {
    expect(paths(SCHEMA).filter((path) => valueAt(path) === undefined)).toEqual([]);
    expect(checked(DEFAULTS)).toEqual([]);
    expect(SCHEMA.additionalProperties).toBe(false);
  });

  it.each(["IDs that OpenShift assigns", "everything"])("can be those of %s", (name) => {
    expect(checked(CHART_VALUES[name])).toEqual([]);
    expect(checked({ hostNetwork: true, podSecurityContext: {}, securityContext: {} })).toEqual([]);
    expect(DEFAULTS["podSecurityContext"]).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
  });

  it("leave out the IDs in the pod where OpenShift assigns them, and keep the rest", () => {
    // As Helm coalesces values: a null removes the default.
    const given = {
      ...(DEFAULTS["podSecurityContext"] as object),
      ...(CHART_VALUES["IDs that OpenShift assigns"]?.["podSecurityContext"] as object),
    };
    const pod = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    expect(pod).toEqual({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    const template = read(`${CHART}/templates/_pod.tpl`);
    const block =
      "  {{- with .Values.podSecurityContext }}\n  securityContext:\n    {{- toYaml . | nindent 4 }}\n  {{- end }}\n";
    expect(template.split(block)).toHaveLength(2);
    const templates = readdirSync(join(ROOT, CHART, "templates")).map((name) => read(`${CHART}/templates/${name}`));
    expect(templates.join("\n")).not.toMatch(/runAsUser|runAsGroup|fsGroup|podSecurityContext(?! }})/);
  });

  it("pass the schema as deploy/README.md shows them", () => {
    const [, text = ""] = /### Helm[\s\S]*?^```yaml\n([\s\S]*?)^```/m.exec(read("deploy/README.md")) ?? [];
    expect(checked(parse(text))).toEqual([]);
    expect(Object.keys(parse(text) as object)).toContain("config");
  });
});

describe("the files of the Helm chart", () => {
  it("use every value, and define every template that they include", () => {
    const templates = readdirSync(join(ROOT, CHART, "templates"));
    const text = templates.map((name) => read(`${CHART}/templates/${name}`)).join("\n");
    const unused = paths(SCHEMA).filter((path) => !new RegExp(`\\.${path.split(".").at(-1) ?? path}\\b`).test(text));
    expect(unused).toEqual([]);
    const included = [...text.matchAll(/include "([^"]+)"/g)].map(([, name]) => name);
    const defined = [...text.matchAll(/define "([^"]+)"/g)].map(([, name]) => name);
    expect(new Set(included)).toEqual(new Set(defined));
  });
});

test("every way to install it uses the job avax-exporter", () => {
  expect(DEFAULTS["serviceMonitor"]).toMatchObject({ job: "avax-exporter" });
  const { scrape_configs: jobs } = parse(read("deploy/stack/prometheus.yml")) as {
    scrape_configs: ReadonlyArray<{ job_name: string }>;
  };
  expect(jobs.map(({ job_name: name }) => name)).toEqual(["avax-exporter", "avalanchego", "node-exporter"]);
  for (const folder of ["deploy/kubernetes", "deploy/kubernetes/sharded"])
    expect(parse(read(`${folder}/servicemonitor.yaml`))).toMatchObject({
      spec: {
        jobLabel: "app.kubernetes.io/name",
        selector: { matchLabels: { "app.kubernetes.io/name": "avax-exporter" } },
      },
    });
});

test("the chart's job of the nodes' own metrics is that of the stack", () => {
  const { scrape_configs: jobs } = parse(read("deploy/stack/prometheus.yml")) as {
    scrape_configs: ReadonlyArray<{ job_name: string; metric_relabel_configs?: ReadonlyArray<{ regex: string }> }>;
  };
  const native = jobs.find(({ job_name: name }) => name === "avalanchego");
  const template = read(`${CHART}/templates/scrapeconfig.yaml`);
  expect(template).toContain("targetLabel: job, replacement: avalanchego }");
  expect(template).toContain(`regex: ${native?.metric_relabel_configs?.[0]?.regex ?? "none"}\n`);
  expect(DEFAULTS["nodeMetrics"]).toMatchObject({ enabled: false, keepAll: false });
});

test("the chart and every manifest of Kubernetes name the version of the program", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  expect(parse(read(`${CHART}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
  const images = ["exporter.yaml", "sharded/exporter.yaml"].flatMap((name) =>
    [...read(`deploy/kubernetes/${name}`).matchAll(/^\s*image: (\S+)/gm)].map(([, image]) => image),
  );
  expect(images).toEqual([`avax-exporter:${version}`, `avax-exporter:${version}`]);
  expect(read("deploy/kustomize/kustomization.yaml")).toContain(`newTag: ${version}\n`);
  // The chart's default is the version of its application.
  expect(DEFAULTS["image"]).toMatchObject({ tag: "", digest: "" });
});
