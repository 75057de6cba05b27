import { describe, expect, test } from "vitest";
import type { Simulation, SimulatorOptions } from "../../simulator/simulate.ts";
import { ask, result, type Answer } from "./ask.ts";
import { RECORDINGS, recordingOf, type RecordedAnswer } from "../support/recordings.ts";
import { translated, type Roles } from "./recordings.ts";
import { run } from "./running.ts";
import { differences, shape } from "./shape.ts";
import { UNSCHEDULED } from "../../simulator/world/options.ts";
import type { ScenarioName } from "../../simulator/world/scenarios.ts";

const custom = { id: 424242, name: "network-424242" };
const past = Date.parse("2026-11-21T11:58:00Z") / 1000;

/** The first node has no delegators in these networks. */
const alone = { network: custom, delegators: 0 };
const active = { ...alone, heliconTime: past };
const delegated = { network: custom, heliconTime: past };
/** Without Helicon, by the release that has it. */
const before = { heliconTime: UNSCHEDULED };

const on = (node: number, ...names: readonly ScenarioName[]) => ({ scenario: names.map((name) => ({ node, name })) });

/** Recordings with the options of the corresponding simulation. Requests go to the first node. */
const cases: ReadonlyArray<readonly [string, SimulatorOptions]> = [
  ["local-healthy-validator", { ...before, ...on(1, "admin-on", "utxo-waiting") }],
  ["local-young-validator", before],
  ["local-l1-drained", { ...before, ...on(2, "drained-l1") }],
  ["local-plugin-failed", { ...before, ...on(1, "plugin-failed") }],
  ["local-fresh-network", { ...before, delegators: 0 }],
  ["local-no-inbound", { ...before, ...on(1, "no-inbound") }],
  ["local-1.14.2-validator", { version: "1.14.2", delegators: 0, ...on(1, "admin-on") }],
  ["local-1.14.2-just-restarted", { version: "1.14.2", delegators: 0, ...on(1, "just-restarted") }],
  ["custom-bootstrapping", { ...active, ...on(1, "bootstrapping", "no-peers") }],
  ["custom-helicon-active", active],
  ["custom-auto-renewed-validator", active],
  ["custom-left-behind", { ...active, ...on(1, "left-behind", "upgrade-unknown") }],
  ["custom-upgrade-ahead", { ...alone, ...on(1, "upgrade-ahead") }],
  ["custom-upgrade-unknown", { ...alone, ...on(1, "upgrade-unknown") }],
  ["custom-not-a-validator", { ...active, ...on(1, "not-a-validator") }],
  ["head-just-transitioned", delegated],
  ["head-helicon-restarted-validator", delegated],
  ["head-l1-validator", delegated],
  ["head-auto-renewed-second-cycle", delegated],
  ["head-left-behind", { ...delegated, ...on(1, "left-behind", "upgrade-unknown") }],
  ["head115-upgrade-ahead", { ...alone, ...on(1, "upgrade-ahead") }],
  ["head115-upgrade-unknown", { ...alone, overrides: [{ node: 1, version: "1.14.2" }], ...on(1, "upgrade-unknown") }],
  ["head115-at-transition", active],
  ["head115-left-behind", { ...active, ...on(1, "left-behind", "upgrade-unknown", "no-peers") }],
  ["custom-stake-lost", { ...active, scenario: [2, 3, 4].map((node) => ({ node, name: "no-peers" as const })) }],
];

type Allowance = { readonly file?: RegExp; readonly answer: RegExp; readonly line: RegExp; readonly because: string };

/** Recordings without subnets; every simulated network has two. */
const WITHOUT_SUBNETS = /fresh|1\.14\.2|custom|head115/;

/** Allowed differences, with the reason. `+` is only simulated, `-` only recorded. */
const allowed: ReadonlyArray<Allowance> = [
  {
    answer: /^health/,
    line: /^\+ .*network\.message\.primary network validator health/,
    because: "sent from ten minutes of the process's life on; simulated nodes are old, many recorded ones were young",
  },
  {
    answer: /^health/,
    line: /^\+ .*<id>\.message\.networking\.disconnectedValidators\[\]$/,
    because: "the simulated L1 has an inactive member, listed as the zero node ID",
  },
  { file: WITHOUT_SUBNETS, answer: /^health/, line: /^\+ .*checks\.<id>/, because: "no subnet, no chain check" },
  {
    file: WITHOUT_SUBNETS,
    answer: /^info\.getNodeVersion/,
    line: /^\+ .*vmVersions\.<id>$/,
    because: "no plugin was loaded",
  },
  {
    answer: /getCurrentValidators\.primary/,
    line: /^\+ .*(validatorAuthority|nextPeriod|autoCompoundRewardShares)/,
    because: "this node's set has no auto-renewed validator in the recording",
  },
  {
    file: /not-a-validator/,
    answer: /getCurrentValidators\.one-node1/,
    line: /^\+ .*delegators\[\]/,
    because: "the recorded node asks about another validator, which has no delegators",
  },
  {
    file: /^head/,
    answer: /^health|^info\.(acps|peers)/,
    line: /^\+ .*(avgAcceptanceTime|acps\.<number>|supportedACPs\[\])/,
    because: "main of that day had none of these, which 1.14.2 and 1.15.0 have",
  },
  {
    file: /^head/,
    answer: /l1one\.eth_getChainConfig/,
    line: /^\+ .*(feeManager|warp)Config/,
    because: "that L1 has no precompiles",
  },
  {
    file: /^head(?!-auto)/,
    answer: /getCurrentValidators\.(one-node6|two)/,
    line: /^\+ .*(validatorAuthority|nextPeriod|autoCompoundRewardShares)/,
    because: "it was recorded before the validator renewed itself",
  },
  {
    file: /^head/,
    answer: /getCurrentValidators\.one-node6/,
    line: /^[+-] .*delegators\[\]/,
    because: "the simulated validator in its place has other delegators, or none",
  },
  {
    file: /^head-(helicon-restarted|left-behind)/,
    answer: /l1one|^health|^info\.getNodeVersion/,
    line: /checks\.<id>|404 recorded|chain with alias|^[+-] (error|result)|vmVersions\.<id>/,
    because: "the node does not track the L1, as every simulated node does",
  },
  {
    file: /at-transition/,
    answer: /eth_getBlockByNumber/,
    line: /^\+ result\.(settled|minPriceExponent|targetExponent)/,
    because: "the first block of the new engine is two seconds away",
  },
  {
    file: /left-behind/,
    answer: /getAtomicTx/,
    line: /blockHeight|message/,
    because: "the node stands before the block of that transaction",
  },
  { answer: /getVMConfig/, line: /^- result\.config\./, because: "some of the settings are enough" },
  { answer: /txpool/, line: /./, because: "before Helicon the API of the pool depends on the configuration" },
  {
    answer: /^evm/,
    line: /transactions\[\]|adminAddresses\[\]|accountProof/,
    because: "the history of the network, and its administrators",
  },
  {
    file: /^(?!local-healthy-validator|local-1\.14\.2-validator)/,
    answer: /^(admin|ledger)/,
    line: /^~ status: 200 recorded, 404|utxos\[\]/,
    because: "the interface is on, and something waits, in two of the simulations",
  },
];

const kept = (file: string, answer: string, line: string): boolean =>
  !allowed.some((entry) => (entry.file?.test(file) ?? true) && entry.answer.test(answer) && entry.line.test(line));

/** Simulated counterparts of the recorded nodes: an auto-renewed validator if there is one, else one with delegators, then a plain one. */
async function rolesOf(simulation: Simulation): Promise<Roles> {
  const [asked, plain] = simulation.nodes;
  const url = plain?.url ?? "";
  const { validators } = await result<{ validators: Array<{ nodeID: string; nextPeriod?: string }> }>(
    url,
    "platform.getCurrentValidators",
  );
  const renewed = validators.find(({ nextPeriod }) => nextPeriod !== undefined)?.nodeID;
  const delegated = simulation
    .state()
    .validators.find(({ delegators, nodeId }) => delegators > 0 && nodeId !== asked?.nodeId);
  const target = simulation.state().validators.some(({ nodeId }) => nodeId === asked?.nodeId) ? asked : plain;
  return { asked: target?.nodeId ?? "", others: [renewed ?? delegated?.nodeId ?? "", plain?.nodeId ?? ""] };
}

/** Answers without a counterpart in the simulated network. */
function skipped({ name }: RecordedAnswer): boolean {
  return (
    !/^(health|info|platform|evm|admin|ledger)\./.test(name) ||
    // Methods that the exporter does not use, or whose answers depend on the history of the recorded network.
    /gasPrice|eth_syncing|net_listening|FeeConfig|getFeeState|getSubnet|getL1Validator\.validation|TotalStake|ProposedHeight|suggestPrice|feeHistory|AssetBalance|ActiveRules|debug|personal|content|get$|batch$|latest-full|l1one.eth_getBlock|perm1.eth_getBlock|0x1$|0xffffff$/.test(
      name,
    ) ||
    // Blocks are compared by kind below: their content by height depends on the history of the network.
    /getBlock(ByHeight\.\d+|ByHeight\.last)?(\.hex)?$|eth_getBlock(ByNumber|Receipts)\.0x/.test(name) ||
    // Has addresses of the recorded network.
    name.startsWith("platform.getBalance")
  );
}

/** Of two answers: their statuses, their texts, the messages of their errors, or the keys and types of their JSON. */
function differencesOf(recorded: RecordedAnswer["response"], made: Answer): readonly string[] {
  if (made.status !== recorded.status) return [`~ status: ${recorded.status} recorded, ${made.status} simulated`];
  if (!/^[[{]/.test(recorded.body)) return made.body === recorded.body ? [] : [`~ text: ${made.body} simulated`];
  const [real, own] = [recorded.body, made.body].map(messageOf);
  const wrong = real === own ? [] : [`~ message: ${real} recorded, ${own} simulated`];
  return [...wrong, ...differences(shape(JSON.parse(recorded.body)), shape(JSON.parse(made.body)))];
}

/** The message of an error, if it is one, without identifiers and numbers. */
function messageOf(body: string): string {
  const { error } = JSON.parse(body) as { readonly error?: { readonly message: string } };
  return error?.message.replaceAll(/\b[1-9A-HJ-NP-Za-km-z]{32,51}\b|\d+/g, "…") ?? "";
}

test("every recording is compared", () => {
  expect(cases.map(([name]) => name).sort()).toEqual([...RECORDINGS].sort());
});

describe.each(cases)("%s", (name, options) => {
  test("every answer has the recorded keys and types", async () => {
    const running = await run(options);
    const { simulation } = running;
    const { ids, answers } = recordingOf(name);
    const roles = await rolesOf(simulation);
    const wrong: string[] = [];
    let compared = 0;
    for (const recorded of answers.filter((answer) => !skipped(answer))) {
      const question = translated(recorded, ids, simulation, roles);
      const beyond = recorded.name.endsWith("beyond")
        ? { body: question.body?.replace(/"height":"\d+"/, `"height":"99999999"`) ?? "" }
        : {};
      const answer = await ask(running.url(1), { ...question, ...beyond });
      const lines = differencesOf(recorded.response, answer);
      wrong.push(...lines.filter((line) => kept(name, recorded.name, line)).map((line) => `${recorded.name} ${line}`));
      compared += 1;
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(name === "custom-bootstrapping" ? 20 : 30);
  });
});

describe("blocks", () => {
  /** Recorded blocks by kind, with a height of the same kind on the simulated chain. */
  const kinds: ReadonlyArray<readonly [string, string, string, number]> = [
    ["genesis", "local-healthy-validator", "platform.getBlockByHeight.0", 0],
    ["export", "local-healthy-validator", "platform.getBlockByHeight.18", 1],
    ["import", "local-healthy-validator", "platform.getBlockByHeight.17", 2],
    ["empty", "local-l1-drained", "platform.getBlockByHeight.20", 3],
    ["hex", "local-healthy-validator", "platform.getBlockByHeight.19.hex", 1],
  ];
  test.each(kinds)("%s block has the recorded keys and types", async (kind, file, name, height) => {
    const { url } = await run({ validators: 5 });
    const recorded = recordingOf(file).answers.find((answer) => answer.name === name);
    const encoding = kind === "hex" ? "hex" : "json";
    const made = await result<unknown>(url(1), "platform.getBlockByHeight", { height: String(height), encoding });
    const real = (JSON.parse(recorded?.response.body ?? "{}") as { result: unknown }).result;
    expect(differences(shape(real), shape(made))).toEqual([]);
  });
});
