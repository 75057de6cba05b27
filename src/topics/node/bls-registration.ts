import { Health, type HealthReport } from "../../api/node/health.ts";
import { NodeId } from "../../api/node/info.ts";
import { PRIMARY, Validators } from "../../api/node/platform.ts";
import { SUBNET } from "../define/alert-texts.ts";
import { REPLACED } from "../define/causes.ts";
import { infos, type Context } from "../define/metric.ts";
import { maybe, type Data } from "../define/needs.ts";
import { topic } from "../define/topic.ts";
import { nodeHealthOf } from "./health-messages.ts";

const needs = { report: maybe(Health), id: maybe(NodeId), sets: maybe(Validators) };

/** Text of the failing check `bls` of AvalancheGo. */
const OTHER_KEY = /node has BLS key (0x[0-9a-f]+), but is registered to the validator set with (0x[0-9a-f]+)/i;

/** For the operator of a node that was started without its own signer key: peers drop it, and no log names the reason. */
export const blsRegistration = topic(
  {
    id: "bls-registration",
    about: "Does the node sign with the BLS key of its registration?",
    scope: "node",
    needs,
  },
  {
    wrong: infos(
      "avax_node_bls_key_wrong_info",
      "1 while the node signs with another BLS key than the one that its validation on the Primary Network or a configured L1 is registered with; both keys shortened (health API, check bls: `error`; without this check and for L1s info.getNodeID, `nodePOP.publicKey`, and platform.getCurrentValidators, `signer.publicKey`, `publicKey`).",
      ["subnet", "key", "registered_key"],
      wrongKeys,
    ),
  },
  ({ wrong }) => ({
    AvaxNodeBlsKeyWrong: {
      severity: "critical",
      expr: `${wrong}`,
      whileSilent: `last_over_time(${wrong}[1d])`,
      labels: ["node", "network", "subnet", "key", "registered_key"],
      for: "2m",
      // Longer than that of what it explains.
      keepFiringFor: "8m",
      loses: "Peers drop a validator with another BLS key: it is offline, and its signatures do not count.",
      explainedBy: [REPLACED],
      summary: "{{ $labels.node }} has a wrong BLS key: its signatures do not count",
      description: `Its BLS key is {{ $labels.key }}, but its validation on ${SUBNET} is registered with {{ $labels.registered_key }}: start the node with the signer key of its registration.`,
      meaning:
        "The node was started with another signer.key than the one that was registered. On the Primary Network its peers drop every connection: it has no peers and does not bootstrap, with the firewall open. On an L1 its signatures are invalid; no node compares that key.",
      confirm:
        "`avax_node_bls_info` is the key of the node. `/ext/health` has both keys of the Primary Network in the check `bls`.",
      commands: {
        "call <node> info.getNodeID": "`nodePOP.publicKey` is the key of the node.",
        [`call <any-node> platform.getCurrentValidators '{"nodeIDs": ["<id-of-node>"]}'`]:
          "`signer.publicKey` is the registered key; for an L1 add its `subnetID` and read `publicKey`.",
      },
      action:
        "Restore the registered signer.key (`--staking-signer-key-file`) from the backup and restart. Without it only an L1 can register the validator again.",
      falseWhen:
        "The validator was registered again within the last minutes, and the node has just received its new key.",
    },
  }),
);

/** The key of the node, and the registered one. */
type Keys = readonly [key: string, registered: string];

/** Of the Primary Network the node's own check decides where it has a result. */
function wrongKeys({ report, id, sets }: Data<typeof needs>, { times, time }: Context) {
  const checked = report === undefined ? undefined : checkedKeys(report);
  const found = new Map<string, Keys>(checked === undefined || checked === "right" ? [] : [[PRIMARY, checked]]);
  const key = id?.nodePOP?.publicKey;
  for (const [subnet, { validators }] of sets ?? []) {
    if (key === undefined || (subnet === PRIMARY && checked !== undefined)) continue;
    for (const { nodeID, signer, publicKey, startTime } of validators) {
      const registered = publicKey ?? signer?.publicKey ?? key;
      // The key of a node can have changed before a validation that began after it was read.
      const isOlder = (startTime ?? 0) <= (times["id"] ?? time);
      if (nodeID === id?.nodeID && isOlder && registered.toLowerCase() !== key.toLowerCase())
        found.set(subnet, [key, registered]);
    }
  }
  return [...found].map(([subnet, [own, registered]]) => ({
    subnet,
    key: shortened(own),
    registered_key: shortened(registered),
  }));
}

function checkedKeys(report: HealthReport): Keys | "right" | undefined {
  const { error } = report.checks["bls"] ?? {};
  const [, key, registered] = typeof error === "string" ? (OTHER_KEY.exec(error) ?? []) : [];
  if (key !== undefined && registered !== undefined) return [key, registered];
  return nodeHealthOf(report).bls === "correct" ? "right" : undefined;
}

/** A key has 96 digits: the first eight tell two keys apart. */
const shortened = (key: string): string => `${key.slice(0, 10)}…`;
