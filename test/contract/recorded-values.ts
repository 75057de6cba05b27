/**
 * Values that a person read in the recordings, by recording and answer, in the units of the parsed answers (ratios, AVAX, Unix
 * seconds). Other fields are not compared.
 */

const HELICON = Date.UTC(2026, 10, 21, 11, 0, 27) / 1000;
const NEVER = Date.UTC(9999, 11, 1) / 1000;

const healthy = {
  "health.get": { healthy: true },
  "health.rpc.health": { healthy: true },
  "health.get.readiness": { healthy: true },
};
const uptime = (rewardingStakePercentage: number, weightedAveragePercentage: number) => ({
  "info.uptime": { rewardingStakePercentage, weightedAveragePercentage },
});
/** Uptime of this node as each peer observed it. */
const peers = (...ratios: number[]) => ({
  "info.peers": { numPeers: ratios.length, peers: ratios.map((observedUptime) => ({ observedUptime })) },
});
type Row = readonly [weight: bigint, uptime: number, connected: boolean, delegators: number];
const primary = (...rows: readonly Row[]) => ({
  "platform.getCurrentValidators.primary": {
    validators: rows.map(([weight, ratio, connected, delegatorCount]) => ({
      weight,
      uptime: ratio,
      connected,
      delegatorCount,
    })),
  },
});
/** A genesis validator. */
const genesis = (ratio: number, connected = true, delegators = 0): Row => [
  2_000_000_000_000_000n,
  ratio,
  connected,
  delegators,
];
const helicon = (at: number) => ({ "info.upgrades": { helicon: at, apricotPhase1: Date.UTC(2020, 11, 5, 5) / 1000 } });
const node = (id: string, ip: string, version: string) => ({
  "info.getNodeID": { nodeID: `NodeID-${id}` },
  "info.getNodeIP": { ip: `127.0.0.1:${ip}` },
  "info.getNodeVersion": { version: `avalanchego/${version}`, databaseVersion: "v1.4.5" },
});
const LOCAL = {
  "info.getNetworkID": { networkID: 12345 },
  "info.getNetworkName": { networkName: "local" },
  "info.getTxFee": { txFee: 0.001, createSubnetTxFee: 0.1, addPrimaryNetworkValidatorFee: 0 },
  ...helicon(NEVER),
};
const CUSTOM = {
  "info.getNetworkID": { networkID: 424242 },
  "info.getNetworkName": { networkName: "network-424242" },
  ...helicon(HELICON),
};
const height = (value: number) => ({ "platform.getHeight": { height: value } });
/** The permissioned subnet and the L1 of the local network, with the balances of the L1 validators in AVAX. */
const subnets = (...balances: readonly [number, number, number, number]) => ({
  "platform.getCurrentValidators.s1": {
    validators: [{ weight: 1n }, { weight: 20n }, { weight: 30n }, { weight: 50n }],
  },
  "platform.getCurrentValidators.s2": {
    validators: [10n, 50n, 100n, 200n].map((weight, at) => ({ weight, balance: balances[at], minNonce: 0 })),
  },
});
const young = (ratio: number, delegators = 3): Row => [2_000_000_000_000n, ratio, true, delegators];
const second = (ratio: number): Row => [3_500_000_000_000n, ratio, true, 0];
const autoRenewed = (ratio: number): Row => [2_100_000_000_000n, ratio, true, 0];
const newRule = (ratio: number): Row => [2_500_000_000_000n, ratio, true, 0];

export const VALUES: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  "custom-auto-renewed-validator": {
    ...CUSTOM,
    ...healthy,
    ...node("ECTV6zg5tvcdKrQidMZ6956r1PSpUzbLo", "9901", "1.15.0"),
    ...peers(1, 1, 0, 1, 1, 0.01),
    ...uptime(0.799842, 0.799845),
    ...height(2),
    ...primary(autoRenewed(1), newRule(0.993333), genesis(1), genesis(1), genesis(1), genesis(1), genesis(1)),
    "platform.getCurrentValidators.two": {
      validators: [
        { nextPeriod: 90_000, autoCompoundRewardShares: 250_000, potentialReward: 0.595684843, delegationFee: 0.03 },
        {},
      ],
    },
  },
  "custom-bootstrapping": {
    ...CUSTOM,
    ...node("8oQeXvb146AKFRvJMYgSE6qiAwiN8Le9L", "9921", "1.15.0"),
    ...peers(),
    "health.get": {
      healthy: false,
      checks: {
        P: { message: { engine: { consensus: {} } } },
        bootstrapped: { error: "subnets not bootstrapped", message: ["11111111111111111111111111111111LpoYY"] },
      },
    },
    "health.get.readiness": { healthy: false },
    "health.get.liveness": { healthy: true, checks: {} },
    "health.rpc.health": { healthy: false },
    "info.isBootstrapped.P": { isBootstrapped: false },
    "info.isBootstrapped.C": { isBootstrapped: false },
  },
  "custom-helicon-active": {
    ...CUSTOM,
    ...healthy,
    ...node("7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", "9851", "1.15.0"),
    ...peers(1, 1, 1, 1, 1, 1),
    ...uptime(1, 1),
    ...height(2),
    ...primary(autoRenewed(1), newRule(1), genesis(0.997553), genesis(1), genesis(1), genesis(1), genesis(1)),
  },
  "custom-left-behind": {
    ...CUSTOM,
    ...healthy,
    ...helicon(NEVER),
    ...node("P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5", "9891", "1.15.0"),
    ...peers(0.99, 0.99, 0.99, 0.99, 1, 1),
    ...uptime(1, 0.992),
    ...height(0),
    ...primary(genesis(1), genesis(1), genesis(1), genesis(1), genesis(1)),
  },
  "custom-not-a-validator": {
    ...CUSTOM,
    ...healthy,
    ...node("UGmS5TgPnfCcWxF3avk7KBnFK48Gj8RT", "9921", "1.15.0"),
    ...peers(0, 0, 0, 0, 0, 0, 0),
    ...height(2),
    ...primary(autoRenewed(1), newRule(1), genesis(1), genesis(1), genesis(1), genesis(1), genesis(1)),
  },
  "custom-stake-lost": {
    ...CUSTOM,
    ...node("7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", "9851", "1.15.0"),
    ...peers(1, 1, 1, 1),
    ...uptime(0.600184, 0.600184),
    ...height(2),
    ...primary(
      autoRenewed(1),
      newRule(1),
      genesis(0.997691),
      genesis(1),
      genesis(0.991605, false),
      genesis(0.991605, false),
      genesis(1),
    ),
    "health.get": { healthy: false },
    "health.get.readiness": { healthy: true },
  },
  "custom-upgrade-ahead": {
    ...CUSTOM,
    ...healthy,
    ...node("7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", "9851", "1.15.0"),
    ...peers(1, 1, 1, 1),
    ...uptime(1, 1),
    ...height(0),
    ...primary(genesis(0.9971), genesis(1), genesis(1), genesis(1), genesis(1)),
  },
  "custom-upgrade-unknown": {
    ...CUSTOM,
    ...healthy,
    ...helicon(NEVER),
    ...node("P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5", "9891", "1.15.0"),
    ...peers(0.99, 0.99, 0.99, 0.99),
    ...uptime(1, 0.992),
    ...height(0),
    ...primary(genesis(1), genesis(1), genesis(1), genesis(1), genesis(1)),
  },
  "local-1.14.2-just-restarted": {
    ...LOCAL,
    ...healthy,
    ...node("NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN", "10071", "1.14.2"),
    ...peers(0, 0, 0, 0),
    ...uptime(0.2, 0.2),
    ...height(0),
    ...primary(genesis(1), genesis(1), genesis(1), genesis(1), genesis(1)),
    "info.acps": { acps: {} },
  },
  "local-1.14.2-validator": {
    ...LOCAL,
    ...healthy,
    ...node("7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", "10051", "1.14.2"),
    ...peers(1, 1, 1, 0),
    ...uptime(0.8, 0.8),
    ...height(0),
    ...primary(genesis(1), genesis(1), genesis(0.999999), genesis(1), genesis(1)),
    "info.acps": { acps: {} },
  },
  "local-fresh-network": {
    ...LOCAL,
    ...healthy,
    ...node("7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", "9651", "1.15.0"),
    ...peers(1, 1, 1, 1),
    ...uptime(1, 1),
    ...height(0),
    ...primary(genesis(1), genesis(1), genesis(1), genesis(1), genesis(1)),
  },
  "local-healthy-validator": {
    ...LOCAL,
    ...healthy,
    ...node("7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", "9651", "1.15.0"),
    ...peers(0.99, 0.99, 0.99, 0.99, 0.99, 0.99),
    ...uptime(1, 0.991999),
    ...height(19),
    ...primary(
      young(0.719572),
      second(0.990253),
      genesis(0.999998),
      genesis(0.999998),
      genesis(0.999998),
      genesis(0.999998),
      genesis(1, true, 1),
    ),
    ...subnets(0, 0.000001043, 4.999999483, 0.299999483),
    "info.acps": { acps: { "194": { supportWeight: 8_006_125, objectWeight: 0, abstainWeight: 2_000_077 } } },
    "info.isBootstrapped.l1one": { isBootstrapped: true },
  },
  "local-l1-drained": {
    ...LOCAL,
    ...healthy,
    ...node("GWPcbFJZFfZreETSoWjPimr846mXEKCtu", "9681", "1.15.0"),
    ...peers(0.99, 0.99, 0.99, 0.99, 0.99, 0.99),
    ...uptime(1, 0.991999),
    ...height(20),
    ...primary(
      young(0.861318),
      second(0.994684),
      genesis(0.999998),
      genesis(1),
      genesis(0.999997),
      genesis(0.999998),
      genesis(0.999998, true, 1),
    ),
    ...subnets(0, 0, 4.99999844, 0.29999844),
  },
  "local-no-inbound": {
    ...LOCAL,
    ...node("3gw7tFdd2bTitBYanhRAc72CT4pgjvHn6", "9711", "1.15.0"),
    ...peers(0.99, 0.99, 0.99, 0.99, 0.99, 0.99),
    ...uptime(1, 0.990003),
    ...height(20),
    ...primary(
      young(0.994689),
      second(1),
      genesis(0.999998),
      genesis(0.999998),
      genesis(0.999998),
      genesis(0.999998),
      genesis(0.999998, true, 1),
    ),
    ...subnets(0, 0, 4.99999844, 0.29999844),
    "health.get": {
      healthy: false,
      checks: {
        network: { error: "network layer is unhealthy reason: primary network validator has no inbound connections" },
      },
    },
  },
  "local-plugin-failed": {
    ...LOCAL,
    ...node("7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", "9651", "1.15.0"),
    ...peers(0.99, 0.99, 0.99, 0.99, 0.99, 0.99),
    ...uptime(1, 0.991999),
    ...height(16),
    ...primary(
      young(0.982196),
      second(0.97619),
      genesis(0.999998),
      genesis(0.999999),
      genesis(0.999999),
      genesis(0.999999),
      genesis(1, true, 1),
    ),
    ...subnets(0, 0.00000156, 5, 0.3),
    "health.get": { healthy: false },
    "health.get.tag-unknown": { healthy: false },
  },
  "local-young-validator": {
    ...LOCAL,
    ...healthy,
    ...node("8svdcPMG3GiLuyy5675h2BUNaXdrNCujA", "9701", "1.15.0"),
    ...peers(0.74, 0.72, 0.76, 0.73, 0.71, 0.99),
    ...uptime(0.000612, 0.73216),
    ...height(19),
    ...primary(
      young(1),
      second(0.990263),
      genesis(0.999998),
      genesis(0.999998),
      genesis(0.999998),
      genesis(0.999998),
      genesis(0.999998, true, 1),
    ),
    ...subnets(0, 0.000001043, 4.999999483, 0.299999483),
  },
};
