import { request } from "node:http";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { simulate, type Simulation } from "../../simulator/simulate.ts";
import type { SimulatorOptions } from "../../simulator/world/options.ts";
import { execute } from "../../src/cli/execute.ts";
import { folderWith } from "../support/folders.ts";
import { serve, type Serving } from "../support/servers.ts";
import { writtenSystem } from "../support/written-system.ts";

/** Runs of each case; more show whether an answer depends on the order in which others arrive. */
const RUNS = Number(process.env["ONE_SHOT_RUNS"] ?? 2);

async function simulated(options: SimulatorOptions): Promise<Simulation> {
  const simulation = await simulate({ validators: 10, ...options });
  onTestFinished(simulation.close);
  return simulation;
}

/** A server before a node. `hold`: milliseconds before it passes a request on; `refuse`: the status in place of an answer. */
function before(
  url: string,
  {
    hold,
    refuse,
  }: { readonly hold?: (body: string) => number; readonly refuse?: (body: string) => number | undefined },
): Promise<Serving> {
  return serve((received, response) => {
    const { method, body, headers } = received;
    const forward = (): void => {
      const sent = request(
        url + received.url,
        { method, headers: { ...headers, host: new URL(url).host } },
        (reply) => {
          const { "node-id": _id, ...rest } = reply.headers;
          response.writeHead(reply.statusCode ?? 500, rest);
          reply.pipe(response);
        },
      );
      // A command that ends first leaves a request that is still held: by then the node may be gone.
      sent.once("error", () => response.destroy());
      sent.end(body);
    };
    const status = refuse?.(body);
    if (status !== undefined) response.writeHead(status).end("no");
    else setTimeout(forward, hold?.(body) ?? 0);
  });
}

const randomly = (): number => Math.random() * 100;

/** The exit code of a command, the lines of `once` without their values, and the problems of `doctor`. */
async function run(command: "once" | "doctor", config: object) {
  const file = join(folderWith({ "c.yaml": JSON.stringify(config) }), "c.yaml");
  const { system, written } = writtenSystem();
  const code = await execute([command, `--config.file=${file}`], system);
  const series = written.out.split("\n").map((line) => line.replace(/ \S+$/, ""));
  const problems = written.out.split("\n").filter((line) => /^ +(CRITICAL|WARNING|INFO) |^Verdict|^ {2}- /.test(line));
  return { code, err: command === "once" ? written.err : "", lines: (command === "once" ? series : problems).sort() };
}

type Outcome = Awaited<ReturnType<typeof run>>;

/** Runs both commands several times at once, which must give the same answer each time. */
async function both(config: object): Promise<Readonly<Record<"once" | "doctor", Outcome>>> {
  const [once, doctor] = await Promise.all([same("once", config), same("doctor", config)]);
  return { once, doctor };
}

async function same(command: "once" | "doctor", config: object): Promise<Outcome> {
  const first = run(command, config);
  const others = await Promise.all(Array.from({ length: RUNS - 1 }, () => run(command, config)));
  for (const other of others) expect(other, command).toEqual(await first);
  return first;
}

const TIMEOUT = RUNS * 20_000;

it("a Data API that is asked about the polled nodes alone", { timeout: TIMEOUT }, async () => {
  const { nodes, hosted } = await simulated({ nodes: 1, network: { id: 1, name: "mainnet" }, hosted: true });
  const { once } = await both({
    nodes: [{ name: "a", url: nodes[0]?.url }],
    data_api: { url: hosted?.dataUrl, network: "mainnet", budget: { per_minute: 1_000_000, per_day: 1_000_000_000 } },
  });
  expect(once).toMatchObject({ code: 0, err: "" });
  const asked = once.lines.filter((line) => line.startsWith("avax_hosted_answer_timestamp_seconds"));
  expect(asked.length).toBeGreaterThan(3);
});

it("hosted services that a person waits for at a terminal", async () => {
  const { nodes, hosted } = await simulated({ nodes: 1, network: { id: 1, name: "mainnet" }, hosted: true });
  const config = {
    nodes: [{ name: "a", url: nodes[0]?.url }],
    data_api: { url: hosted?.dataUrl },
    metrics_api: { url: hosted?.metricsUrl },
  };
  const file = join(folderWith({ "c.yaml": JSON.stringify(config) }), "c.yaml");
  const { system, written } = writtenSystem();
  const began = performance.now();
  expect(await execute(["once", `--config.file=${file}`], { ...system, progress: () => undefined })).toBe(0);
  expect(written.out).toContain('avax_hosted_spent_units_total{api="metrics"} 2300\n');
  // At 90 units a second they are 26 s.
  expect(performance.now() - began).toBeLessThan(15_000);
});

it("a node whose ID is known late", { timeout: TIMEOUT }, async () => {
  const { nodes } = await simulated({ nodes: 2 });
  const [own, other] = nodes;
  const hold = (body: string) => (body.includes("info.getNodeID") ? 100 + 2 * randomly() : 0);
  const { url } = await before(own?.url ?? "", { hold });
  const config = { nodes: [{ name: "a", url }], watch: { validators: [other?.nodeId] } };
  const { once } = await both(config);
  expect(once.code).toBe(0);
  const uptime = once.lines.filter((line) => line.startsWith("avax_validator_uptime_ratio{"));
  expect(uptime.filter((line) => line.includes(own?.nodeId ?? ""))).toHaveLength(1);
});

it("heads that a WebSocket announces", { timeout: TIMEOUT }, async () => {
  const { nodes } = await simulated({ nodes: 1 });
  const { once, doctor } = await both({ nodes: [{ name: "a", url: nodes[0]?.url }], evm: { websocket: true } });
  expect(once.lines.filter((line) => line.startsWith("avax_evm_websocket_up{"))).toHaveLength(1);
  expect(doctor.lines.filter((line) => line.includes("WebSocket"))).toEqual([]);
});

/** What a node can lack, and a proxy before it refuses. */
const LACKED = [
  "platform.getFeeState",
  "platform.getTimestamp",
  "info.getNodeIP",
  "platform.getHeight",
  "txpool_status",
];

it("a proxy that refuses batches and what a node can lack, in any order", { timeout: TIMEOUT }, async () => {
  const { nodes } = await simulated({ nodes: 1 });
  await Promise.all([400, 403, 404, 405, 501, 503].map(refusedWith));

  async function refusedWith(status: number): Promise<void> {
    const isBatch = (body: string) => body.startsWith("[") && status !== 404;
    const refuse = (body: string) =>
      isBatch(body) || LACKED.some((method) => body.includes(method)) ? status : undefined;
    const { url } = await before(nodes[0]?.url ?? "", { hold: randomly, refuse });
    const { once } = await both({ nodes: [{ name: "a", url }], evm: { batch: status === 404 ? 1 : 100 } });
    expect(once, `HTTP ${status}`).toMatchObject({ code: 0, err: "" });
    expect(once.lines.filter((line) => line.startsWith("avax_evm_base_fee_gwei{"))).toHaveLength(1);
    expect(once.lines.filter((line) => line.startsWith("avax_poll_failures_total{"))).toEqual([]);
  }
});

it("two nodes whose answers come in any order", { timeout: TIMEOUT }, async () => {
  const { nodes } = await simulated({ nodes: 2 });
  const servers = await Promise.all(nodes.map(({ url }) => before(url, { hold: randomly })));
  const { once } = await both({ nodes: servers.map(({ url }, index) => ({ name: `n${index}`, url })) });
  expect(once.code).toBe(0);
});
