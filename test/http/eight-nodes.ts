import type { Diagnosis, NodeOverview, Problem } from "../../src/diagnosis/finding.ts";
import type { Status } from "../../src/poller/poll/status.ts";
import { consequence, diagnosis, endpoint, NOW, problem, status, target } from "./fixtures.ts";

/** The demo's eight nodes after a quarter of an hour, with as many problems, consequences and endpoints. */

const NAMES = Array.from({ length: 8 }, (_, index) => `sim-${index + 1}`);
const CHAINS = ["C", "P", "X", "l1one", "perm1"];
const ID = "NodeID-LzSo8gZSB84MspTu9uA8DnbZZ3dPeay2Q";

const ids = Array.from({ length: 27 }, (_, index) => `platform.getEndpoint${index}`);
const answering = ids.map((id) => endpoint({ id }));
const failing = Array.from({ length: 19 }, (_, index) =>
  endpoint({
    id: `evm.endpoint${index % 6}`,
    key: "2jmFa7ztDU2bYoqUzLGzyVzUXSChUuXwmvR8hKZwVUvmPWcVxz",
    state: "failing",
    failures: 6,
    error: { reason: "http_status", message: 'HTTP 404: "404 page not found"' },
  }),
);

export const EIGHT_NODES: Status = {
  ...status([
    ...NAMES.map((name) =>
      target({ name, network: "local", endpoints: name === "sim-6" ? [...answering, ...failing] : answering }),
    ),
    ...["data-api", "metrics-api"].map((name) => ({
      ...target({ name, network: undefined, nodeId: undefined, endpoints: answering }),
      hosted: true as const,
    })),
  ]),
  networks: [{ name: "local", referenceNode: "sim-1", nodes: 8 }],
};

const at = (node: string, alert: string, summary: string, over: Partial<Problem> = {}): Problem => ({
  ...problem({ alert, labels: { node }, node, summary, since: NOW - 900, ...over }),
  ...(over.consequences === undefined
    ? {}
    : { consequences: over.consequences, consequenceCount: over.consequences.length }),
});
const following = (node: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    consequence({
      alert: "AvaxEndpointFailing",
      severity: "warning",
      labels: { node },
      node,
      summary: `${node}: polls of evm.endpoint${index} fail`,
    }),
  );

const WARNING = { severity: "warning" } as const;
const PENDING = { ...WARNING, state: "pending", for: "1h" } as const;

const problems: readonly Problem[] = [
  problem({
    alert: "AvaxL1RunwayCritical",
    labels: { network: "local", node_id: ID },
    since: NOW - 900,
    summary: `${ID}: L1 balance has run out, it is inactive`,
  }),
  at("sim-7", "AvaxDowntimeBudgetLow", "sim-7 has 8h 48m 2s of downtime left before its reward is lost", {
    consequences: following("sim-7", 1),
  }),
  at("sim-8", "AvaxNodeUpgradeNotReady", "sim-8 is not ready for the upgrade, which activates in 59m 15s"),
  at("sim-8", "AvaxL1RunwayCritical", "sim-8: L1 balance lasts only 5h 59m 57s"),
  at("sim-2", "AvaxL1RunwayShort", "sim-2: L1 balance lasts 2d 22h 31m 44s", WARNING),
  at("sim-3", "AvaxUptimeBelowRequirement", "sim-3 is 18.1 points below its uptime requirement", {
    ...WARNING,
    consequences: following("sim-3", 1),
  }),
  at("sim-5", "AvaxNodeDiskLow", "sim-5 has 9 % of its disk left", WARNING),
  ...["C", "P", "perm1"].map((chain) =>
    at("sim-7", "AvaxNodeBenched", `sim-7 is benched by 60.0 % of stake on ${chain}`, WARNING),
  ),
  ...["18h 59m 15s", "19h 59m 15s"].map((time) =>
    at("sim-7", "AvaxValidatorEndingSoon", `sim-7: stake ends in ${time}`, WARNING),
  ),
  at("sim-6", "AvaxChainBootstrapping", "sim-6 is bootstrapping l1one", {
    severity: "none",
    consequences: following("sim-6", 2),
  }),
  at("sim-6", "AvaxNodeBootstrapping", "sim-6 is bootstrapping the Primary Network", {
    severity: "none",
    consequences: following("sim-6", 8),
  }),
  ...CHAINS.map((chain) => at("sim-6", "AvaxChainNotBootstrapped", `${chain} is not bootstrapped on sim-6`, PENDING)),
];

const overview = (index: number): NodeOverview => ({
  version: "avalanchego/1.15.0",
  peers: 11,
  downtimeLeft: index === 6 ? 31_680 : 2_301_096 + index * 100_000,
  uptime: index === 6 ? 0.8 : 0.99,
  validator: true,
  lag: index === 3 ? { chain: "C", blocks: 335, since: NOW - 65 } : { chain: "C", blocks: 0 },
});

export const EIGHT_DIAGNOSED: Diagnosis = diagnosis(problems, {
  overview: Object.fromEntries(NAMES.map((name, index) => [name, overview(index)])),
  claims: Object.fromEntries(NAMES.map((name) => [name, name !== "sim-6"])),
});
