import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import type { NodeConfig } from "../../src/config/config.ts";
import { configJsonSchema } from "../../src/config/config-json-schema.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { nodeSources } from "../../src/config/read/sources.ts";
import { catalogueOf } from "../../src/topics/define/catalogue.ts";
import { ALERT_LIMITS } from "../../src/topics/all/alerts.ts";
import { TOPICS } from "../../src/topics/all/topics.ts";

const ROOT = join(import.meta.dirname, "../..");
const EXAMPLE = join(ROOT, "config.example.yaml");
const TEXT = readFileSync(EXAMPLE, "utf8");
/** The example with every option that is switched off there. */
const WHOLE = TEXT.replace(/^( *)#(?=[^\s#])/gm, "$1");
const whole = { ...nodeSources({}), readFile: () => WHOLE };
const OPTIONS = { alertLimits: ALERT_LIMITS };
const IDS = catalogueOf(TOPICS).endpoints.map(({ id }) => id);
const PROPERTIES = properties(configJsonSchema());

test("the example as it stands watches one node and sets nothing else", () => {
  const result = loadConfig(EXAMPLE, IDS, nodeSources({}), OPTIONS);
  expect(result.ok ? result.loaded.warnings : result.problems).toEqual([]);
  if (!result.ok) return;
  const smallest = "nodes: [{ name: my-validator, url: http://127.0.0.1:9650 }]";
  const alone = loadConfig("smallest.yaml", IDS, { ...nodeSources({}), readFile: () => smallest });
  if (!alone.ok) throw new Error(JSON.stringify(alone.problems));
  const { endpoints, probe, ...others } = alone.loaded.config;
  expect(result.loaded.config).toMatchObject(others);
  // Both list an example that changes nothing by itself.
  expect([Object.keys(endpoints), probe.modules["peering"]]).toEqual([[], undefined]);
});

test("the whole example loads without problems and warnings in an empty environment", () => {
  const result = loadConfig(EXAMPLE, IDS, whole, OPTIONS);
  expect(result.ok ? result.loaded.warnings : result.problems).toEqual([]);
  expect(result.ok && result.loaded.config.nodes.map(({ name }) => name)).toEqual(["my-validator", "fuji-1"]);
  expect(result.ok && result.loaded.config.watch.addresses.length).toBe(3);
  expect(result.ok && result.loaded.config.dataApi?.wanted.collections.length).toBe(1);
});

test("the masked example is a valid configuration", () => {
  const first = loadConfig(EXAMPLE, IDS, whole, OPTIONS);
  if (!first.ok) throw new Error("the example does not load");
  const sources = { ...nodeSources({}), readFile: () => first.loaded.masked() };
  const second = loadConfig("masked.yaml", IDS, sources, OPTIONS);
  if (!second.ok) throw new Error(JSON.stringify(second.problems));
  expect(second.loaded.masked()).toBe(first.loaded.masked());
  const withoutHeaders = (node: NodeConfig) => ({ ...node, headers: {} });
  expect(second.loaded.config.nodes.map(withoutHeaders)).toEqual(first.loaded.config.nodes.map(withoutHeaders));
  expect({ ...second.loaded.config, nodes: [] }).toEqual({ ...first.loaded.config, nodes: [] });
});

test("the example refers to the JSON Schema and contains every key", () => {
  expect(TEXT.split("\n", 1)).toEqual(["# yaml-language-server: $schema=./config.schema.json"]);
  expect(PROPERTIES.filter(([key]) => !new RegExp(`\\b${key}:`).test(TEXT))).toEqual([]);
});

test("the committed JSON Schema is up to date", async () => {
  const text = `${JSON.stringify(configJsonSchema({ endpoints: IDS, alerts: ALERT_LIMITS.map(({ name }) => name) }), undefined, 2)}\n`;
  await expect(text).toMatchFileSnapshot(join(ROOT, "config.schema.json"));
});

test("every key of the JSON Schema has a description", () => {
  expect(PROPERTIES.filter(([, schema]) => !hasDescription(schema))).toEqual([]);
});

test("the JSON Schema accepts the example and rejects invalid values", () => {
  const schema = z.fromJSONSchema(configJsonSchema() as Parameters<typeof z.fromJSONSchema>[0]);
  const example = parse(WHOLE) as Record<string, unknown>;
  expect(schema.safeParse(example).error).toBeUndefined();
  for (const wrong of [
    { extra: 1 },
    { watch: { observers: 0 } },
    { nodes: [{ name: "a" }] },
    { endpoints: { x: { evry: "1s" } } },
  ]) {
    expect(schema.safeParse({ ...example, ...wrong }).success).toBe(false);
  }
});

/** Every property in a JSON Schema, with its name. */
function properties(schema: unknown): Array<[string, unknown]> {
  return children(schema).flatMap(([key, child]) => [
    ...(key === "properties" ? children(child) : []),
    ...properties(child),
  ]);
}

function hasDescription(schema: unknown): boolean {
  const own = children(schema);
  const inner = own.find(([key]) => key === "anyOf")?.[1];
  return own.some(([key]) => key === "description") || children(inner).some(([, option]) => hasDescription(option));
}

function children(value: unknown): Array<[string, unknown]> {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}
