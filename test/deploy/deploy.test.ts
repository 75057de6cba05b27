import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { afterAll, describe, expect, it, test } from "vitest";
import { folderWith } from "../support/folders.ts";
import { parse, parseAllDocuments } from "yaml";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { RECORDINGS } from "../../src/topics/all/recordings.ts";
import { readArguments } from "../../src/cli/read-arguments.ts";
import { ownShard } from "../../src/daemon/own-shard.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { nodeSources } from "../../src/config/read/sources.ts";
import { writeDeploy } from "../../scripts/build-deploy.ts";
import { parseDuration } from "../../src/config/base/units.ts";
import { requireTool } from "../e2e/support/tools.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** The manifests as `npm run build:deploy` writes them. */
const BUILT = mkdtempSync(join(tmpdir(), "avax-deploy-"));
afterAll(() => rmSync(BUILT, { recursive: true }));
writeDeploy(BUILT);

const at = (path: string) => join(ROOT, path);
const read = (path: string) => readFileSync(at(path), "utf8");

it("the image has a folder for the state file, which a volume there gets the owner of", () => {
  const path = "/var/lib/avax-exporter";
  expect(read("Dockerfile")).toContain(`install -d -m 700 dist/state/${basename(path)}\n`);
  expect(read("Dockerfile")).toContain(`COPY --from=build --chown=1000:1000 /src/dist/state/ ${dirname(path)}/\n`);
});

it("the stack's Prometheus restores the waiting time of every alert after a restart", () => {
  const [, grace = ""] = /--rules\.alert\.for-grace-period=(\w+)\n/.exec(read("deploy/stack/compose.yaml")) ?? [];
  const waits = ALERTS.map((alert) => parseDuration(alert.for) ?? 0).filter((seconds) => seconds > 0);
  expect(parseDuration(grace)).toBeLessThanOrEqual(Math.min(...waits));
  for (const document of ["docs/alerts.md", "deploy/README.md"])
    expect(read(document)).toContain(`--rules.alert.for-grace-period=${grace}`);
});

it("promtool accepts the configuration of Prometheus with its rules", () => {
  const folder = folderWith();
  cpSync(at("deploy/stack/prometheus.yml"), join(folder, "prometheus.yml"));
  cpSync(at("grafana/alerts/rules.yaml"), join(folder, "rules.yaml"));
  const { status, stdout, stderr } = spawnSync(requireTool("promtool"), ["check", "config", "prometheus.yml"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain(`${ALERTS.length + RECORDINGS.length} rules found`);
});

type Resource = {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: unknown;
  readonly data?: Readonly<Record<string, string>>;
};
/** What a folder of manifests has, without subfolders, as kubectl applies it. */
const resourcesIn = (folder: string) =>
  globSync("*.yaml", { cwd: join(BUILT, folder) }).flatMap((name) =>
    parseAllDocuments(readFileSync(join(BUILT, folder, name), "utf8")).map((document) => document.toJS() as Resource),
  );

const RESTRICTED = {
  automountServiceAccountToken: false,
  securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
  containers: [
    {
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      },
      livenessProbe: { httpGet: { path: "/-/healthy" } },
      readinessProbe: { httpGet: { path: "/-/ready" } },
    },
  ],
};

describe("kubernetes", () => {
  const resources = resourcesIn("kubernetes");

  it("runs restricted", () => {
    const pods = resources.filter(({ kind }) => kind === "Deployment");
    expect(pods).toMatchObject([{ spec: { template: { spec: RESTRICTED } } }]);
  });

  it.each(["kubernetes", "kubernetes/sharded"])("has every manifest of %s in its kustomization", (folder) => {
    const { resources: listed } = parse(readFileSync(join(BUILT, folder, "Kustomization"), "utf8")) as {
      readonly resources: readonly string[];
    };
    expect(["configmap.yaml", ...listed].toSorted()).toEqual(
      globSync("*.yaml", { cwd: join(BUILT, folder) }).toSorted(),
    );
    const [{ data } = {}] = resourcesIn(folder).filter(({ metadata }) => metadata.name === "avax-exporter");
    expect(data?.["config.yaml"]).toBe(readFileSync(join(BUILT, folder, "config/config.yaml"), "utf8"));
  });

  it.each(["deploy/kubernetes/config/config.yaml", "deploy/kustomize/config.yaml"])("has a valid %s", (path) => {
    const loaded = loadConfig(at(path), [], nodeSources({}));
    expect(loaded.ok ? loaded.loaded.warnings : loaded.problems).toEqual([]);
  });
});

describe("the state file on Kubernetes", () => {
  type Patch = { readonly op: string; readonly path: string; readonly value: unknown };
  const [, claim, kustomization] = [...read("deploy/README.md").matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(
    ([, block = ""]) => parse(block) as Record<string, unknown>,
  );
  const [{ patch = "" } = {}] = (kustomization?.["patches"] ?? []) as ReadonlyArray<{ patch?: string }>;

  type Pod = { readonly volumes: readonly unknown[]; readonly containers: ReadonlyArray<Record<string, unknown>> };
  const podOf = (folder: string): Pod => {
    const { spec } = resourcesIn(folder).find(({ kind }) => ["Deployment", "StatefulSet"].includes(kind)) ?? {};
    return (spec as { readonly template: { readonly spec: Pod } }).template.spec;
  };

  it.each(["kubernetes", "kubernetes/sharded"])("outlives the container in %s", (folder) => {
    const { volumes, containers } = podOf(folder);
    expect(volumes[1]).toEqual({ name: "state", emptyDir: { sizeLimit: "64Mi" } });
    const [{ args, volumeMounts } = {}] = containers;
    expect(volumeMounts).toContainEqual({ name: "state", mountPath: "/var/lib/avax-exporter" });
    expect(readArguments(args as readonly string[])).toMatchObject({
      flags: { "storage.path": "/var/lib/avax-exporter" },
    });
  });

  it("is on the claim of the document, by a patch of the volume that the Deployment has", () => {
    expect(parse(patch) as readonly Patch[]).toEqual([
      {
        op: "replace",
        path: "/spec/template/spec/volumes/1",
        value: { name: "state", persistentVolumeClaim: { claimName: "avax-exporter" } },
      },
    ]);
    expect(claim).toMatchObject({ kind: "PersistentVolumeClaim", metadata: { name: "avax-exporter" } });
  });
});

describe("kubernetes with several exporters", () => {
  const resources = resourcesIn("kubernetes/sharded");
  type Pods = {
    readonly replicas: number;
    readonly serviceName: string;
    readonly template: { readonly spec: { readonly containers: ReadonlyArray<{ readonly args: readonly string[] }> } };
  };
  const podsOf = (all: readonly Resource[], kind: string) =>
    all.filter((resource) => resource.kind === kind).map(({ spec }) => spec as Pods)[0];
  const set = podsOf(resources, "StatefulSet");
  const args = set?.template.spec.containers[0]?.args ?? [];

  it("has as many pods as there are shards", () => {
    expect(args).toContain(`--shard.total=${set?.replicas ?? 0}`);
  });

  it("starts pods that derive their shard from the hostname", () => {
    const call = readArguments(args);
    const shards = Array.from({ length: set?.replicas ?? 0 }, (_, ordinal) =>
      "flags" in call ? ownShard(call.flags, { hostname: `avax-exporter-${ordinal}` }) : call,
    );
    expect(shards).toEqual([0, 1, 2].map((index) => ({ index, total: 3 })));
  });

  it("runs the pods of the single exporter with other flags", () => {
    const one = podsOf(resourcesIn("kubernetes"), "Deployment");
    const without = (pods: Pods | undefined) => ({
      ...pods?.template.spec,
      containers: pods?.template.spec.containers.map((container) => ({ ...container, args: [] })),
    });
    expect(without(set)).toEqual(without(one));
    expect(set).toMatchObject({ template: { spec: RESTRICTED } });
  });

  it("has a valid configuration of a shard", () => {
    const text = resources.find(({ kind }) => kind === "ConfigMap")?.data?.["config.yaml"] ?? "";
    const loaded = loadConfig("config.yaml", [], { ...nodeSources({}), readFile: () => text }, { sharded: true });
    expect(loaded.ok ? loaded.loaded.warnings : loaded.problems).toEqual([]);
  });

  it("uses the pod's name as the label instance", () => {
    expect(resources.find(({ kind }) => kind === "ServiceMonitor")?.spec).toMatchObject({
      endpoints: [{ relabelings: [{ sourceLabels: ["__meta_kubernetes_pod_name"], targetLabel: "instance" }] }],
    });
  });
});

test.each(["kubernetes", "kubernetes/sharded"])("the monitor in %s keeps the exporter's labels", (folder) => {
  const monitors = resourcesIn(folder).filter(({ kind }) => kind.endsWith("Monitor"));
  expect(monitors.map(({ spec }) => spec)).toMatchObject([{ endpoints: [{ port: "metrics", honorLabels: true }] }]);
});

describe("the systemd unit", () => {
  const unit = read("deploy/systemd/avax-exporter.service");

  it("starts with valid flags, and its state file is in the directory that systemd creates", () => {
    const args = /^ExecStart=.*avax-exporter\.mjs (.*)$/m.exec(unit)?.[1]?.split(" ") ?? [];
    expect(readArguments(args)).toMatchObject({ flags: { "storage.path": "/var/lib/avax-exporter" } });
    expect(unit.split("\n")).toContain("StateDirectory=avax-exporter");
  });

  it.each(["ExecStartPre", "ExecReload"])("checks the same configuration in %s", (setting) => {
    const commands = [...unit.matchAll(/^(\w+)=.*avax-exporter\.mjs (.*)$/gm)].map(([, name, args = ""]) => ({
      name,
      call: readArguments(args.split(" ")),
    }));
    const run = commands.find(({ name }) => name === "ExecStart")?.call;
    const file = run !== undefined && !("problem" in run) ? run.flags["config.file"] : undefined;
    expect(file).toBeDefined();
    const check = { command: "check-config", flags: { "config.file": file } };
    expect(commands.filter(({ name }) => name === setting).map(({ call }) => call)).toMatchObject([check]);
  });
});

describe("the systemd socket", () => {
  it("is used by the command of the unit with one flag more", () => {
    const unit = read("deploy/systemd/avax-exporter.service");
    const [command = ""] = /^ExecStart=.*$/m.exec(unit) ?? [];
    expect(read("deploy/README.md").split("\n")).toContain(`${command} --web.systemd-socket`);
    const args = command.slice(command.indexOf(".mjs ") + 5).split(" ");
    expect(readArguments([...args, "--web.systemd-socket"])).toMatchObject({ flags: { "web.systemd-socket": true } });
  });
});

it("every start command sets the same flags of V8, and no variable", () => {
  const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> };
  const starts = {
    start: scripts["start"],
    demo: scripts["demo"],
    container: (parse(/^ENTRYPOINT (.*)$/m.exec(read("Dockerfile"))?.[1] ?? "[]") as readonly string[]).join(" "),
    unit: /^ExecStart=(.*)$/m.exec(read("deploy/systemd/avax-exporter.service"))?.[1],
    document: /`(node --[^`]*)`/.exec(read("deploy/README.md"))?.[1],
  };
  for (const [way, command] of Object.entries(starts))
    expect([way, command]).toEqual([
      way,
      expect.stringMatching(
        /^(?:exec )?\S*node --no-parallel-scavenge --max-semi-space-size=8 --heap-growing-percent=50 \S*avax-exporter\.mjs/,
      ) as string,
    ]);
});
