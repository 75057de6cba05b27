import { ALERT_GROUPS } from "../../src/topics/all/alerts.ts";
import { countProblems } from "../../src/diagnosis/count-problems.ts";
import type { Consequence, Diagnosis, Finding, Problem } from "../../src/diagnosis/finding.ts";
import { NO_HISTORY } from "../../src/diagnosis/history/observe.ts";
import type { HttpDependencies } from "../../src/http/http-dependencies.ts";
import type { EndpointStatus, Status, TargetStatus } from "../../src/poller/poll/status.ts";

export const NOW = 1_780_000_000;

/** An endpoint that answered 12 s ago. */
export function endpoint(over: Partial<EndpointStatus> = {}): EndpointStatus {
  return {
    id: "health",
    key: "",
    state: "ok",
    every: 15,
    lastAttempt: NOW - 12,
    lastSuccess: NOW - 12,
    next: NOW + 3,
    failures: 0,
    error: undefined,
    ...over,
  };
}

/** A healthy target. */
export function target(over: Partial<TargetStatus> = {}): TargetStatus {
  return {
    name: "validator-1",
    url: "http://10.0.0.1:9650",
    network: "fuji",
    nodeId: "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",
    up: true,
    endpoints: [endpoint()],
    ...over,
  };
}

export function status(targets: readonly TargetStatus[]): Status {
  return {
    now: NOW,
    startedAt: NOW - 7_500,
    networks: [{ name: "fuji", referenceNode: "validator-1", nodes: 4 }],
    targets,
  };
}

export function finding(over: Partial<Finding> = {}): Finding {
  return {
    alert: "AvaxNodeLeftBehind",
    severity: "critical",
    for: "2m",
    state: "firing",
    labels: { node: "validator-1" },
    value: 12,
    summary: "An upgrade left validator-1 behind, by 12 blocks so far",
    meaning: "The node follows rules that the network has left.",
    action: "Install the release that knows the upgrade.",
    runbook: "https://example.org/runbooks/AvaxNodeLeftBehind.md",
    runbookPath: "/runbooks/AvaxNodeLeftBehind",
    evidence: [{ series: 'avax_chain_lag_blocks{chain="C",node="validator-1"}', value: 12, words: undefined }],
    ...over,
  };
}

/** A finding that follows from another one. */
export function consequence(over: Partial<Consequence> = {}): Consequence {
  return {
    ...finding(),
    explainedBy: "AvaxNodeLeftBehind",
    why: "The node missed an upgrade and rejects the network's blocks.",
    ...over,
  };
}

/** A problem with these consequences. */
export function problem(over: Partial<Finding> = {}, consequences: readonly Consequence[] = []): Problem {
  return { ...finding(over), consequences, consequenceCount: consequences.length };
}

export function diagnosis(problems: readonly Problem[], over: Partial<Diagnosis> = {}): Diagnosis {
  const groups = problems.map((cause) => ({
    cause,
    consequences: cause.consequences.map((each) => ({
      finding: each,
      by: { alert: "AvaxNodeLeftBehind" as const, equal: [], why: each.why },
    })),
  }));
  return {
    at: NOW,
    problems,
    ...countProblems(groups),
    claims: { "validator-1": true },
    overview: {},
    subnetNames: {},
    topUps: {},
    judged: 48,
    ofPrometheus: ["AvaxNodeReplaced", "AvaxExporterDefect"],
    failed: [],
    ...over,
  };
}

export const ABOUT = { version: "1.2.3", revision: "abc1234", telemetryPath: "/metrics", command: "avax-exporter" };

type Logged = { readonly level: "warn" | "error"; readonly data: object; readonly message: string };

/** Dependencies with simple results, and the log. */
export function dependencies(over: Partial<HttpDependencies> = {}): { deps: HttpDependencies; logged: Logged[] } {
  const logged: Logged[] = [];
  const deps: HttpDependencies = {
    selectable: () => new Set(["health", "peers", "avax_node_up", "avax_node_live"]),
    metrics: () =>
      Promise.resolve({
        contentType: "text/plain; version=0.0.4; charset=utf-8",
        contentEncoding: undefined,
        chunks: [Buffer.from("avax_node_up 1\n"), Buffer.from("avax_node_live 1\n")],
      }),
    status: () => status([target()]),
    unknown: () => [],
    diagnosis: () => Promise.resolve(diagnosis([])),
    alertGroups: () => ALERT_GROUPS,
    history: () => ({ history: NO_HISTORY, now: NOW }),
    validators: () => Promise.resolve([]),
    calendar: () => Promise.resolve([]),
    restarts: () => Promise.resolve({ at: NOW, isWhole: true, nodes: [], quorums: new Map(), upgrades: new Map() }),
    ready: () => ({ ready: true, why: "Every node has been asked" }),
    reload: () => Promise.resolve({ ok: true }),
    maskedConfig: () => "nodes: []\n",
    fleet: () => [],
    wallets: () => new Map(),
    probe: () => Promise.resolve({ refused: "forbidden", why: "No node has this name." }),
    modules: () => ["node", "validator"],
    about: ABOUT,
    log: {
      warn: (data, message) => logged.push({ level: "warn", data, message }),
      error: (data, message) => logged.push({ level: "error", data, message }),
    },
    ...over,
  };
  return { deps, logged };
}
