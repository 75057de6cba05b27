import { z } from "zod";
import { Health, type HealthReport } from "../../api/node/health.ts";
import { NodeId } from "../../api/node/info.ts";
import { PRIMARY, SecondValidators, Validators, type Validator } from "../../api/node/platform.ts";
import { REPLACED } from "../define/causes.ts";
import { gauges } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";
import { perAnswer } from "../per-answer.ts";
import { isSilent, Reaches } from "../reach.ts";
import { nodeHealthOf } from "./health-messages.ts";

const needs = { reach: Reaches, report: Health, id: NodeId, sets: Validators, second: SecondValidators };
type Member = ComparedData<typeof needs>["members"][number];

/** By subnet, whether the node signs with another key than the registered one. */
type Verdicts = ReadonlyMap<string, boolean>;
/** By node. */
type State = ReadonlyMap<string, Verdicts>;

const NOTHING: Verdicts = new Map();

/** Text of the failing check `bls` of AvalancheGo. */
const OTHER_KEY = /node has BLS key 0x[0-9a-f]+, but is registered to the validator set with 0x[0-9a-f]+/i;

const saved = z.array(z.tuple([z.string(), z.array(z.string())]));

/** For the operator of a node that was started without its own signer key: peers drop it, and no log names the reason. */
export const blsRegistration = comparingTopic(
  {
    id: "bls-registration",
    about: "Does each node sign with the BLS key of its registration?",
    across: true,
    needs,
    start: (): State => new Map(),
    compare: (before: State, { members }: ComparedData<typeof needs>): State =>
      new Map(members.map((member) => [member.facts.node, verdictsOf(member, before.get(member.facts.node))])),
    saved: {
      save: (state: State) =>
        [...state]
          .map(([node, verdicts]) => [node, [...verdicts].flatMap(([subnet, is]) => (is ? [subnet] : []))] as const)
          .filter(([, subnets]) => subnets.length > 0),
      restore: (text: unknown): State =>
        new Map(saved.parse(text).map(([node, subnets]) => [node, new Map(subnets.map((subnet) => [subnet, true]))])),
    },
  },
  {
    wrong: gauges(
      "avax_node_bls_key_wrong",
      "1 while the node signs with another BLS key than the one that its validation on the Primary Network or a configured L1 is registered with, also by a second node, 0 while it is the same; of a node that does not answer the last value (health API, check bls: `error`; without this check and for L1s info.getNodeID, `nodePOP.publicKey`, and platform.getCurrentValidators, `signer.publicKey`, `publicKey`).",
      ["node", "subnet"],
      ({ state }) =>
        [...state].flatMap(([node, verdicts]) =>
          [...verdicts].map(([subnet, isWrong]) => [{ node, subnet }, isWrong] as const),
        ),
    ),
  },
  ({ wrong }) => ({
    AvaxNodeBlsKeyWrong: {
      severity: "critical",
      when: { of: wrong, equals: 1 },
      labels: ["node", "network", "subnet", "shard"],
      for: "2m",
      impact: "Peers drop a validator with another BLS key: it is offline, and its signatures do not count.",
      explainedBy: [REPLACED],
      summary: "{{ $labels.node }} has a wrong BLS key: its signatures do not count",
      over: "has its registered BLS key again",
      description: "It is not the key of its validation on {{ or $labels.subnet_name $labels.subnet }}.",
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
        "Restore the registered signer.key from the backup, and restart. Its path is `--staking-signer-key-file`. Without it only an L1 can register the validator again.",
      falsePositives:
        "The validator was registered again within the last minutes, and the node has just received its new key.",
    },
  }),
);

/** Of the Primary Network the node's own check decides where it has a result. */
function verdictsOf({ answers }: Member, last: Verdicts = NOTHING): Verdicts {
  const { reach, report, id, sets, second } = answers;
  if (isSilent(reach?.value)) return last;
  const checked = report === undefined ? undefined : checkedKey(report.value);
  const found = new Map<string, boolean>(checked === undefined ? [] : [[PRIMARY, checked === "wrong"]]);
  const key = id?.value.nodePOP?.publicKey.toLowerCase();
  if (id === undefined || key === undefined) return found;
  for (const [subnet, { value: set }] of sets ?? []) {
    if (found.has(subnet)) continue;
    const registered = registeredKeys(set).get(id.value.nodeID) ?? [];
    const others = registered.filter((each) => each.key !== key);
    const confirming = second?.get(subnet);
    const isDenied =
      confirming !== undefined &&
      registeredKeys(confirming.value)
        .get(id.value.nodeID)
        ?.some((each) => each.key !== key) !== true;
    // The key of a node can have changed before a validation that began after it was read.
    if (others.some(({ startTime }) => startTime <= id.answeredAt) && !isDenied) found.set(subnet, true);
    else if ((others.length === 0 || isDenied) && (registered.length > 0 || last.has(subnet))) found.set(subnet, false);
  }
  return found;
}

/** The registered keys of a set by node ID, and since when they are. */
const registeredKeys = perAnswer(({ validators }: { readonly validators: readonly Validator[] }) => {
  const keys = validators.flatMap(({ nodeID, signer, publicKey, startTime = 0 }) => {
    const key = publicKey ?? signer?.publicKey;
    return key === undefined ? [] : [{ nodeID, key: key.toLowerCase(), startTime }];
  });
  return Map.groupBy(keys, ({ nodeID }) => nodeID);
});

function checkedKey(report: HealthReport): "wrong" | "right" | undefined {
  const { error } = report.checks["bls"] ?? {};
  if (typeof error === "string" && OTHER_KEY.test(error)) return "wrong";
  return nodeHealthOf(report).bls === "correct" ? "right" : undefined;
}
