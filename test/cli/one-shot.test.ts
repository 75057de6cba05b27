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

/** A server before a node that answers `info.getNodeID` late, and whose other answers do not have the ID. */
function late(url: string): Promise<Serving> {
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
      sent.end(body);
    };
    if (body.includes("info.getNodeID")) setTimeout(forward, 100 + Math.random() * 200);
    else forward();
  });
}

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

/** Runs both commands several times, which must give the same answer each time. */
async function both(config: object): Promise<Readonly<Record<"once" | "doctor", Outcome>>> {
  const outcomes: Outcome[] = [];
  for (const command of ["once", "doctor"] as const) {
    const first = await run(command, config);
    for (let again = 1; again < RUNS; again++) expect(await run(command, config), `run ${again + 1}`).toEqual(first);
    outcomes.push(first);
  }
  const [once, doctor] = outcomes;
  if (once === undefined || doctor === undefined) throw new Error("two commands have two outcomes");
  return { once, doctor };
}

const TIMEOUT = RUNS * 20_000;

it("a Data API that is asked about the polled nodes alone", { timeout: TIMEOUT }, async () => {
  const { nodes, hosted } = await simulated({ nodes: 1, network: { id: 1, name: "mainnet" }, hosted: true });
  const { once } = await both({
    nodes: [{ name: "a", url: nodes[0]?.url }],
    data_api: { url: hosted?.dataUrl, network: "mainnet" },
  });
  expect(once).toMatchObject({ code: 0, err: "" });
  const asked = once.lines.filter((line) => line.startsWith("avax_hosted_answer_timestamp_seconds"));
  expect(asked.length).toBeGreaterThan(3);
});

it("a node whose ID is known late", { timeout: TIMEOUT }, async () => {
  const { nodes } = await simulated({ nodes: 2 });
  const [own, other] = nodes;
  const { url } = await late(own?.url ?? "");
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
