import { gzipSync } from "node:zlib";
import { sendBody } from "../support/fault-server.ts";
import { body, report, result } from "../support/replies.ts";
import { all, only, SOON, type Fails, type Group, type Row } from "../support/row.ts";

/** A deadline of one second can end the reading of a huge answer on a busy machine. */
const slowly = (ids: Parameters<typeof only>[0]): Fails => only(ids, ["ok", "timeout", "too_large", "schema"]);

const huge = { down: "no", recovery: SOON } as const;
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

/** The same text for every request of a fault: made once. */
function once<A extends readonly unknown[]>(make: (...given: A) => string): (...given: A) => string {
  let made: string | undefined;
  return (...given) => (made ??= make(...given));
}

const bomb = () => gzipSync(Buffer.alloc(500_000_000, " "), { level: 9 });
let gzipBomb: Buffer | undefined;

/** Answers `info.peers` alone with these bytes: a dozen of them at once would be a test of the machine. */
const peers = (bytes: () => string): Row["behave"] => {
  let made: Buffer | undefined;
  return () => ({
    answer: (exchange) => {
      if (exchange.question.rpc?.method !== "info.peers") return false;
      sendBody(exchange, (made ??= Buffer.from(bytes())));
      return true;
    },
  });
};

const error = (id: string, fault: string, value: () => string): Row => ({
  id,
  fault,
  behave: peers(() => `{"jsonrpc":"2.0","error":${value()}}`),
  fails: { "info.peers": "rpc_error" },
  ...huge,
});

const rows: readonly Row[] = [
  error("error-long", "JSON-RPC error with a message of 5 MB", () => `{"code":1,"message":"${"x".repeat(5_000_000)}"}`),
  error(
    "error-data",
    "JSON-RPC error with data of 1 MB",
    () => `{"code":1,"message":"no","data":"${"y".repeat(1_000_000)}"}`,
  ),
  {
    id: "peers-100000",
    fault: "100,000 peers",
    behave: () =>
      result(
        "info.peers",
        once((found) => copies(found, "peers", 100_000)),
      ),
    fails: slowly(["info.peers"]),
    changes: ["avax_node_peers"],
    ...huge,
  },
  {
    id: "validators-50000",
    fault: "50,000 validators",
    behave: () =>
      result(
        "platform.getCurrentValidators",
        once((found) => copies(found, "validators", 50_000)),
      ),
    fails: slowly(VALIDATORS),
    changes: ["avax_"],
    ...huge,
  },
  {
    id: "million-entries",
    fault: "A list of a million entries in a health check",
    behave: () =>
      report(({ checks, ...rest }) => ({ ...rest, checks: { ...checks, C: { message: Array(1_000_000).fill(0) } } })),
    fails: slowly(["health"]),
    changes: ["avax_chain", "avax_node_health"],
    ...huge,
  },
  {
    id: "checks-10000",
    fault: "10,000 health checks",
    behave: () =>
      report(({ checks, ...rest }) => ({
        ...rest,
        checks: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`check-${i}`, checks["C"]])),
      })),
    fails: slowly(["health"]),
    changes: ["avax_chain", "avax_node_"],
    ...huge,
  },
  {
    id: "key-of-1MB",
    fault: "A health check with a name of 1 MB",
    behave: () =>
      report(({ checks, ...rest }) => ({ ...rest, checks: { ...checks, ["k".repeat(1_000_000)]: checks["C"] ?? {} } })),
    fails: slowly(["health"]),
    ...huge,
  },
  {
    id: "versions-of-1MB",
    fault: "A version of 1 MB",
    behave: () =>
      result(
        "info.peers",
        once((found) => found.replace("avalanchego/1.15.0", "v".repeat(1_000_000))),
      ),
    fails: slowly(["info.peers"]),
    changes: ["avax_node_peers_by_version"],
    ...huge,
  },
  {
    id: "versions-5000",
    fault: "5,000 different versions",
    behave: () =>
      result(
        "info.peers",
        once((found) => {
          let n = 0;
          return copies(found, "peers", 5_000).replaceAll("avalanchego/1.15.0", () => `v${n++}`);
        }),
      ),
    fails: slowly(["info.peers"]),
    changes: ["avax_node_peers"],
    ...huge,
  },
  {
    id: "message-nested",
    fault: "A health message nested 100,000 deep",
    behave: () => ({
      answer: (exchange) => {
        if (exchange.question.path !== "/ext/health") return false;
        exchange.response
          .writeHead(200, { "content-type": "application/json" })
          .end(
            exchange.reply.body.replace(
              '"checks":{',
              `"checks":{"deep":{"message":${"[".repeat(100_000)}${"]".repeat(100_000)}},`,
            ),
          );
        return true;
      },
    }),
    fails: { health: ["ok", "timeout", "not_json"] },
    ...huge,
  },
  {
    id: "body-50MB",
    fault: "A body of 50 MB, above the limit of 32 MiB",
    behave: peers(() => `[${" ".repeat(50_000_000)}]`),
    fails: { "info.peers": ["too_large", "timeout"] },
    ...huge,
  },
  {
    id: "body-31MB",
    fault: "A body of 31 MB of whitespace, below the limit",
    behave: peers(() => `${" ".repeat(31_000_000)}{}`),
    fails: { "info.peers": ["not_json", "timeout"] },
    ...huge,
  },
  {
    id: "endless-body",
    fault: "A body without end",
    behave: () => ({
      answer: ({ question, response }) => {
        if (question.rpc?.method !== "info.peers") return false;
        const chunk = " ".repeat(65_536);
        response.writeHead(200, { "content-type": "application/json" });
        const more = (): void => {
          while (!response.destroyed && response.write(chunk));
          if (!response.destroyed) response.once("drain", more);
        };
        more();
        return true;
      },
    }),
    fails: { "info.peers": ["too_large", "timeout"] },
    ...huge,
  },
  {
    id: "gzip-bomb",
    fault: "A gzip body of 500 kB that unpacks to 500 MB",
    behave: () => body((gzipBomb ??= bomb()), { "content-encoding": "gzip" }),
    fails: all("not_json"),
    down: "after 30 s",
    recovery: SOON,
  },
];

export const sizes: Group = { title: "Sizes", scene: "sizes", rows };
