import { makeNodeId } from "../../../simulator/encoding/ids.ts";
import { sendBody, send, type Fault } from "../support/fault-server.ts";
import { everyLeaf, json, report, result, text } from "../support/replies.ts";
import { all, only, SOON, type Group, type Row } from "../support/row.ts";

const quiet = { down: "no", recovery: SOON } as const;

/** Node IDs of the usual form; every call gives another one. */
function changing(): () => string {
  let count = 0;
  return () => makeNodeId("changing", ++count);
}

const header = (nodeId: () => string): Fault => ({
  answer: ({ reply, response }) => {
    send(response, { ...reply, headers: { ...reply.headers, "node-id": nodeId() } });
  },
});

const everySecond = () => makeNodeId("changing", Math.floor(Date.now() / 1000));

const withChecks = (add: (good: object) => object) => () =>
  report(({ checks, ...rest }) => ({ ...rest, checks: { ...checks, ...add(checks["C"] ?? {}) } }));

/** A name of `Object.prototype` as the text of every occurrence. */
const PROTOTYPE = ["constructor", "__proto__", "toString", "hasOwnProperty"] as const;

const networks = (name: () => string): Fault =>
  json((value, { question }) => {
    if (question.rpc?.method === "info.getNetworkName")
      return { jsonrpc: "2.0", result: { networkName: name() }, id: 1 };
    if (question.rpc?.method === "info.getNetworkID")
      return { jsonrpc: "2.0", result: { networkID: String(Math.floor(Date.now() / 1000)) }, id: 1 };
    return value;
  });

const ESCAPES = "\u001b[31m\u001b]0;x\u0007\u202egnp\u2066\u200b\u0000\u0085\r\n";

/** A node whose network has this name, which no configuration replaces. */
const networkNamed = (id: string, fault: string, networkName: string): Row => ({
  id: `network-${id}`,
  fault,
  behave: () => ({}),
  server: () => ({
    twist: ({ question, reply }) =>
      question.rpc?.method === "info.getNetworkName"
        ? { ...reply, body: JSON.stringify({ jsonrpc: "2.0", result: { networkName }, id: 1 }) }
        : reply,
  }),
  node: { network: undefined },
  fails: {},
  ...quiet,
});

const rows: readonly Row[] = [
  {
    id: "wrong-node",
    fault: "Another node ID than the configured one",
    behave: () => header(() => "NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu"),
    node: { node_id: "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg" },
    fails: all("wrong_node"),
    down: "at once",
    recovery: SOON,
  },
  {
    id: "another-node-each-second",
    fault: "Another node ID each second",
    behave: () => header(everySecond),
    fails: all(["ok", "waiting"]),
    changes: ["avax_"],
    ...quiet,
    down: "any",
  },
  {
    id: "another-node-each-answer",
    fault: "Another node ID in each answer",
    behave: () => header(changing()),
    fails: all(["ok", "waiting"]),
    changes: ["avax_"],
    ...quiet,
    down: "any",
  },
  {
    id: "node-id-proto",
    fault: "`__proto__` as node ID",
    behave: () => header(() => "__proto__"),
    fails: {},
    ...quiet,
  },
  {
    id: "node-id-long",
    fault: "A node ID of 10,000 characters",
    behave: () => header(() => "x".repeat(10_000)),
    fails: {},
    ...quiet,
  },
  {
    id: "node-id-checksum",
    fault: "A node ID with a wrong checksum, another one in each answer",
    behave: () => {
      const nodeId = changing();
      return header(() => nodeId().replace(/.$/, (last) => (last === "1" ? "2" : "1")));
    },
    fails: {},
    ...quiet,
  },
  {
    id: "another-network-each-second",
    fault: "Another network name in each answer",
    behave: () => networks(() => `net-${Math.floor(Date.now() / 1000)}`),
    node: { network: undefined },
    // Planned again with each name, and sent within half a second.
    fails: only(["platform.getCurrentValidators", "evm.blocks"], ["ok", "waiting"]),
    ...quiet,
  },
  ...PROTOTYPE.slice(0, 2).map((name) => networkNamed(name.replaceAll("_", ""), `\`${name}\` as network`, name)),
  networkNamed("escapes", "Terminal escapes and a right-to-left override as network", ESCAPES),
  {
    id: "prototype-checks",
    fault: "Names of Object.prototype as health checks and chains",
    behave: withChecks(
      (good) => JSON.parse(`{${PROTOTYPE.map((name) => `"${name}":${JSON.stringify(good)}`).join(",")}}`) as object,
    ),
    fails: {},
    ...quiet,
  },
  {
    id: "prototype-everywhere",
    fault: "`__proto__` as every text",
    behave: () =>
      everyLeaf((leaf) =>
        typeof leaf === "string" && !leaf.startsWith("NodeID") && !/^[\d.-]/.test(leaf) && !leaf.startsWith("0x")
          ? "__proto__"
          : leaf,
      ),
    fails: {},
    changes: ["avax_"],
    ...quiet,
  },
  {
    id: "version-constructor",
    fault: "`constructor` as the version of every peer",
    behave: () => result("info.peers", (found) => found.replaceAll("avalanchego/1.15.0", "constructor")),
    fails: {},
    changes: ["avax_node_peers_by_version", "avax_validators_stake_by_version_avax"],
    ...quiet,
  },
  {
    id: "escapes-everywhere",
    fault: "Terminal escapes and right-to-left overrides in every text",
    behave: () =>
      everyLeaf((leaf) =>
        typeof leaf === "string" &&
        !/^[\d.]+$/.test(leaf) &&
        !leaf.startsWith("0x") &&
        !/^\d{4}-/.test(leaf) &&
        !/s$/.test(leaf)
          ? `${leaf}${ESCAPES}`
          : leaf,
      ),
    fails: {},
    changes: ["avax_"],
    ...quiet,
  },
  {
    id: "escape-checks",
    fault: "Terminal escapes and a right-to-left override as the name of a health check",
    behave: withChecks((good) => ({ [ESCAPES]: good, [`a\u202eb`]: { ...good, error: ESCAPES } })),
    fails: {},
    ...quiet,
  },
  {
    id: "twice",
    fault: "Every validator twice in one answer",
    behave: () => result("platform.getCurrentValidators", (found) => found.replace(/\[(.*)\]/s, "[$1,$1]")),
    fails: {},
    changes: ["avax_validators", "avax_validator_", "avax_subnet"],
    ...quiet,
  },
  {
    id: "peers-twice",
    fault: "Every peer twice in one answer",
    behave: () => result("info.peers", (found) => found.replace(/"peers":\[(.*)\]/s, '"peers":[$1,$1]')),
    fails: {},
    changes: ["avax_node_peers"],
    ...quiet,
  },
  {
    id: "height-2-to-53",
    fault: "An EVM height of 2^53 and back",
    behave: () => ({
      answer: (exchange) => {
        if (!exchange.question.path.endsWith("/rpc")) return false;
        sendBody(
          exchange,
          exchange.reply.body
            .replaceAll('"number":"0x4d"', '"number":"0x20000000000000"')
            .replaceAll('"result":"0x4d"', '"result":"0x20000000000000"'),
        );
        return true;
      },
    }),
    fails: { "evm.blocks": ["ok", "schema", "rpc_error"], "evm.head": ["ok", "schema"] },
    changes: ["avax_chain_height", "avax_evm"],
    ...quiet,
  },
  {
    id: "block-gas",
    fault: "A block that used 2^200 gas",
    behave: () => text((found) => found.replaceAll(/"gasUsed":"0x[^"]*"/g, `"gasUsed":"0x1${"0".repeat(50)}"`)),
    fails: only(["evm.blocks", "evm.head"], "schema"),
    ...quiet,
  },
  {
    id: "p-height-2-to-64",
    fault: "A P-Chain height of 2^64 - 1 and back",
    behave: () => result("platform.getHeight", () => '{"height":"18446744073709551615"}'),
    fails: { "platform.getHeight": ["ok", "schema"] },
    changes: ["avax_chain_height"],
    ...quiet,
  },
  {
    id: "heights-jump",
    fault: "Heights that fall and rise at random",
    behave: () =>
      text((found) =>
        found
          .replaceAll(/"height":"\d+"/g, () => `"height":"${Math.floor(Math.random() * 40)}"`)
          .replaceAll('"0x4d"', () => `"0x${Math.floor(Math.random() * 200).toString(16)}"`),
      ),
    fails: { "evm.blocks": ["ok", "schema", "rpc_error"] },
    changes: ["avax_chain", "avax_evm"],
    ...quiet,
  },
  {
    id: "clock-1970",
    fault: "A Date header of 1970",
    behave: () => ({
      answer: ({ reply, response }) =>
        send(response, { ...reply, headers: { ...reply.headers, date: "Thu, 01 Jan 1970 00:00:00 GMT" } }),
    }),
    fails: {},
    changes: ["avax_node_clock"],
    ...quiet,
  },
  {
    id: "html-everywhere",
    fault: "Markup and label syntax in every text",
    behave: () =>
      everyLeaf((leaf) =>
        typeof leaf === "string" &&
        !/^[\d.]+$/.test(leaf) &&
        !leaf.startsWith("0x") &&
        !/^\d{4}-/.test(leaf) &&
        !/s$/.test(leaf)
          ? `"}<script>alert(1)</script>\\{${leaf}\n# HELP x`
          : leaf,
      ),
    fails: {},
    changes: ["avax_"],
    ...quiet,
  },
];

export const lies: Group = { title: "Lies", scene: "lies", rows };
