import { z } from "zod";
import { isRecord } from "../base/value-at.ts";
import { basicAuth, clientTls, headers } from "./auth-fields.ts";
import {
  always,
  baseUrl,
  camelKeys,
  choice,
  eachOnce,
  file,
  flag,
  integer,
  listOrNone,
  mapOf,
  proxyFields,
  secret,
  sentence,
  setOf,
  size,
  text,
} from "./fields.ts";
import { nodeId } from "./identifier-fields.ts";

const LABEL = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Labels that Prometheus sets, and those of the info metric that carries the free labels. */
const RESERVED = new Set(["node", "network", "job", "instance"]);
/** What a name in `labels_on_series` must be; the loader knows the labels of the series. */
export const OWN_LABEL = "a label that neither the exporter nor Prometheus sets";

const labelName = z
  .string({ error: "a label name" })
  .refine((name) => LABEL.test(name) && !name.startsWith("__"), { error: "a label name such as region" })
  .refine((name) => !RESERVED.has(name), { error: OWN_LABEL })
  .describe("Name of a label.");

/** Names of free labels that are added to all series of a node. */
export const labelsOnSeries = setOf(
  "Free labels to add to every series of a node, not only to avax_node_labels_info. Default: none.",
  labelName,
);

const labels = mapOf("Free labels of the node, exported as avax_node_labels_info.", z.string(), labelName);

function oneCredential(value: unknown, context: z.RefinementCtx): void {
  if (!isRecord(value)) return;
  const given = ["basic_auth", "bearer_token", "bearer_token_file"].filter((key) => value[key] !== undefined);
  for (const key of given.slice(1)) sentence(context, [key], `${given[0]} and ${key} are both given; keep one of them`);
  const own = isRecord(value["headers"])
    ? Object.keys(value["headers"]).find((name) => name.toLowerCase() === "authorization")
    : undefined;
  if (own !== undefined && given.length > 0)
    sentence(context, ["headers", own], `${given[0]} already sets the header Authorization; keep one of them`);
}

/** One entry of `nodes`. */
export const nodeSection = z
  .strictObject({
    name: text("Unique name of the node: the label `node`."),
    url: baseUrl("Base URL of the node's HTTP API, without /ext."),
    network: text("Network of the node: the label `network`. Default: reported by the node.").optional(),
    node_id: nodeId(
      "Expected node ID: its validator is watched from the start, and every poll of another node fails.",
    ).optional(),
    standby_of: text(
      "Name of the node that this one replaces when it runs with the same keys; both are polled. Default: any node that is down.",
    ).optional(),
    labels,
    shard: integer(
      "Index of the process that polls this node, where several share the nodes (`--shard.index`). Default: by the hash of its name.",
      0,
      999_999,
    ).optional(),
    health_transport: choice("Transport of health polls: GET or JSON-RPC.", ["get", "rpc"]).prefault("get"),
    dialect: choice("Spelling of admin and ledger methods; auto detects it.", ["auto", "spec", "avalanchego"]).prefault(
      "auto",
    ),
    public_server: flag(
      "Whether this is an API server for the public: nothing is asked that concerns one node alone, such as its health and its ID.",
    ).prefault(false),
    subnets: listOrNone(
      "Names or IDs of the configured subnets that this node serves. Default: all without a network or with the node's.",
      text("Name or ID of a configured subnet."),
    ),
    primary_chains: z
      .array(choice("P, X or C.", ["P", "X", "C"]))
      .prefault(["P", "X", "C"])
      .describe("Chains of the Primary Network that this node runs; an L1 node with partial sync runs P only.")
      .transform(eachOnce),
    aliases: setOf("Chain aliases to resolve to blockchain IDs, beside P, X and C.", text("Chain alias.")),
    basic_auth: basicAuth.optional(),
    bearer_token: secret("Bearer token; `${NAME}` takes it from the environment.", { header: true }).optional(),
    bearer_token_file: file("File that holds the bearer token.", "secret", { header: true }).optional(),
    headers,
    tls: clientTls.optional(),
    ...proxyFields,
    connections: integer(
      "Polls of this node that are under way at once, each on its connection, 1 to 64; the others wait.",
      1,
      64,
    ).prefault(16),
    max_response_size: size(
      "Maximum size of an answer; a larger one, or one with more JSON values than a 32nd of it, fails its poll.",
      "1KiB",
      "1GiB",
    ).prefault("32MiB"),
  })
  .superRefine(oneCredential, always)
  .describe("A polled node.")
  .transform(({ basic_auth, bearer_token, bearer_token_file, max_response_size: maxResponseBytes, ...rest }) => {
    const bearer = bearer_token ?? bearer_token_file;
    const authorization = basic_auth ?? (bearer === undefined ? undefined : `Bearer ${bearer}`);
    const headers = authorization === undefined ? rest.headers : { authorization, ...rest.headers };
    return { ...camelKeys(rest), headers, maxResponseBytes };
  });

export type NodeSection = z.output<typeof nodeSection>;
