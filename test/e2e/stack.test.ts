import { globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { expect, it, vi } from "vitest";
import { parse } from "yaml";
import { fromJSONSchema } from "zod";
import { RETENTION } from "../../generate/alertmanager.ts";
import { POLICY } from "../../generate/rules/alert-policy.ts";
import { simulate } from "../../simulator/simulate.ts";
import { execute } from "../../src/cli/execute.ts";
import { unitsOf } from "../../generate/systemd-units.ts";
import { parseDuration } from "../../src/config/base/units.ts";
import { askOn } from "../../src/daemon/ask.ts";
import { afterThisTest } from "../support/cleanup.ts";
import { writtenSystem } from "../support/written-system.ts";
import { startChild } from "./support/child.ts";
import { serveHook, type Notification } from "./support/alertmanager.ts";
import { freePort } from "./support/recording-server.ts";
import { answered } from "./support/run-server.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const WITHIN = { timeout: 120_000, interval: 200 };
/** Prometheus drops an alert that fires before it has found Alertmanager, and sends it again only a minute later by default. */
const RESEND = "--rules.alert.resend-delay=5s";
const OWNER = { uid: 1234, gid: 567, program: [process.execPath, resolve("bin/avax-exporter.mjs")] };

/** A system whose standard input has these lines. */
function answering(...lines: readonly string[]) {
  const input = new PassThrough();
  input.end(lines.map((line) => `${line}\n`).join(""));
  const shown = new PassThrough();
  return { ...writtenSystem({ ask: askOn(input, shown), owner: OWNER }), shown };
}

async function emptyFolder(): Promise<string> {
  const { path, remove } = await temporaryFolder();
  afterThisTest.add(remove);
  return join(path, "stack");
}

/** A service for notifications. */
async function receiver() {
  const got: Array<{ readonly receiver: string; readonly status: string; readonly alert: string | undefined }> = [];
  type Notified = Pick<Notification, "receiver" | "status"> & {
    readonly commonLabels: Readonly<Record<string, string>>;
  };
  const { url, close } = await serveHook((path, body) => {
    const { receiver: name, status, commonLabels } = body as Notified;
    got.push({ receiver: name, status, alert: commonLabels["alertname"] });
    return path === "/broken" ? 400 : 200;
  });
  afterThisTest.add(close);
  return { url, got };
}

/** Moves the stack to free ports and starts some of its units, which work every second. Resolves with the ports that replace those of the stack. */
async function startUnits(folder: string, names: readonly string[], headers: Record<string, string> = {}) {
  const ports = new Map<string, number>();
  for (const port of ["9750", "9090", "9093"]) ports.set(port, await freePort());
  for (const path of globSync("{*/*.yml,*/rules.yaml,systemd/*}", { cwd: folder })) {
    const text = readFileSync(join(folder, path), "utf8");
    const moved = text.replaceAll(/(127\.0\.0\.1|0\.0\.0\.0):(\d+)/g, (all, host: string, port: string) =>
      ports.has(port) ? `${host}:${ports.get(port) ?? 0}` : all,
    );
    writeFileSync(join(folder, path), moved.replaceAll(/((?:interval|timeout): )1[05]s/g, "$11s"));
  }
  for (const name of names) {
    const unit = readFileSync(join(folder, `systemd/avax-${name}.service`), "utf8");
    const [program = "", ...args] = /^ExecStart=(.*)$/m.exec(unit)?.[1]?.split(" ") ?? [];
    const child = startChild(program, name === "prometheus" ? [...args, RESEND] : args);
    afterThisTest.add(child.stop);
    const path = name === "exporter" ? "/-/healthy" : "/-/ready";
    const address = /--web\.listen-address=(\S+)/.exec(unit)?.[1] ?? "";
    await answered(child, `http://${address.replace("0.0.0.0", "127.0.0.1")}${path}`, headers);
  }
  return (port: string) => `http://127.0.0.1:${ports.get(port) ?? 0}`;
}

it(
  "watches the surveyed nodes, and its Alertmanager delivers a page, a ticket and both resolutions",
  { timeout: 180_000 },
  async () => {
    const simulation = await simulate({ nodes: 2, tidy: true });
    afterThisTest.add(() => simulation.close());
    const folder = await emptyFolder();
    const { url, got } = await receiver();
    const urls = simulation.nodes.map((node) => node.url);
    // Two mistyped answers are asked for again.
    const init = answering("no URL", url, "none such", `${url}/switch`, "127.0.0.1");
    const chosen = ["--page=webhook", "--ticket=webhook"];
    expect(await execute(["init", `--stack=${folder}`, ...chosen, ...urls], init.system)).toBe(0);
    expect(init.written.out).toContain(`  docker compose --file ${folder}/compose.yaml up --detach\n`);
    const secret = ["login", "alertmanager/alertmanager.yml", "exporter/web.yml", "prometheus/password"];
    expect(secret.map((path) => statSync(join(folder, path)).mode & 0o777)).toEqual(secret.map(() => 0o600));
    const login = readFileSync(join(folder, "login"), "utf8").trim();
    const headers = { authorization: `Basic ${Buffer.from(login).toString("base64")}` };
    const texts = globSync("**/*", { cwd: folder, withFileTypes: true })
      .filter((each) => each.isFile() && each.name !== "alertmanager.yml")
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
    expect(texts).not.toEqual([]);
    expect(texts.filter((text) => text.includes(url))).toEqual([]);

    const at = await startUnits(folder, ["exporter", "alertmanager", "prometheus"], headers);
    for (const port of ["9750", "9093"]) expect((await fetch(`${at(port)}/metrics`)).status).toBe(401);
    // The switch hears the watchdog: from the exporter's rules through Prometheus and Alertmanager.
    await vi.waitUntil(() => got.some((each) => each.receiver === "dead-mans-switch"), WITHIN);
    const { data } = (await (await fetch(`${at("9090")}/api/v1/targets?state=active`)).json()) as {
      data: { activeTargets: ReadonlyArray<{ labels: Readonly<Record<string, string>> }> };
    };
    const jobs = data.activeTargets.map(({ labels }) => labels["job"]);
    expect(jobs.toSorted()).toEqual(["avalanchego", "avalanchego", "avax-exporter"]);
    expect(await (await fetch(at("9750"), { headers })).text()).toContain("http://127.0.0.1:3000/d/avax-node?");

    const test = writtenSystem();
    const [file, alertmanager] = [`--login-file=${join(folder, "login")}`, `--alertmanager=${at("9093")}`];
    const code = await execute(["test-notification", alertmanager, file], test.system);
    expect([code, test.written.err]).toEqual([0, ""]);
    expect(test.written.out.replaceAll(/after \d+ s/g, "after … s")).toBe(
      [
        `Alertmanager ${at("9093")} accepted a test page and a test ticket.`,
        "  page and ticket: accepted after … s",
        "  their resolution: accepted after … s",
        `  ${at("9750")}/runbooks/AvaxWatchdog opens, with the login`,
        "  http://127.0.0.1:3000/d/avax-exporter?var-network=%24__all does not open: connection refused (ECONNREFUSED)",
        "Look at the receiver: a page, a ticket and both resolutions must be there, with links that open on your phone.\n",
      ].join("\n"),
    );
    const denied = writtenSystem();
    expect(await execute(["test-notification", alertmanager], denied.system)).toBe(1);
    expect(denied.written.err).toContain("answered 401: ");
    expect(denied.written.err).toContain("; pass its login as --login-file\n");
    const plan = writtenSystem();
    expect(await execute(["restart-plan", `--exporter=${at("9750")}`, file], plan.system)).toBe(0);
    // Every link of a runbook opens where people reach the machine.
    const rules = readFileSync(join(folder, "prometheus/rules.yaml"), "utf8");
    const runbooks = [...rules.matchAll(/runbook_url: (\S+)/g)].map(([, link = ""]) => link);
    expect(runbooks).not.toEqual([]);
    const statuses = await Promise.all(runbooks.map(async (link) => (await fetch(link, { headers })).status));
    expect([...new Set(statuses)]).toEqual([200]);
    const tests = got.filter(({ alert }) => alert === "AvaxTestNotification");
    expect(tests.map((each) => `${each.receiver} ${each.status}`).toSorted()).toEqual([
      ...["page firing", "page resolved", "ticket firing", "ticket resolved"],
    ]);
  },
);

it("test-notification fails where the service refuses, and where nothing answers", { timeout: 60_000 }, async () => {
  const simulation = await simulate({ nodes: 1, tidy: true });
  afterThisTest.add(() => simulation.close());
  const folder = await emptyFolder();
  const { url } = await receiver();
  const init = answering("webhook", `${url}/broken`);
  expect(await execute(["init", `--stack=${folder}`, simulation.nodes[0]?.url ?? ""], init.system)).toBe(0);
  const at = await startUnits(folder, ["alertmanager"]);
  const test = async (port: string) => {
    const { system, written } = writtenSystem();
    return [await execute(["test-notification", `--alertmanager=${at(port)}`], system), written.err];
  };
  expect(await test("9093")).toEqual([1, expect.stringMatching(/: page and ticket: \d requests? failed; /)]);
  expect(await test("9090")).toEqual([
    1,
    expect.stringMatching(/: connection refused \(ECONNREFUSED\); pass the address/),
  ]);
});

it.each<readonly [readonly string[], readonly string[], string]>([
  [["--stack=x", "--output=y"], [], "--stack names the folder: omit --output"],
  [["--receiver=slack"], [], "--receiver belongs to --stack"],
  [
    ["--stack"],
    [],
    "Service that gets the pages (slack, telegram, discord, pagerduty, pushover, email, webhook): no answer",
  ],
  [
    ["--stack"],
    ["slak"],
    'Service that gets the pages (slack, telegram, discord, pagerduty, pushover, email, webhook): "slak" is not a service; did you mean "slack"?',
  ],
  [["--ticket=slack"], [], "--ticket belongs to --stack"],
  [["--stack", "--receiver=slack"], ["hooks"], "URL of the incoming webhook: it is not an http(s) URL"],
  [["--stack", "--receiver=telegram"], ["1:x"], "Number of the chat: no answer"],
])("%j with the answers %j is refused", async (flags, answers, sentence) => {
  const simulation = await simulate({ nodes: 1, tidy: true });
  afterThisTest.add(() => simulation.close());
  const folder = await emptyFolder();
  const given = flags.map((flag) => (flag === "--stack" ? `--stack=${folder}` : flag));
  const { system, written } = answering(...answers);
  expect(await execute(["init", ...given, simulation.nodes[0]?.url ?? ""], system)).toBeGreaterThan(0);
  expect(written.err).toContain(`avax-exporter init: ${sentence}`);
  expect(globSync(`${folder}/**`)).toEqual([]);
});

it("without an address for people it listens here alone, and its alerts have no links", async () => {
  const simulation = await simulate({ nodes: 1, tidy: true });
  afterThisTest.add(() => simulation.close());
  const folder = await emptyFolder();
  const { url } = await receiver();
  const init = answering("webhook", url, "", "", "none");
  expect(await execute(["init", `--stack=${folder}`, simulation.nodes[0]?.url ?? ""], init.system)).toBe(0);
  expect(readFileSync(join(folder, "prometheus/rules.yaml"), "utf8")).not.toMatch(/_url: /);
  const listening = globSync("systemd/*", { cwd: folder }).map((path) => readFileSync(join(folder, path), "utf8"));
  expect(listening.join("").match(/0\.0\.0\.0/g)).toBe(null);
  expect(listening.join("").match(/127\.0\.0\.1/g)?.length).toBeGreaterThan(4);
});

it("measures the machine on demand, and writes commands as they run in its container", async () => {
  const simulation = await simulate({ nodes: 1, tidy: true });
  afterThisTest.add(() => simulation.close());
  const written = async (folder: string, ...flags: readonly string[]) => {
    const init = answering("webhook", "http://127.0.0.1:1", "", "", "none");
    const args = ["init", `--stack=${folder}`, ...flags, simulation.nodes[0]?.url ?? ""];
    expect(await execute(args, init.system)).toBe(0);
    const read = (path: string) => readFileSync(join(folder, path), "utf8");
    const { services } = parse(read("compose.yaml"), { merge: true }) as {
      readonly services: Readonly<Record<string, { readonly environment?: Readonly<Record<string, string>> }>>;
    };
    const prometheus = parse(read("prometheus/prometheus.yml")) as {
      readonly scrape_configs: ReadonlyArray<{ readonly job_name: string }>;
    };
    return {
      services: Object.keys(services),
      jobs: prometheus.scrape_configs.map((job) => job.job_name),
      units: globSync("systemd/*", { cwd: folder }).map((path) => path.replace(/.*avax-(.*)\.service/, "$1")),
      hasBoard: globSync("grafana/dashboards/machine.json", { cwd: folder }).length > 0,
      command: services["exporter"]?.environment?.["AVAX_EXPORTER_COMMAND"],
      texts:
        read("systemd/avax-exporter.service") + (flags.length > 0 ? read("systemd/avax-node-exporter.service") : ""),
    };
  };
  const folder = `${await emptyFolder()} of $me`;
  const plain = await written(folder);
  const base = ["exporter", "prometheus", "alertmanager", "grafana"];
  expect(plain.services).toEqual(base);
  expect(plain.jobs).toEqual(["avax-exporter", "avalanchego"]);
  expect(plain.units.toSorted()).toEqual(base.toSorted());
  expect(plain.hasBoard).toBe(false);
  // Compose reads `$$` as one dollar sign.
  expect(plain.command?.replaceAll("$$", "$")).toBe(
    `docker compose --file '${folder}/compose.yaml' exec exporter /nodejs/bin/node avax-exporter.mjs`,
  );
  expect(plain.texts).not.toContain("AVAX_EXPORTER_COMMAND");

  const full = await written(`${await emptyFolder()}/full`, "--node-exporter");
  expect(full.services).toEqual([...base, "node-exporter"]);
  expect(full.jobs).toEqual(["avax-exporter", "avalanchego", "node-exporter"]);
  expect(full.units).toContain("node-exporter");
  expect(full.hasBoard).toBe(true);
  expect(full.texts).toContain(
    "ExecStart=/usr/bin/prometheus-node-exporter --web.listen-address=127.0.0.1:9100 --collector.disable-defaults ",
  );
  expect(full.texts).not.toMatch(/--path\.rootfs|node-exporter"?$/m);
});

it("every service of the stack has a health check, rotated logs and an image that is not pulled by a moving name", () => {
  type Service = Readonly<Record<"image" | "healthcheck" | "logging" | "pull_policy", unknown>>;
  const compose = parse(readFileSync("deploy/stack/compose.yaml", "utf8"), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>;
  };
  for (const [name, { healthcheck, logging, image, pull_policy }] of Object.entries(compose.services)) {
    // The image of the exporter has its own, and comes from a clone.
    if (name === "exporter") expect([image, pull_policy]).toEqual(["avax-exporter", "never"]);
    else expect(healthcheck).toBeDefined();
    expect(logging).toEqual({ driver: "json-file", options: { "max-size": "10m", "max-file": "3" } });
  }
  expect(readFileSync("Dockerfile", "utf8")).toMatch(/^HEALTHCHECK /m);
});

it("a node that does not answer is named, and is left out only on demand", async () => {
  const simulation = await simulate({ nodes: 1, tidy: true });
  afterThisTest.add(() => simulation.close());
  const dead = `http://127.0.0.1:${await freePort()}`;
  const args = ["init", `--output=${await emptyFolder()}`, simulation.nodes[0]?.url ?? "", dead];
  const first = answering();
  expect(await execute(args, first.system)).toBe(1);
  expect(first.written.err).toContain(`avax-exporter init: ${dead}: no answer, so nothing was written\n`);
  const second = answering();
  expect(await execute([...args, "--allow-down"], second.system)).toBe(0);
});

it("the compose file is valid by its specification, and every unit has its command", () => {
  const text = readFileSync("deploy/stack/compose.yaml", "utf8");
  const compose = parse(text, { merge: true }) as {
    readonly services: Readonly<Record<string, { readonly image: string; readonly command?: readonly string[] }>>;
  };
  // https://github.com/compose-spec/compose-spec (Apache 2.0); Zod finds its definitions as those of draft 7.
  const schema = JSON.parse(readFileSync("test/deploy/compose-spec.json", "utf8")) as object;
  const specification = fromJSONSchema({ ...schema, $schema: "http://json-schema.org/draft-07/schema#" });
  expect(specification.safeParse(compose).error).toBeUndefined();
  expect(specification.safeParse({ services: { a: { imag: "x" } } }).success).toBe(false);
  for (const [name, { image }] of Object.entries(compose.services))
    if (name !== "exporter") expect(image).toMatch(/:v?[\d.]+@sha256:[0-9a-f]{64}$/);

  const units = unitsOf(text, { folder: "/srv/my stack", ...OWNER });
  const commands = Object.values(units).map((unit) => /^ExecStart=(.*)$/m.exec(unit)?.[1] ?? "");
  expect(commands[2]).toBe(
    '/usr/bin/prometheus-alertmanager "--config.file=/srv/my stack/alertmanager/alertmanager.yml" "--storage.path=/srv/my stack/data/alertmanager" --data.retention=192h --web.external-url=http://127.0.0.1:9093 --web.listen-address=127.0.0.1:9093 --cluster.listen-address=',
  );
  expect(units["avax-grafana.service"]).toContain('Environment="AVAX_STACK=/srv/my stack"\n');
});

it("Alertmanager remembers what it sent for longer than its longest repeat", () => {
  const repeats = Object.values(POLICY).map(({ repeat }) => parseDuration(repeat) ?? Infinity);
  expect(parseDuration(RETENTION)).toBeGreaterThan(Math.max(...repeats));
  expect(readFileSync("deploy/stack/compose.yaml", "utf8")).toContain(`--data.retention=${RETENTION}\n`);
});
