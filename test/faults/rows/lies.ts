import { makeNodeId } from "../../../simulator/encoding/ids.ts";
import { send, type Fault } from "../support/fault-server.ts";
import { calls, checks, everyText, json, result, text, when } from "../support/replies.ts";
import { all, failing, harmless, only, partly, SOON, type Group, type Row } from "../support/row.ts";

/** Node IDs of the usual form; every call gives another one. */
function changing(): () => string {
  let count = 0;
  return () => makeNodeId("changing", ++count);
}

const header = (name: string, value: () => string): Fault => ({
  answer: ({ reply, response }) => send(response, { ...reply, headers: { ...reply.headers, [name]: value() } }),
});
const nodeIds = (nodeId: () => string): Fault => header("node-id", nodeId);

const everySecond = () => makeNodeId("changing", Math.floor(Date.now() / 1000));

/**
 * Seconds. Its network is asked about again once it is known to be bootstrapped: an interval, and a second until the next choice; the
 * new polls are then spread over 0.03 s for each node of the scene.
 */
const CHOSEN_AGAIN = SOON + 2;

const withChecks = (add: (good: object) => object) => () => checks((found) => ({ ...found, ...add(found["C"] ?? {}) }));

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
const networkNamed = (id: string, fault: string, networkName: string): Row =>
  harmless(`network-${id}`, fault, () => ({}), {
    server: () => ({
      twist: ({ question, reply }) =>
        calls("info.getNetworkName")(question)
          ? { ...reply, body: JSON.stringify({ jsonrpc: "2.0", result: { networkName }, id: 1 }) }
          : reply,
    }),
    node: { network: undefined },
  });

/** Texts that are no number, quantity, time or duration. */
const isWord = (leaf: string): boolean => !/^[\d.]+$|^0x|^\d{4}-|s$/.test(leaf);

const rows: readonly Row[] = [
  failing(
    "wrong-node",
    "Another node ID than the configured one",
    () => nodeIds(() => "NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu"),
    "wrong_node",
    { node: { node_id: "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg" }, down: "at once" },
  ),
  partly(
    "another-node-each-second",
    "Another node ID each second",
    () => nodeIds(everySecond),
    all(["ok", "waiting"]),
    { changes: ["avax_"], down: "any", recovery: CHOSEN_AGAIN },
  ),
  partly(
    "another-node-each-answer",
    "Another node ID in each answer",
    () => nodeIds(changing()),
    all(["ok", "waiting"]),
    { changes: ["avax_"], down: "any", recovery: CHOSEN_AGAIN },
  ),
  harmless("node-id-proto", "`__proto__` as node ID", () => nodeIds(() => "__proto__")),
  harmless("node-id-long", "A node ID of 10,000 characters", () => nodeIds(() => "x".repeat(10_000))),
  harmless("node-id-checksum", "A node ID with a wrong checksum, another one in each answer", () => {
    const nodeId = changing();
    return nodeIds(() => nodeId().replace(/.$/, (last) => (last === "1" ? "2" : "1")));
  }),
  partly(
    "another-network-each-second",
    "Another network name in each answer",
    () => networks(() => `net-${Math.floor(Date.now() / 1000)}`),
    // Planned again with each name, and sent within half a second.
    only(["platform.getCurrentValidators", "evm.blocks"], ["ok", "waiting"]),
    { node: { network: undefined } },
  ),
  ...PROTOTYPE.slice(0, 2).map((name) => networkNamed(name.replaceAll("_", ""), `\`${name}\` as network`, name)),
  networkNamed("escapes", "Terminal escapes and a right-to-left override as network", ESCAPES),
  harmless(
    "prototype-checks",
    "Names of Object.prototype as health checks and chains",
    withChecks(
      (good) => JSON.parse(`{${PROTOTYPE.map((name) => `"${name}":${JSON.stringify(good)}`).join(",")}}`) as object,
    ),
  ),
  harmless(
    "prototype-everywhere",
    "`__proto__` as every text",
    () =>
      everyText(
        () => "__proto__",
        (leaf) => !/^(NodeID|[\d.-]|0x)/.test(leaf),
      ),
    { changes: ["avax_"] },
  ),
  harmless(
    "version-constructor",
    "`constructor` as the version of every peer",
    () => result("info.peers", (found) => found.replaceAll("avalanchego/1.15.0", "constructor")),
    { changes: ["avax_node_peers_by_version", "avax_validators_stake_by_version_avax"] },
  ),
  harmless(
    "escapes-everywhere",
    "Terminal escapes and right-to-left overrides in every text",
    () => everyText((leaf) => `${leaf}${ESCAPES}`, isWord),
    { changes: ["avax_"] },
  ),
  harmless(
    "escape-checks",
    "Terminal escapes and a right-to-left override as the name of a health check",
    withChecks((good) => ({ [ESCAPES]: good, [`a\u202eb`]: { ...good, error: ESCAPES } })),
  ),
  harmless(
    "twice",
    "Every validator twice in one answer",
    () => result("platform.getCurrentValidators", (found) => found.replace(/\[(.*)\]/s, "[$1,$1]")),
    { changes: ["avax_validators", "avax_validator_", "avax_subnet"] },
  ),
  harmless(
    "peers-twice",
    "Every peer twice in one answer",
    () => result("info.peers", (found) => found.replace(/"peers":\[(.*)\]/s, '"peers":[$1,$1]')),
    { changes: ["avax_node_peers"] },
  ),
  partly(
    "height-2-to-53",
    "An EVM height of 2^53 and back",
    () =>
      when(
        ({ path }) => path.endsWith("/rpc"),
        text((found) => found.replaceAll(/"(number|result)":"0x4d"/g, '"$1":"0x20000000000000"')),
      ),
    { "evm.blocks": ["ok", "schema", "rpc_error"], "evm.head": ["ok", "schema"] },
    { changes: ["avax_chain_height", "avax_evm"] },
  ),
  partly(
    "block-gas",
    "A block that used 2^200 gas",
    () => text((found) => found.replaceAll(/"gasUsed":"0x[^"]*"/g, `"gasUsed":"0x1${"0".repeat(50)}"`)),
    only(["evm.blocks", "evm.head"], "schema"),
  ),
  partly(
    "peers-10-to-77",
    "10^77 peers",
    () =>
      text((found) =>
        found
          .replaceAll(/"numPeers":"?\d+"?/g, `"numPeers":${"9".repeat(77)}`)
          .replaceAll(/"connectedPeers":\d+/g, '"connectedPeers":1e77'),
      ),
    only(["info.peers"], "schema"),
    { changes: ["avax_node_peers"] },
  ),
  partly(
    "block-fees",
    "A block whose fees are 10^19 coins",
    () =>
      text((found) =>
        found
          .replaceAll(/"gasUsed":"0x[^"]*"/g, `"gasUsed":"0x${"f".repeat(9)}"`)
          .replaceAll(/"gasLimit":"0x[^"]*"/g, `"gasLimit":"0x${"f".repeat(9)}"`)
          .replaceAll(/"baseFeePerGas":"0x[^"]*"/g, `"baseFeePerGas":"0x${(10n ** 18n).toString(16)}"`),
      ),
    only(["evm.blocks", "evm.head"], "schema"),
  ),
  partly(
    "block-of-2199",
    "Blocks of an EVM chain that are dated 2199",
    () => text((found) => found.replaceAll(/"timestamp":"0x[^"]*"/g, '"timestamp":"0x1af000000"')),
    { "evm.head": "schema", "evm.blocks": ["ok", "schema"] },
  ),
  harmless(
    "height-50-more",
    "A P-Chain height of 50 more than that of two other nodes of its network: they are not late",
    () => result("platform.getHeight", (found) => found.replace(/\d+/, (height) => String(Number(height) + 50))),
    { node: { network: "well" }, changes: ["avax_chain_height"] },
  ),
  partly(
    "p-height-2-to-64",
    "A P-Chain height of 2^64 - 1 and back",
    () => result("platform.getHeight", () => '{"height":"18446744073709551615"}'),
    { "platform.getHeight": ["ok", "schema"] },
    { changes: ["avax_chain_height"] },
  ),
  partly(
    "heights-jump",
    "Heights that fall and rise at random",
    () =>
      text((found) =>
        found
          .replaceAll(/"height":"\d+"/g, () => `"height":"${Math.floor(Math.random() * 40)}"`)
          .replaceAll('"0x4d"', () => `"0x${Math.floor(Math.random() * 200).toString(16)}"`),
      ),
    { "evm.blocks": ["ok", "schema", "rpc_error"] },
    { changes: ["avax_chain", "avax_evm"] },
  ),
  harmless("clock-1970", "A Date header of 1970", () => header("date", () => "Thu, 01 Jan 1970 00:00:00 GMT"), {
    changes: ["avax_node_clock"],
  }),
  harmless(
    "html-everywhere",
    "Markup and label syntax in every text",
    () => everyText((leaf) => `"}<script>alert(1)</script>\\{${leaf}\n# HELP x`, isWord),
    { changes: ["avax_"] },
  ),
];

export const lies: Group = { title: "Lies", scene: "lies", rows };
