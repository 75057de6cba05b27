import { gzipSync } from "node:zlib";
import type { Exchange } from "../support/fault-server.ts";
import { body, calls, checks, isReport, result, text, when } from "../support/replies.ts";
import { failing, harmless, only, partly, type Fails, type Group, type Row } from "../support/row.ts";

/** A deadline of one second can end the reading of a huge answer on a busy machine. */
const slowly = (ids: Parameters<typeof only>[0]): Fails => only(ids, ["ok", "timeout", "too_large", "schema"]);

const VALIDATORS = ["platform.getCurrentValidators", "platform.getCurrentValidators.watched"] as const;

/** Fields that the exporter can do without: with them so many items would be beyond the limit of an answer. */
const NEEDLESS = Object.fromEntries(
  ["trackedSubnets", "supportedACPs", "objectedACPs", "ip", "publicIP", "delegators", "signer", "txID"]
    .concat(["validationRewardOwner", "delegationRewardOwner"])
    .map((field) => [field, undefined]),
);

/** A list of copies of its first item, each with another node ID. */
function copies(found: string, field: string, count: number): string {
  const { [field]: list, ...rest } = JSON.parse(found) as Record<string, readonly object[]>;
  const item = JSON.stringify({ ...list?.[0], ...NEEDLESS });
  const nodeId = /NodeID-\w+/.exec(item)?.[0] ?? "-";
  const items = Array.from({ length: count }, (_, i) => item.replaceAll(nodeId, `NodeID-${i}`));
  const fields = Object.entries(rest).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `{${[...fields, `"${field}":[${items.join(",")}]`].join(",")}}`;
}

/** Changes the answers to a method, into a text that is made once for all requests. */
function changed(method: string, change: (found: string) => string): Row["behave"] {
  let made: string | undefined;
  return () => result(method, (found) => (made ??= change(found)));
}

const bomb = () => gzipSync(Buffer.alloc(500_000_000, " "), { level: 9 });
let gzipBomb: Buffer | undefined;

/** Answers `info.peers` alone with these bytes: a dozen of them at once would be a test of the machine. */
const peers = (bytes: () => string): Row["behave"] => {
  let made: Buffer | undefined;
  return () =>
    when(
      calls("info.peers"),
      text(() => (made ??= Buffer.from(bytes()))),
    );
};

const error = (id: string, fault: string, value: () => string): Row =>
  partly(
    id,
    fault,
    peers(() => `{"jsonrpc":"2.0","error":${value()}}`),
    { "info.peers": "rpc_error" },
  );

const withoutEnd = ({ response }: Exchange): void => {
  const chunk = " ".repeat(65_536);
  response.writeHead(200, { "content-type": "application/json" });
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
};

const rows: readonly Row[] = [
  error("error-long", "JSON-RPC error with a message of 5 MB", () => `{"code":1,"message":"${"x".repeat(5_000_000)}"}`),
  error(
    "error-data",
    "JSON-RPC error with data of 1 MB",
    () => `{"code":1,"message":"no","data":"${"y".repeat(1_000_000)}"}`,
  ),
  partly(
    "peers-100000",
    "100,000 peers",
    changed("info.peers", (found) => copies(found, "peers", 100_000)),
    slowly(["info.peers"]),
    { changes: ["avax_node_peers"] },
  ),
  partly(
    "validators-50000",
    "50,000 validators",
    changed("platform.getCurrentValidators", (found) => copies(found, "validators", 50_000)),
    slowly(VALIDATORS),
    { changes: ["avax_"] },
  ),
  partly(
    "million-entries",
    "A list of a million entries in a health check",
    () => checks((found) => ({ ...found, C: { message: Array(1_000_000).fill(0) } })),
    slowly(["health"]),
    { changes: ["avax_chain", "avax_node_health"] },
  ),
  partly(
    "checks-10000",
    "10,000 health checks",
    () => checks((found) => Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`check-${i}`, found["C"]]))),
    slowly(["health"]),
    { changes: ["avax_chain", "avax_node_"] },
  ),
  partly(
    "key-of-1MB",
    "A health check with a name of 1 MB",
    () => checks((found) => ({ ...found, ["k".repeat(1_000_000)]: found["C"] })),
    slowly(["health"]),
  ),
  partly(
    "versions-of-1MB",
    "A version of 1 MB",
    changed("info.peers", (found) => found.replace("avalanchego/1.15.0", "v".repeat(1_000_000))),
    slowly(["info.peers"]),
    { changes: ["avax_node_peers_by_version"] },
  ),
  partly(
    "versions-new",
    "40 other peers in each answer, each with a version of 20 kB",
    () => {
      let n = 0;
      return result("info.peers", (found) => {
        const { peers, ...rest } = JSON.parse(found) as { readonly peers: readonly object[] };
        const version = "v".repeat(20_000);
        const others = Array.from({ length: 40 }, () => ({
          ...{ ...peers[0], ...NEEDLESS },
          ...{ nodeID: `NodeID-${++n}`, version: `${n}${version}` },
        }));
        return JSON.stringify({ ...rest, peers: others });
      });
    },
    slowly(["info.peers"]),
    { changes: ["avax_node_peers", "avax_validator", "avax_node_", "avax_network"] },
  ),
  {
    // Polled once an hour, so from the beginning.
    ...harmless(
      "upgrades-100000",
      "100,000 names in the schedule of upgrades: the first hundred have series",
      () => ({}),
    ),
    server: () => ({
      twist: ({ question, reply }) => {
        if (!calls("info.upgrades")(question)) return reply;
        const names = Array.from({ length: 100_000 }, (_, n) => `"fork${n}Time":"2027-01-01T00:00:00Z"`);
        return { ...reply, body: `{"jsonrpc":"2.0","result":{${names.join(",")}},"id":1}` };
      },
    }),
  },
  partly(
    "versions-5000",
    "5,000 different versions",
    changed("info.peers", (found) => {
      let n = 0;
      return copies(found, "peers", 5_000).replaceAll("avalanchego/1.15.0", () => `v${n++}`);
    }),
    slowly(["info.peers"]),
    { changes: ["avax_node_peers"] },
  ),
  partly(
    "message-nested",
    "A health message nested 100,000 deep",
    () => {
      const deep = "[".repeat(100_000) + "]".repeat(100_000);
      return when(
        isReport,
        text((found) => found.replace('"checks":{', `"checks":{"deep":{"message":${deep}},`)),
      );
    },
    { health: ["ok", "timeout", "not_json"] },
  ),
  partly(
    "body-50MB",
    "A body of 50 MB, above the limit of 32 MiB",
    peers(() => `[${" ".repeat(50_000_000)}]`),
    { "info.peers": ["too_large", "timeout"] },
  ),
  partly(
    "body-31MB",
    "A body of 31 MB of whitespace, below the limit",
    peers(() => `${" ".repeat(31_000_000)}{}`),
    { "info.peers": ["not_json", "timeout"] },
  ),
  partly("endless-body", "A body without end", () => when(calls("info.peers"), { answer: withoutEnd }), {
    "info.peers": ["too_large", "timeout"],
  }),
  failing(
    "gzip-bomb",
    "A gzip body of 500 kB that unpacks to 500 MB",
    () => body((gzipBomb ??= bomb()), { "content-encoding": "gzip" }),
    "not_json",
  ),
];

export const sizes: Group = { title: "Sizes", scene: "sizes", rows };
