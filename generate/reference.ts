import type { AskScope } from "../src/api/endpoint.ts";
import { REASON_NAMES, REASONS } from "../src/api/reasons.ts";
import { catalogueOf, isEndpoint, isOptional, metricsOf, sourceOf } from "../src/topics/define/catalogue.ts";
import type { AnyEndpoint, Catalogue } from "../src/topics/define/catalogue.ts";
import { TOPICS } from "../src/topics/all/topics.ts";
import { nameLabels, SCOPE_LABELS, type Metric, type Scope } from "../src/topics/define/metric.ts";
import type { Topic } from "../src/topics/define/topic.ts";
import type { Family } from "../src/exposition/sample.ts";
import { PROBE_FAMILIES } from "../src/topics/exporter/probe-events.ts";
import { answerSize, recordedSizes } from "./answer-sizes.ts";
import { span } from "../src/config/base/durations.ts";
import { code, page, table } from "./text/markdown.ts";
import { requestBudgets } from "./request-budget.ts";
import { SETTLED_INTERVALS } from "../src/poller/poll/poll.ts";
import { EXPORTER_FAMILIES } from "../src/topics/exporter/exporter-families.ts";

const SCOPES: Readonly<Record<Scope, string>> = {
  node: "A fact of one node.",
  network: "A fact of a network, from its reference node.",
  observer: "An observation of the network by one node.",
  comparison: "A comparison of the answers of a network's nodes; no request is sent for it.",
  hosted: "A fact from a hosted API.",
};

const ASKED: Readonly<Record<AskScope, string>> = {
  node: "every node",
  network: "one node of the network",
  observer: "every node, about the watch list",
  hosted: "a hosted service, within its budget",
};

/** Labels of a metric's series in order: those of the scope, its own, then names. */
export function labelsOf({ scope, across }: Topic, { labels }: Pick<Metric<never>, "labels">): readonly string[] {
  const ofNode = labels.includes("node") ? ["node", "network"] : [];
  const first = across === true ? ["shard", ...ofNode] : SCOPE_LABELS[scope];
  return [...new Set([...first, ...labels, ...nameLabels(scope, labels)])];
}

/**
 * What users of a hosted Prometheus pay for: series of a validator that runs P, X and C, its part of the exporter's record and of the
 * essential ones, of a node that validates nothing, of an L1 of ten validators, and of each further node that serves it.
 * test/poller/price.test.ts counts them.
 */
export const PRICE = { validator: 230, record: 30, essential: 120, node: 170, l1: 150, l1Node: 30 } as const;

/** `docs/reference/metrics.md`: every topic with its question, sources, metrics and alerts. */
export function metricsReference(topics: readonly Topic[] = TOPICS): string {
  return page(
    "# Metrics",
    "Grouped by question. Labels that Prometheus adds (`job`, `instance`) are left out. An unknown value has no series and is never exported as 0.",
    `A validator that runs P, X and C has at most ${PRICE.validator} series, ${PRICE.record} of them the exporter's record of its polls. With \`metrics: essential\` in the configuration it has at most ${PRICE.essential}: what the alerts and the first row of each dashboard read. A node that validates nothing has at most ${PRICE.node}. An L1 of ten validators with an EVM chain adds at most ${PRICE.l1}, and ${PRICE.l1Node} for each further node that serves it. \`?collect[]=\` selects topics or families.`,
    ...topics.map((topic) => topicSection(topic, endpointsOf(topic))),
    ownSection(),
    probeSection(),
  );
}

function topicSection(topic: Topic, endpoints: readonly string[]): string {
  return [
    `## ${topic.about}`,
    `${SCOPES[topic.scope]} ${endpoints.length === 0 ? "No request is sent." : `Read from ${endpoints.join("; ")}.`}`,
    table(
      ["name", "type", "labels", "help", "source"],
      metricsOf(topic).map((metric) => {
        const { text, source } = splitHelp(metric.help);
        return [code(metric.name), metric.type, labelsOf(topic, metric).map(code).join(", "), text, source];
      }),
    ),
    ...(topic.formulas ?? []).map(
      ({ metric, formula, example, result }) => `${code(metric)} = ${formula}. Example: ${example} Result: ${result}.`,
    ),
    ...(topic.alerts.length === 0
      ? []
      : [`Alerts: ${topic.alerts.map(({ name }) => `[${name}](../runbooks/${name}.md)`).join(", ")}.`]),
  ].join("\n\n");
}

function endpointsOf(topic: Topic): readonly string[] {
  return Object.values(topic.needs).map((need) => {
    const endpoint = sourceOf(need);
    if (!isEndpoint(endpoint)) return "the exporter's own record of its polls";
    const also = isOptional(need) ? ", if available" : "";
    const asked = `${endpoint.methods.map(code).join(" or ")}, every ${span(endpoint.every)}${also}`;
    return `[${endpoint.id}](endpoints.md) (${asked})`;
  });
}

/** Splits a HELP text that ends in its source. A text with sources in its middle stays whole. */
function splitHelp(help: string): { readonly text: string; readonly source: string } {
  const [, text, source] = /^([^(]+) \(([^()]+)\)\.$/.exec(help) ?? [];
  return text === undefined || source === undefined ? { text: help, source: "see help" } : { text: `${text}.`, source };
}

function probeSection(): string {
  return [
    "## What does a probe report about itself?",
    "After the metrics of the probed node, `/probe` exports the result of the probe. Metrics of the node are limited to what a single round of polls can show: no counters, no comparison with other nodes, no intervals.",
    familiesTable(PROBE_FAMILIES),
  ].join("\n\n");
}

function ownSection(): string {
  return [
    "## Does the exporter itself work?",
    "Facts of the exporter's process, not of a node. The usual `process_*` and `nodejs_*` metrics of prom-client are exported too.",
    familiesTable(Object.values(EXPORTER_FAMILIES).filter((family) => !isOfNodes(family))),
    "## Can a node be restarted now?",
    "Derived from the other series at each scrape; [how](../planning.md#restarts).",
    familiesTable(Object.values(EXPORTER_FAMILIES).filter(isOfNodes)),
  ].join("\n\n");
}

function isOfNodes({ labels }: { readonly labels: readonly string[] }): boolean {
  return labels.includes("node");
}

function familiesTable(families: ReadonlyArray<Family & { readonly labels: readonly string[] }>): string {
  return table(
    ["name", "type", "labels", "help"],
    families.map(({ name, type, labels, help }) => [code(name), type, labels.map(code).join(", "), help]),
  );
}

/** `docs/reference/endpoints.md`: methods, targets and cadence of every endpoint. */
export function endpointsReference(topics: readonly Topic[] = TOPICS): string {
  const sizes = recordedSizes();
  const rows = catalogueOf(topics).endpoints.map((endpoint) => [
    code(endpoint.id),
    endpoint.about,
    endpoint.methods.map(code).join(", "),
    span(endpoint.every),
    span(endpoint.timeout),
    ASKED[endpoint.scope],
    answer(endpoint, sizes),
    remarks(endpoint).join(" "),
  ]);
  return page(
    "# Endpoints",
    "What the exporter polls, on which nodes and how often. Interval and deadline are the defaults of the configuration. Where two methods are listed, `health.transport` selects GET or JSON-RPC.",
    "The answer size is the largest one recorded on a network of seven validators. Facts about a whole network are polled from one of its nodes. Five nodes observe each validator, however many are polled. A poll writes into the node's log, at the node's default level, only where the remarks say so.",
    table(["endpoint", "content", "methods", "every", "deadline", "polled", "answer", "remarks"], rows),
    "## Requests per minute",
    "What a node sees of the exporter: HTTP requests per minute, in the default configuration, of a validator of the Primary Network. A batch is one request. A test counts them at a simulated node.",
    "Each subnet, wallet and alias adds its own.",
    requestsTable(catalogueOf(topics)),
  );
}

function requestsTable(catalogue: Pick<Catalogue, "endpoints">): string {
  const budgets = requestBudgets(catalogue);
  const sum = (of: "node" | "reference" | "second") => rate(budgets.reduce((all, budget) => all + budget[of], 0));
  return table(
    ["endpoint", "each node", "reference node", "second node", "in addition"],
    [
      ...budgets.map(({ id, node, reference, second, also = "" }) => [
        code(id),
        ...[node, reference, second].map(rate),
        also,
      ]),
      ["all", sum("node"), sum("reference"), sum("second"), ""],
    ],
  );
}

/** Requests per minute, with at most three digits after the point. */
function rate(perMinute: number): string {
  return String(Math.round(perMinute * 1000) / 1000);
}

/** Size of the answers to one poll, and what it grows with. */
function answer({ id, scope }: AnyEndpoint, sizes: ReadonlyMap<string, number>): string {
  if (scope === "hosted") return "";
  const size = answerSize(id, sizes);
  if (size === undefined) return "not recorded";
  return `${size.bytes} bytes${size.grows === undefined ? "" : `; ${size.grows}`}`;
}

function remarks(endpoint: AnyEndpoint): readonly string[] {
  return [
    ...(endpoint.enabled === false ? ["Polled only if the configuration enables it."] : []),
    ...(endpoint.optional === true ? ["Optional: not every server offers it."] : []),
    ...(endpoint.keyed ? ["One request per subject."] : []),
    ...("probe" in endpoint && endpoint.probe === true
      ? ["Polled at its full rate even while the node does not answer."]
      : []),
    ...("settled" in endpoint
      ? [
          `Once it is settled, every ${span(SETTLED_INTERVALS * endpoint.every)}, until a poll of the node fails or its health changes.`,
        ]
      : []),
    ...(endpoint.trace === undefined ? [] : [`Log: ${endpoint.trace}`]),
  ];
}

/** `docs/reference/failure-reasons.md`: the closed set of reasons for a failed poll. */
export function failureReasonsReference(): string {
  return page(
    "# Why a poll failed",
    "All values of the label `reason` of `avax_poll_failures_total`, and `overloaded`, which `avax_polls_missed_total` counts. The status page shows them too.",
    table(
      ["reason", "meaning"],
      REASON_NAMES.map((reason) => [code(reason), REASONS[reason]]),
    ),
  );
}
