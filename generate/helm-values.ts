import { catalogueOf } from "../src/topics/define/catalogue.ts";
import { configJsonSchema } from "../src/config/config-json-schema.ts";
import { ALERT_LIMITS } from "../src/topics/all/alerts.ts";
import { TOPICS } from "../src/topics/all/topics.ts";

type Schema = { readonly [key: string]: unknown };

const DURATION = "^([0-9]+(ms|s|m|h|d))+$";

const text: Schema = { type: "string" };
const switchedOn: Schema = { type: "boolean" };
/** What Kubernetes itself checks. */
const anyObject: Schema = { type: "object" };
const objects: Schema = { type: "array", items: anyObject };
const texts: Schema = { type: "object", additionalProperties: text };
const strings: Schema = { type: "array", items: text };
const url: Schema = { type: "string", pattern: "^(https?://[^\\s?#]+)?$" };
const duration: Schema = { type: "string", pattern: DURATION };
/** Texts by the names of files beside the configuration, as Kubernetes allows them for keys. */
const files = byName("^[-._a-zA-Z0-9]+$", text);

const section = (properties: Schema): Schema => ({ type: "object", additionalProperties: false, properties });

/**
 * The JSON Schema of the Helm chart's values. The exporter's configuration in them is checked by its own schema, so that Helm
 * rejects a misspelled option before anything is installed.
 */
export function helmValuesSchema(): Schema {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...section(SETTINGS()) };
}

const SETTINGS = (): Schema => ({
  // Set by Helm for the subcharts of another chart.
  global: anyObject,
  image: section({
    repository: { type: "string", pattern: "^[^\\s:@]+(:[0-9]+/[^\\s:@]+)?$" },
    tag: { type: "string", pattern: "^[A-Za-z0-9_.-]{0,128}$" },
    digest: { type: "string", pattern: "^(sha256:[0-9a-f]{64})?$" },
    pullPolicy: { enum: ["Always", "IfNotPresent", "Never"] },
  }),
  imagePullSecrets: objects,
  config: configuration(),
  configFile: text,
  secrets: section({ existing: strings, create: files }),
  env: objects,
  envFrom: objects,
  shards: { type: "integer", minimum: 1, maximum: 1000 },
  web: section({ externalUrl: url, config: anyObject }),
  extraArgs: { type: "array", items: { type: "string", pattern: "^--" } },
  storage: section({
    enabled: switchedOn,
    size: { type: "string", pattern: "^[0-9]+(\\.[0-9]+)?([EPTGMk]i?|Ki)?$" },
    storageClass: text,
    existingClaim: text,
  }),
  resources: anyObject,
  nodeSelector: texts,
  tolerations: objects,
  affinity: anyObject,
  topologySpreadConstraints: objects,
  priorityClassName: text,
  annotations: texts,
  podLabels: texts,
  podAnnotations: texts,
  podSecurityContext: anyObject,
  securityContext: anyObject,
  livenessProbe: anyObject,
  readinessProbe: anyObject,
  hostNetwork: switchedOn,
  hostAliases: objects,
  extraVolumes: objects,
  extraVolumeMounts: objects,
  service: section({ port: { type: "integer", minimum: 1, maximum: 65_535 }, annotations: texts }),
  serviceAccount: section({ create: switchedOn, name: text, annotations: texts }),
  serviceMonitor: section({
    enabled: switchedOn,
    labels: texts,
    job: { type: "string", minLength: 1 },
    interval: duration,
    scrapeTimeout: duration,
    relabelings: objects,
    metricRelabelings: objects,
    endpoint: anyObject,
  }),
  nodeMetrics: section({
    enabled: switchedOn,
    labels: texts,
    interval: duration,
    scrapeTimeout: duration,
    keepAll: switchedOn,
    discovery: anyObject,
  }),
  prometheusRule: section({ enabled: switchedOn, labels: texts, rules: text }),
  dashboards: section({ enabled: switchedOn, labels: texts, annotations: texts }),
  networkPolicy: section({ enabled: switchedOn, from: objects, egress: objects }),
  podDisruptionBudget: section({ enabled: switchedOn, maxUnavailable: { type: "integer", minimum: 1 } }),
  fullnameOverride: { type: "string", pattern: "^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$" },
});

/** Without the keys that belong to the root of a schema. */
function configuration(): Schema {
  const schema = configJsonSchema({
    endpoints: catalogueOf(TOPICS).endpoints.map(({ id }) => id),
    alerts: ALERT_LIMITS.map(({ name }) => name),
  }) as Schema;
  const below = Object.entries(schema).filter(([key]) => key !== "$schema" && key !== "title");
  return withoutPropertyNames(Object.fromEntries(below)) as Schema;
}

function byName(pattern: string, of: unknown): Schema {
  return { type: "object", additionalProperties: false, patternProperties: { [pattern]: of } };
}

/** The same schema with patterns for `propertyNames`, whose faults Helm 3.22 reports at the path of another value. */
function withoutPropertyNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPropertyNames);
  if (typeof value !== "object" || value === null) return value;
  const { propertyNames, ...schema } = Object.fromEntries(
    Object.entries(value).map(([key, below]) => [key, withoutPropertyNames(below)]),
  );
  const { enum: names } = (propertyNames ?? {}) as { readonly enum?: readonly string[] };
  if (names === undefined) return schema;
  return {
    ...schema,
    ...byName(`^(${names.map((name) => name.replaceAll(".", "\\.")).join("|")})$`, schema["additionalProperties"]),
  };
}
