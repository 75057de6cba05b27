import { HOSTED_METHODS } from "../src/api/hosted/hosted-methods.ts";
import { methodNamed } from "../src/api/node/methods.ts";
import { catalogueOf, isOptional, metricsOf, sourceOf } from "../src/topics/define/catalogue.ts";
import { NATIVE_FAMILIES } from "../src/topics/node/native-families.ts";
import { TOPICS } from "../src/topics/all/topics.ts";
import type { Topic } from "../src/topics/define/topic.ts";
import { HOSTED_FIELDS } from "./fields/hosted-fields.ts";
import { NODE_FIELDS } from "./fields/node-fields.ts";
import { fieldsOf } from "./fields/values.ts";
import { code, page, table } from "./text/markdown.ts";
import { SPECIFICATION, type SpecifiedInterface, type Specified } from "./specification.ts";

/** A method of the specifications with the endpoints that use it and the metrics read from them. */
type Covered = Specified & {
  readonly endpoints: readonly string[];
  readonly metrics: readonly string[];
  /** Whether the command `call` can send it. */
  readonly callable: boolean;
};

/** The coverage of each method of an interface. */
export function coverageOf({ methods }: SpecifiedInterface, topics: readonly Topic[] = TOPICS): readonly Covered[] {
  const { endpoints, topicsBySource } = catalogueOf(topics);
  return methods.map((method) => {
    const using = endpoints.filter(
      ({ id, methods: used }) => method.usedBy?.includes(id) ?? used.some((each) => bare(each) === method.name),
    );
    const metrics = using.flatMap(({ id }) =>
      (topicsBySource.get(id) ?? []).flatMap((topic) => readFrom(topic, id, method.name)),
    );
    return {
      ...method,
      endpoints: using.map(({ id }) => id),
      metrics: [...new Set(metrics)],
      callable: isCallable(method.name),
    };
  });
}

/** Methods that endpoints use and that are in neither specification. */
function beyondSpecification(topics: readonly Topic[] = TOPICS): readonly string[] {
  const specified = new Set(SPECIFICATION.flatMap(({ methods }) => methods.map(({ name }) => name)));
  const asked = catalogueOf(topics).endpoints.flatMap(({ methods }) => methods.map(bare));
  return [...new Set(asked.filter((method) => !specified.has(method)))];
}

function isCallable(name: string): boolean {
  // `eth_*` stands for any method of its family, `{metric}` for any series of a chain.
  const isHosted = HOSTED_METHODS.some((each) => each.name === name || each.name === name.replace(/\w+$/, "{metric}"));
  return isHosted || methodNamed(name.replace("*", "any")) !== undefined;
}

/** A method as the specification names it: `info.uptime {subnetID}` and `GET /ext/health?tag=` carry parameters. */
function bare(method: string): string {
  return method.replace(/( \{|\?).*$/, "");
}

/** Metrics of a topic that need an endpoint's answer; if the need is optional, those whose HELP names the method. */
function readFrom(topic: Topic, endpoint: string, method: string): readonly string[] {
  const optional = Object.values(topic.needs).some((need) => isOptional(need) && sourceOf(need).id === endpoint);
  return metricsOf(topic)
    .filter(({ help }) => !optional || isNamedIn(help, method))
    .map(({ name }) => name);
}

/** Whether a text names the method, and not only a longer path that begins with it. */
function isNamedIn(text: string, method: string): boolean {
  return text
    .split(method)
    .slice(1)
    .some((rest) => !/^[\w/:{]/.test(rest));
}

/** `docs/reference/coverage.md`: every method of the specifications with its endpoints and metrics. */
export function coverageReference(): string {
  const sections = SPECIFICATION.map((each) => ({ each, covered: coverageOf(each) }));
  return page(
    "# Coverage",
    "Every method and path of the two specifications, with the endpoints that use it and the metrics that need its answer; the last column says where AvalancheGo 1.14.2 and the releases since Helicon differ. `call`: not polled; `avax-exporter call` can send it.",
    table(
      ["interface", "polled", "of"],
      sections.map(({ each, covered }) => [
        each.title,
        String(covered.filter(({ endpoints }) => endpoints.length > 0).length),
        String(covered.length),
      ]),
    ),
    ...sections.map(
      ({ each, covered }) =>
        `## ${each.title}\n\nAt ${each.at}.\n\n${table(
          ["method", "endpoint", "metrics", ...(differs(each) ? ["AvalancheGo"] : [])],
          covered.map((method) => [...row(method), ...(differs(each) ? [method.releases ?? ""] : [])]),
        )}`,
    ),
    ...fieldSections(),
    `## The node's own metrics\n\nFamilies of \`/ext/metrics\` that rules and dashboards read. Prometheus scrapes them; \`avalanche_db_…\` exists with LevelDB alone.\n\n${table(
      ["family", "labels", "AvalancheGo"],
      Object.values(NATIVE_FAMILIES).map(({ name, labels, helicon }) => [
        code(name),
        labels.map(code).join(", "),
        helicon === undefined ? "before Helicon and since" : HELICON[helicon],
      ]),
    )}`,
    `## Beyond the specifications\n\nServers need not implement these methods: ${beyondSpecification().map(code).join(", ")}.`,
  );
}

const HELICON = {
  before: "until Helicon: stands still from the switch on, and is gone after the next restart",
  since: "since Helicon",
};

/** The names in the tables of fields, for a reader. */
const TABLES = { ...NODE_FIELDS, ...HOSTED_FIELDS };

/** Every field of the specifications with its series, or the reason why it has none; `npm run test:spec` compares the values. */
function fieldSections(): readonly string[] {
  const rows = Object.entries(TABLES).flatMap(([method, text]) =>
    fieldsOf(text).map(({ path, sent, series, expected, why }) => [
      code(method),
      code(path),
      code(sent),
      series === undefined ? (why ?? "") : code(series.replaceAll(/=([^,}]*)/g, '="$1"')),
      expected ?? "",
    ]),
  );
  const shown = rows.filter(([, , , , value]) => value !== "").length;
  return [
    `## Fields\n\n${rows.length} fields: ${shown} have a series, ${rows.length - shown} a reason why none. \`npm run test:spec\` sends these values from a strict server, and compares the series of the real process. A name such as \`$NODE\` stands for an identifier, \`$TODAY\` for a time. Every \`nextPageToken\` is followed, up to the configured number of pages.`,
    table(["method", "field", "sent", "series, or why none", "value"], rows),
  ];
}

/** Whether releases differ in a method of the interface. */
const differs = ({ methods }: SpecifiedInterface): boolean => methods.some(({ releases }) => releases !== undefined);

function row({ name, note, endpoints, metrics, callable }: Covered): readonly string[] {
  const why = note === undefined ? "" : `: ${note}`;
  if (endpoints.length === 0 && callable) return [code(name), code("call") + why, ""];
  if (endpoints.length === 0) return [code(name), `not polled${why}`, ""];
  return [code(name), endpoints.map(code).join(", "), metrics.map(code).join(", ")];
}
