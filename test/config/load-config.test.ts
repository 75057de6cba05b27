import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { defaultConfig } from "../../src/config/default-config.ts";
import { loadConfig, type Loaded } from "../../src/config/load-config.ts";
import { loadWebConfig } from "../../src/config/web/load-web-config.ts";
import { type Sources, nodeSources } from "../../src/config/read/sources.ts";
import { formatProblem } from "../../src/config/base/config-problem.ts";
import { ALERT_LIMITS } from "../../src/topics/all/alerts.ts";

const FOLDER = join(import.meta.dirname, "testdata");
const ENDPOINTS = ["health.health", "info.peers", "info.uptime", "info.vms"];

function load(name: string, env: Sources["env"] = { SET: "hidden" }) {
  return loadConfig(join(FOLDER, name), ENDPOINTS, nodeSources(env), { alertLimits: ALERT_LIMITS });
}

function problemsOf(name: string): string[] {
  const result = name.startsWith("invalid-web") ? loadWebConfig(join(FOLDER, name), nodeSources({})) : load(name);
  const problems = result.ok ? [] : result.problems.map(formatProblem);
  return problems.map((problem) => problem.replaceAll(`${FOLDER}/`, "").replace(new RegExp(`^${name}:`), ""));
}

function loaded(name: string, env?: Sources["env"]): Loaded {
  const result = load(name, env);
  if (!result.ok) throw new Error(result.problems.map(formatProblem).join("\n"));
  return result.loaded;
}

/** Each has its problems in a file of its name: `invalid-urls.yaml` those of `invalid-urls.txt`. */
const INVALID = readdirSync(FOLDER).filter((name) => /^invalid-.*\.yaml$/.test(name));

describe("an invalid configuration reports every problem with its position, and no secret", () => {
  test.each(INVALID)("%s", async (name) => {
    const text = problemsOf(name)
      .map((problem) => `${problem}\n`)
      .join("");
    expect(text).not.toMatch(/s3cret|hidden|^$/);
    await expect(text).toMatchFileSnapshot(join(FOLDER, name.replace(".yaml", ".txt")));
  });

  test("every list of problems has its configuration", () => {
    const lists = readdirSync(FOLDER).filter((name) => name.endsWith(".txt"));
    expect(lists.map((name) => name.replace(".txt", ".yaml"))).toEqual(INVALID);
  });
});

describe("a file that cannot be read", () => {
  test("is reported as one problem", () => {
    expect(problemsOf("no-such.yaml")).toEqual(["1:1: the file cannot be read: no such file"]);
    expect(problemsOf("nodes.d")).toEqual(["1:1: the file cannot be read: it is a directory"]);
    expect(problemsOf("token/x")).toEqual(["1:1: the file cannot be read: system error ENOTDIR"]);
  });

  test("is rejected above 10 MB", () => {
    const sources = { ...nodeSources({}), readFile: () => " ".repeat(10 * 1024 * 1024 + 1) };
    const result = loadConfig("big.yaml", ENDPOINTS, sources);
    expect(result.ok ? [] : result.problems.map(formatProblem)).toEqual([
      "big.yaml:1:1: the file cannot be read: it is larger than 10 MB",
    ]);
  });

  test("deep nesting is reported as a problem", () => {
    const sources = { ...nodeSources({}), readFile: () => "[".repeat(100_000) };
    const result = loadConfig("deep.yaml", ENDPOINTS, sources);
    expect(result.ok ? [] : result.problems.map(({ message }) => message)).toEqual(
      expect.arrayContaining([expect.stringContaining("nested too deeply")]),
    );
  });
});

const ONE = "2YDwHaXxuAcsLRTLcHEFaF1xQkbgzjM5rQu3mMzuCHamTuqiGo";
const TWO = "MUVsxRCC9s54LY5vvampeUr18wzCWxxAoe5xs3LXBaztSnnhx";

describe("a valid configuration", () => {
  test("needs only two lines", () => {
    const text = "nodes:\n  - { name: local, url: http://127.0.0.1:9650 }\n";
    const result = loadConfig("two.yaml", [], { ...nodeSources({}), readFile: () => text });
    expect(result.ok && result.loaded.config).toEqual(defaultConfig());
    expect(result.ok && result.loaded).toEqual({
      config: {
        nodes: [{ ...DEFAULTS, name: "local", url: "http://127.0.0.1:9650" }],
        labelsOnSeries: [],
        subnets: [],
        watch: { validators: [], validatorsByNetwork: {}, validatorDetails: [], observers: 5, addresses: [] },
        evm: { batch: 40, websocket: false, proofProbe: false, receipts: true, maxBlocksPerPoll: 50 },
        endpoints: {},
        alerts: {},
        metrics: "all",
        probe: defaultConfig().probe,
      },
      masked: expect.any(Function) as unknown,
      warnings: [],
    });
  });

  const { config, masked, warnings } = loaded("valid.yaml", { SITE: "fra1", PASSWORD: "pässword" });

  test("reads every key of a node", () => {
    const tls = {
      ca: PEM("CERTIFICATE"),
      cert: PEM("CERTIFICATE"),
      key: PEM("PRIVATE KEY"),
      servername: "c",
      rejectUnauthorized: false,
    };
    const labels = { site: "fra1", price: "${5}" };
    expect(config.nodes.slice(0, 3)).toEqual([
      {
        ...DEFAULTS,
        name: "a",
        url: "http://a.example.org:9650",
        network: "local",
        labels,
        subnets: [ONE, TWO],
        headers: { authorization: "Basic dTpww6Rzc3dvcmQ=" },
        connections: 4,
        maxResponseBytes: 10_000_000,
      },
      {
        ...DEFAULTS,
        name: "bee",
        url: "https://b.example.org/prefix",
        network: "fuji",
        labels,
        subnets: [TWO],
        headers: { authorization: "Basic dTpzM2NyZXQtZnJvbS1maWxl" },
        tls,
        connections: 4,
        maxResponseBytes: 4096,
      },
      {
        ...DEFAULTS,
        name: "c",
        url: "http://c:9650",
        nodeId: "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",
        healthTransport: "rpc",
        dialect: "spec",
        subnets: [ONE, TWO],
        primaryChains: ["P", "X", "C"],
        aliases: ["one", "two"],
        headers: {
          authorization: "Bearer s3cret-from-file",
          "X-A": "plain",
          "X-B": "pässword",
          "X-C": "s3cret-from-file",
        },
      },
    ]);
  });

  test("reads the nodes of each file once, with paths relative to that file", () => {
    expect(config.nodes.slice(3).map(({ name, headers }) => [name, headers])).toEqual([
      ["first", { authorization: "Bearer s3cret-beside-the-node-file" }],
      ["second", {}],
      ["b", {}],
    ]);
  });

  test("reads the other sections", () => {
    expect(config.subnets).toEqual([
      {
        id: ONE,
        name: "one",
        network: "local",
        uptimeRequirement: 0.8,
        chains: [{ id: "UNHo2MdxVtikDN9FX6U6URGnUwxoqYgRXKpr7Hp1FETr64Rkt", name: "l1one", evm: true }],
      },
      { id: TWO, name: TWO, chains: [] },
    ]);
    expect(config.watch).toEqual({
      validators: ["NodeID-6fZuj9x4tozLd6CAQ7AhTLd9RYXLnSzKB"],
      validatorsByNetwork: {},
      validatorDetails: [],
      observers: 5,
      addresses: [],
    });
    expect(config.endpoints).toEqual({
      "info.peers": { every: 90, timeout: 0.5 },
      "info.vms": { enabled: false },
      "info.uptime": {},
    });
    expect(config.alerts).toEqual({ "disk-low": "0.2", peers: "0.4", lag: "5m", "AvaxNodeDown.for": "15m" });
  });

  test("has no warnings, and is masked without its secrets", async () => {
    expect(warnings).toEqual([]);
    expect(masked()).not.toMatch(/s3cret|pässword/);
    await expect(masked()).toMatchFileSnapshot(join(FOLDER, "valid.masked.yaml"));
  });
});

describe("watched validators", () => {
  const A = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";
  const B = "NodeID-6fZuj9x4tozLd6CAQ7AhTLd9RYXLnSzKB";
  const [ONE_ADDRESS, OTHER] = [
    "P-avax1g29kh4fppl5t6kh9wk5et588s34a86hqjv0tae",
    "P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t",
  ];
  const read = (watch: object) => {
    const text = JSON.stringify({ nodes: [{ name: "a", url: "http://a" }], watch });
    const result = loadConfig("watch.yaml", [], { ...nodeSources({ WHO: "from outside" }), readFile: () => text });
    if (!result.ok) throw new Error(result.problems.map(formatProblem).join("\n"));
    return result.loaded;
  };

  test("are node IDs, or mappings with a name and reward addresses; the lists hold node IDs", () => {
    const { config, masked } = read({
      validators: [A, { node_id: B, name: "${WHO}", reward_addresses: [ONE_ADDRESS, OTHER, ONE_ADDRESS] }],
      validators_by_network: {
        fuji: [
          { node_id: A, name: "one" },
          { node_id: B, reward_addresses: null },
        ],
      },
    });
    expect(config.watch).toEqual({
      validators: [A, B],
      validatorsByNetwork: { fuji: [A, B] },
      validatorDetails: [
        { nodeId: B, name: "from outside", rewardAddresses: [ONE_ADDRESS, OTHER] },
        { nodeId: A, name: "one", rewardAddresses: [] },
      ],
      observers: 5,
      addresses: [],
    });
    expect(masked()).toContain("name: from outside");
  });

  test("of several entries have one name, and the addresses of all", () => {
    const { config } = read({
      validators: [{ node_id: A, name: "one", reward_addresses: [OTHER] }, { node_id: A, name: "one" }, A],
      validators_by_network: { mainnet: [{ node_id: A, reward_addresses: [ONE_ADDRESS] }] },
    });
    expect(config.watch.validators).toEqual([A]);
    expect(config.watch.validatorDetails).toEqual([{ nodeId: A, name: "one", rewardAddresses: [OTHER, ONE_ADDRESS] }]);
  });
});

test("warnings report settings that are valid but probably not intended", () => {
  const { warnings } = loaded("warnings.yaml");
  expect(warnings.map((warning) => formatProblem(warning).replace(`${FOLDER}/warnings.yaml:`, ""))).toEqual([
    "2:21: url contains /ext; remove it, because the exporter appends /ext/…",
    "3:21: url contains /ext; remove it, because the exporter appends /ext/…",
    '4:14: no file matches the pattern "none.d/*.yaml"',
    '6:5: no node serves the subnet "one"; set network: local on its nodes, or name it under their subnets',
    "9:16: no node is on the network of this address",
  ]);
});

const DEFAULTS = {
  labels: {},
  healthTransport: "get",
  dialect: "auto",
  publicServer: false,
  subnets: [],
  primaryChains: ["P", "X", "C"],
  aliases: [],
  headers: {},
  connections: 16,
  maxResponseBytes: 33_554_432,
} as const;

function PEM(kind: string): string {
  return `-----BEGIN ${kind}-----\nAA==\n-----END ${kind}-----\n`;
}
