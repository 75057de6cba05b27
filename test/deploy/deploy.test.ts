import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { RECORDINGS } from "../../src/topics/all/recordings.ts";
import { readArguments } from "../../src/cli/arguments.ts";
import { ownShard } from "../../src/daemon/own-shard.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { nodeSources } from "../../src/config/read/sources.ts";
import { requireTool } from "../e2e/support/tools.ts";
import { unitOfPackage } from "../../scripts/debian.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const at = (path: string) => join(ROOT, path);
const read = (path: string) => readFileSync(at(path), "utf8");

/** Every file below a folder, relative to the root. */
function filesOf(folder: string): readonly string[] {
  return readdirSync(at(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)));
}

const YAML_FILES = [...filesOf("deploy"), ...filesOf("grafana/provisioning")].filter(
  // Helm's templates are not YAML before they are rendered: `npm run test:kube`.
  (path) => /\.ya?ml$|\/Kustomization$/.test(path) && !path.includes("/templates/"),
);

it.each(YAML_FILES)("%s is YAML", (path) => {
  const documents = parseAllDocuments(read(path));
  const complaints = documents.flatMap((document) => ("errors" in document ? [...document.errors] : []));
  expect(complaints).toEqual([]);
  expect(documents.length).toBeGreaterThan(0);
});

type Service = {
  readonly image: string;
  readonly volumes?: readonly string[];
  readonly network_mode?: string;
  readonly command?: readonly string[];
  readonly depends_on?: readonly string[];
};
type Compose = {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
};

describe("compose", () => {
  const { services, volumes } = parse(read("deploy/compose/compose.yaml")) as Compose;
  const mounts = Object.values(services).flatMap((service) => service.volumes ?? []);

  it("has all services", () => {
    expect(Object.keys(services).sort()).toEqual([
      "alertmanager",
      "avax-exporter",
      "grafana",
      "prometheus",
      "simulator",
    ]);
  });

  it.each(mounts)("mounts %s, which exists", (mount) => {
    const [source = ""] = mount.split(":");
    if (source.startsWith(".")) expect(existsSync(resolve(at("deploy/compose"), source))).toBe(true);
    else expect(Object.keys(volumes)).toContain(source);
  });

  it("polls the simulated nodes at their ports", () => {
    expect(services["simulator"]?.network_mode).toBe("service:avax-exporter");
    const command = services["simulator"]?.command ?? [];
    const port = Number(command.find((flag) => flag.startsWith("--port="))?.slice("--port=".length));
    const count = Number(command.find((flag) => flag.startsWith("--nodes="))?.slice("--nodes=".length));
    const { nodes } = parse(read("deploy/compose/avax-exporter.yaml")) as { nodes: ReadonlyArray<{ url: string }> };
    expect(nodes.map(({ url }) => url)).toEqual(
      Array.from({ length: count }, (_, i) => `http://127.0.0.1:${port + i}`),
    );
  });

  it("has a valid configuration of the exporter", () => {
    const loaded = loadConfig(at("deploy/compose/avax-exporter.yaml"), [], nodeSources({}));
    expect(loaded.ok ? [] : loaded.problems).toEqual([]);
  });

  it("starts the exporter with valid flags, and its state file is in a volume that the image gives to its user", () => {
    const exporter = services["avax-exporter"];
    const path = "/var/lib/avax-exporter";
    expect(readArguments(exporter?.command ?? [])).toMatchObject({ flags: { "storage.path": path } });
    expect(exporter?.volumes).toContain(`avax-exporter:${path}`);
    const image = read("Dockerfile");
    expect(image).toContain(`install -d -m 700 dist/state/${basename(path)}\n`);
    expect(image).toContain(`COPY --from=build --chown=1000:1000 /src/dist/state/ ${dirname(path)}/\n`);
  });

  it("refers only to its own services", () => {
    const addressed = [
      ...read("deploy/prometheus/prometheus.yml").matchAll(/^[^#\n]*targets: \["([\w-]+):/gm),
      ...read("grafana/provisioning/datasources/prometheus.yaml").matchAll(/url: http:\/\/([\w-]+):/g),
    ].map(([, name]) => name);
    expect(addressed.sort()).toEqual(["alertmanager", "avax-exporter", "prometheus"]);
    for (const name of addressed) expect(Object.keys(services)).toContain(name);
  });

  it("mounts the dashboards at Grafana's path", () => {
    const provider = parse(read("grafana/provisioning/dashboards/avalanche.yaml")) as {
      providers: ReadonlyArray<{ options: { path: string } }>;
    };
    const targets = (services["grafana"]?.volumes ?? []).map((mount) => mount.split(":")[1]);
    for (const { options } of provider.providers) expect(targets).toContain(options.path);
  });
});

it("promtool accepts the configuration of Prometheus with its rules", () => {
  const folder = mkdtempSync(join(tmpdir(), "avax-deploy-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(at("deploy/prometheus/prometheus.yml"), join(folder, "prometheus.yml"));
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
const resourcesIn = (files: readonly string[]) =>
  files.flatMap((path) => parseAllDocuments(read(path)).map((document) => document.toJS() as Resource));

/** The files of a folder, without those in subfolders, as kubectl applies them. */
const kubernetesFiles = (folder: string) =>
  filesOf(folder).filter((path) => dirname(path) === folder && /\.ya?ml$/.test(path));

/** Bytes of all annotations of an object; a client-side apply adds the whole object as one. */
const CLIENT_SIDE_LIMIT = 262_144;

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
  const resources = resourcesIn(kubernetesFiles("deploy/kubernetes"));
  const ofKind = (kind: string) => resources.filter((resource) => resource.kind === kind);

  it("has each resource once", () => {
    const names = resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(resources.map(({ kind }) => kind))).toEqual(
      new Set(["ConfigMap", "Deployment", "PrometheusRule", "Service", "ServiceAccount", "ServiceMonitor"]),
    );
  });

  it("has the same rules as Prometheus elsewhere", () => {
    const { groups } = parse(read("grafana/alerts/rules.yaml")) as { groups: unknown };
    expect(ofKind("PrometheusRule").map(({ spec }) => spec)).toEqual([{ groups }]);
  });

  it("fits the annotation of a client-side apply", () => {
    for (const resource of resources)
      expect(JSON.stringify(resource).length, resource.metadata.name).toBeLessThan(CLIENT_SIDE_LIMIT);
  });

  it("runs restricted", () => {
    expect(ofKind("Deployment")).toMatchObject([{ spec: { template: { spec: RESTRICTED } } }]);
  });
});

describe("the kustomizations", () => {
  type Kustomization = {
    readonly resources: readonly string[];
    readonly configMapGenerator: ReadonlyArray<{ readonly name: string; readonly files: readonly string[] }>;
  };
  it.each(["deploy/kubernetes", "deploy/kubernetes/sharded"])(
    "of %s has every manifest, and generates the ConfigMap of the others",
    (folder) => {
      const { resources, configMapGenerator } = parse(read(`${folder}/Kustomization`)) as Kustomization;
      const manifests = kubernetesFiles(folder).map((path) => relative(folder, path));
      expect(["configmap.yaml", ...resources].toSorted()).toEqual(manifests.toSorted());
      expect(configMapGenerator).toMatchObject([{ name: "avax-exporter", files: ["config/config.yaml"] }]);
      const [{ data } = {}] = resourcesIn([`${folder}/configmap.yaml`]);
      expect(data?.["config.yaml"]).toBe(read(`${folder}/config/config.yaml`));
    },
  );

  it.each(["deploy/kubernetes/config/config.yaml", "deploy/kustomize/config.yaml"])("use a valid %s", (path) => {
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

  it("is on the claim of the document, by patches of lists that the Deployment has", () => {
    const patches = parse(patch) as readonly Patch[];
    const deployment = resourcesIn(["deploy/kubernetes/exporter.yaml"]).find(({ kind }) => kind === "Deployment");
    for (const { op, path } of patches) {
      expect([op, path.endsWith("/-")]).toEqual(["add", true]);
      const list = path
        .split("/")
        .slice(1, -1)
        .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], deployment);
      expect(Array.isArray(list)).toBe(true);
    }
    const [flag, mount, volume] = patches.map(({ value }) => value);
    expect(readArguments([String(flag)])).toMatchObject({ flags: { "storage.path": "/var/lib/avax-exporter" } });
    expect(mount).toEqual({ name: "state", mountPath: "/var/lib/avax-exporter" });
    expect(volume).toEqual({ name: "state", persistentVolumeClaim: { claimName: "avax-exporter" } });
    expect(claim).toMatchObject({ kind: "PersistentVolumeClaim", metadata: { name: "avax-exporter" } });
  });
});

describe("kubernetes with several exporters", () => {
  const resources = resourcesIn(kubernetesFiles("deploy/kubernetes/sharded"));
  type Pods = {
    readonly replicas: number;
    readonly serviceName: string;
    readonly template: { readonly spec: { readonly containers: ReadonlyArray<{ readonly args: readonly string[] }> } };
  };
  const podsOf = (all: readonly Resource[], kind: string) =>
    all.filter((resource) => resource.kind === kind).map(({ spec }) => spec as Pods)[0];
  const set = podsOf(resources, "StatefulSet");
  const args = set?.template.spec.containers[0]?.args ?? [];

  it("replaces the resources of the single exporter, with the same names", () => {
    expect(resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      "ConfigMap avax-exporter",
      "ServiceAccount avax-exporter",
      "Service avax-exporter",
      "StatefulSet avax-exporter",
      "ServiceMonitor avax-exporter",
    ]);
  });

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
    const one = podsOf(resourcesIn(["deploy/kubernetes/exporter.yaml"]), "Deployment");
    const without = (pods: Pods | undefined) => ({
      ...pods?.template.spec,
      containers: pods?.template.spec.containers.map((container) => ({ ...container, args: [] })),
    });
    expect(without(set)).toEqual(without(one));
    expect(set).toMatchObject({ template: { spec: RESTRICTED } });
  });

  it("has a valid configuration of a shard", () => {
    const text = resources[0]?.data?.["config.yaml"] ?? "";
    const loaded = loadConfig("config.yaml", [], { ...nodeSources({}), readFile: () => text }, { sharded: true });
    expect(loaded.ok ? loaded.loaded.warnings : loaded.problems).toEqual([]);
  });

  it("uses the pod's name as the label instance", () => {
    expect(resources.at(-1)?.spec).toMatchObject({
      endpoints: [{ relabelings: [{ sourceLabels: ["__meta_kubernetes_pod_name"], targetLabel: "instance" }] }],
    });
  });
});

test.each(["deploy/kubernetes", "deploy/kubernetes/sharded"])(
  "the monitor in %s keeps the exporter's labels",
  (folder) => {
    const monitors = resourcesIn(kubernetesFiles(folder)).filter(({ kind }) => kind.endsWith("Monitor"));
    expect(monitors.map(({ spec }) => spec)).toMatchObject([{ endpoints: [{ port: "metrics", honorLabels: true }] }]);
  },
);

describe("the systemd unit", () => {
  const unit = read("deploy/systemd/avax-exporter.service");

  it.each(["DynamicUser=yes", "ProtectSystem=strict", "NoNewPrivileges=yes", "CapabilityBoundingSet=", "UMask=0077"])(
    "has %s",
    (line) => {
      expect(unit.split("\n")).toContain(line);
    },
  );

  it("starts with valid flags, and its state file is in the directory that systemd creates", () => {
    const args = /^ExecStart=.*avax-exporter\.mjs (.*)$/m.exec(unit)?.[1]?.split(" ") ?? [];
    expect(readArguments(args)).toMatchObject({ flags: { "storage.path": "/var/lib/avax-exporter" } });
    expect(unit.split("\n")).toContain("StateDirectory=avax-exporter");
  });

  it("keeps the compiled program in the directory that systemd creates", () => {
    expect(unit.split("\n")).toEqual(
      expect.arrayContaining(["CacheDirectory=avax-exporter", "CacheDirectoryMode=0700"]),
    );
    expect(unit.split("\n")).toContain("Environment=NODE_COMPILE_CACHE=/var/cache/avax-exporter");
  });

  it("reloads with SIGHUP", () => {
    expect(unit).toContain("ExecReload=/bin/kill -HUP $MAINPID");
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
  const socket = read("deploy/systemd/avax-exporter.socket").split("\n");

  it("has one address and one process for all connections", () => {
    expect(socket.filter((line) => line.startsWith("ListenStream="))).toEqual(["ListenStream=127.0.0.1:9750"]);
    expect(socket).toContain("Accept=no");
    expect(socket).toContain("WantedBy=sockets.target");
  });

  it("is used by the command of the unit with one flag more", () => {
    const unit = read("deploy/systemd/avax-exporter.service");
    const [command = ""] = /^ExecStart=.*$/m.exec(unit) ?? [];
    expect(read("deploy/README.md").split("\n")).toContain(`${command} --web.systemd-socket`);
    const args = command.slice(command.indexOf(".mjs ") + 5).split(" ");
    expect(readArguments([...args, "--web.systemd-socket"])).toMatchObject({ flags: { "web.systemd-socket": true } });
  });
});

it("every start command sets the same limits of V8", () => {
  const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> };
  const [container = ""] = /^ENTRYPOINT (.*)$/m.exec(read("Dockerfile"))?.slice(1) ?? [];
  const starts = {
    start: scripts["start"] ?? "",
    demo: scripts["demo"] ?? "",
    container: (JSON.parse(container) as readonly string[]).join(" "),
    unit: /^ExecStart=(.*)$/m.exec(read("deploy/systemd/avax-exporter.service"))?.[1] ?? "",
    readme: /`(node --[^`]*)`/.exec(read("README.md"))?.[1] ?? "",
  };
  for (const [way, command] of Object.entries(starts)) {
    const [program = ""] = /\S*avax-exporter\.mjs/.exec(command) ?? [];
    const limits = command
      .slice(0, command.indexOf(program))
      .split(" ")
      .filter((word) => word.startsWith("--"));
    expect([way, limits]).toEqual([way, ["--max-semi-space-size=8", "--v8-pool-size=2", "--heap-growing-percent=50"]]);
  }
});

it("every form sets the same variables of the C library", () => {
  const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> };
  const forms = {
    start: scripts["start"] ?? "",
    demo: scripts["demo"] ?? "",
    image: /^ENV .*$/m.exec(read("Dockerfile"))?.[0] ?? "",
    unit: /^Environment=(.*)$/m.exec(read("deploy/systemd/avax-exporter.service"))?.[1] ?? "",
    package: /^Environment=(MALLOC.*)$/m.exec(unitOfPackage())?.[1] ?? "",
    readme: /`(MALLOC_[^`]*)`/.exec(read("README.md"))?.[1] ?? "",
  };
  for (const [form, text] of Object.entries(forms)) {
    const variables = text.split(" ").filter((word) => word.startsWith("MALLOC_"));
    expect([form, variables]).toEqual([
      form,
      ["MALLOC_ARENA_MAX=1", "MALLOC_MMAP_THRESHOLD_=131072", "MALLOC_TRIM_THRESHOLD_=131072"],
    ]);
  }
});
