import { mkdtempSync } from "node:fs";
import { appendFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { hashSync } from "bcryptjs";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { parseAllDocuments } from "yaml";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { RECORDINGS } from "../../src/topics/all/recordings.ts";
import { readArguments } from "../../src/cli/read-arguments.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { nodeSources } from "../../src/config/read/sources.ts";
import { writeDeploy } from "../../scripts/build-deploy.ts";
import { startDaemon } from "../e2e/support/daemon.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";
import { requireTool } from "../e2e/support/tools.ts";
import { createCleanup } from "../support/create-cleanup.ts";
import { CHART_VALUES, REJECTED_VALUES } from "./support/chart-values.ts";
import { startCluster, type Cluster } from "./support/cluster.ts";
import {
  podOf,
  type KubeObject,
  type Projected,
  type Selecting,
  type Selector,
  type Workload,
} from "./support/kube-objects.ts";
import { provideKubeTools } from "./support/kube-tools.ts";
import { runProgram } from "./support/run-program.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** The chart and the manifests as `npm run build:deploy` writes them. */
const BUILT = mkdtempSync(join(tmpdir(), "avax-deploy-"));
const CHART = join(BUILT, "helm/avax-exporter");
/** Of the annotations of an object together. A client-side apply adds the whole object as one. */
const MOST_ANNOTATIONS = 262_144;
const MOST_BUILD = 3_600_000;

vi.setConfig({ testTimeout: 120_000 });

const NODE = { name: "my-validator", url: "http://10.0.0.1:9650", network: "mainnet" };

const afterAllTests = createCleanup();
afterAll(afterAllTests.run);
const afterThisTest = createCleanup();
afterEach(afterThisTest.run);

let folder = "";
let cluster: Cluster;

beforeAll(async () => {
  writeDeploy(BUILT);
  afterAllTests.add(async () => rm(BUILT, { recursive: true }));
  const tools = await provideKubeTools((line) => void process.stderr.write(`${line}\n`));
  const made = await temporaryFolder();
  afterAllTests.add(made.remove);
  folder = made.path;
  cluster = await startCluster(tools, folder);
  afterAllTests.add(cluster.stop);
  for (const kind of ["servicemonitors", "prometheusrules", "scrapeconfigs"]) {
    const file = join(tools.crds, `monitoring.coreos.com_${kind}.yaml`);
    await cluster.ask("kubectl", ["create", "-f", file]);
    await cluster.ask("kubectl", ["wait", "--for=condition=established", "--timeout=60s", "-f", file]);
  }
}, MOST_BUILD);

const count = { namespaces: 0 };

/** A new namespace that admits only pods of the restricted profile. */
async function restrictedNamespace(): Promise<string> {
  count.namespaces += 1;
  const name = `restricted-${count.namespaces}`;
  const labels = {
    "pod-security.kubernetes.io/enforce": "restricted",
    "pod-security.kubernetes.io/warn": "restricted",
  };
  await create({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } });
  return name;
}

const create = (object: unknown, ...flags: readonly string[]) =>
  cluster.ask("kubectl", ["create", ...flags, "-f", "-"], JSON.stringify(object));

async function listed(namespace: string, kinds: string): Promise<readonly KubeObject[]> {
  const text = await cluster.ask("kubectl", ["get", kinds, "-n", namespace, "-o=json"]);
  return (JSON.parse(text) as { items: readonly KubeObject[] }).items;
}

/** Creates a pod of each workload of a namespace, as its controller would, and returns the workloads. */
async function admittedPods(namespace: string): Promise<readonly Workload[]> {
  const workloads = (await listed(namespace, "deployments,statefulsets")) as readonly Workload[];
  for (const workload of workloads)
    await create(podOf(workload, `${workload.metadata.name}-0`), `-n=${namespace}`, "--warnings-as-errors");
  return workloads;
}

/** A values file in the temporary folder. */
async function valuesFile(values: unknown): Promise<string> {
  const file = join(folder, `values-${count.namespaces}.yaml`);
  await writeFile(file, JSON.stringify(values));
  return file;
}

/** The YAML of deploy/README.md: values of the chart, a claim, and the patches of a kustomization. */
async function yamlOfTheDocument(): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, "deploy/README.md"), "utf8");
  return [...text.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block);
}

test("the namespaces of these tests refuse a pod that is not restricted", async () => {
  const namespace = await restrictedNamespace();
  await cluster.ask("kubectl", ["create", "serviceaccount", "default", `-n=${namespace}`]);
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a" },
    spec: { containers: [{ name: "a", image: "a" }] },
  };
  const { status, stderr } = await cluster.kubectl(["create", "-n", namespace, "-f", "-"], JSON.stringify(pod));
  expect([status, stderr]).toEqual([1, expect.stringContaining('violates PodSecurity "restricted:latest"')]);
});

test("the API server refuses a misspelled field", async () => {
  const service = { apiVersion: "v1", kind: "Service", metadata: { name: "a" }, spec: { prots: [] } };
  const { status, stderr } = await cluster.kubectl(["create", "-f", "-"], JSON.stringify(service));
  expect([status, stderr]).toEqual([1, expect.stringContaining('unknown field "spec.prots"')]);
});

describe("the chart", () => {
  test("is accepted by helm lint, with and without values", async () => {
    await cluster.ask("helm", ["lint", "--strict", CHART]);
    for (const values of Object.values(CHART_VALUES))
      await cluster.ask("helm", ["lint", "--strict", CHART, "--values", await valuesFile(values)]);
  });

  test.each(REJECTED_VALUES)("rejects %j", async (values, words) => {
    const { status, stderr } = await cluster.helm(["template", "a", CHART, "--values", await valuesFile(values)]);
    expect([status, stderr]).toEqual([1, expect.stringContaining(words)]);
  });

  test.each(Object.entries(CHART_VALUES))("installs %s, and its pods are admitted", async (_, values) => {
    const namespace = await restrictedNamespace();
    const file = await valuesFile(values);
    const rendered = await cluster.ask("helm", ["template", "avax", CHART, "--namespace", namespace, "--values", file]);
    const strict = ["--dry-run=server", "--validate=strict", "--warnings-as-errors", "-f", "-"];
    await cluster.ask("kubectl", ["apply", "-n", namespace, ...strict], rendered);
    await cluster.ask("helm", ["install", "avax", CHART, "--namespace", namespace, "--values", file]);
    if ((values["serviceAccount"] as { create?: boolean } | undefined)?.create === false)
      await cluster.ask("kubectl", ["create", "serviceaccount", "default", `-n=${namespace}`]);
    const workloads = await admittedPods(namespace);
    expect(workloads.map(({ kind }) => kind)).toEqual([values["shards"] === 3 ? "StatefulSet" : "Deployment"]);
    for (const { spec } of workloads)
      expect(readArguments(spec.template.spec.containers[0]?.args ?? [])).not.toHaveProperty("problem");
    const [config] = (await listed(namespace, "configmaps")).filter(({ data = {} }) => "config.yaml" in data);
    const text = config?.data?.["config.yaml"] ?? "";
    const sources = {
      ...nodeSources({}),
      readFile: (path: string) => (path.endsWith("config.yaml") ? text : "secret"),
    };
    const loaded = loadConfig("/etc/config.yaml", [], sources, { sharded: "shards" in values });
    expect(loaded.ok ? loaded.loaded.warnings : loaded.problems).toEqual([]);
  });

  test("installs with the values of the document", async () => {
    const namespace = await restrictedNamespace();
    const [values = ""] = await yamlOfTheDocument();
    const file = join(folder, "mine.yaml");
    await writeFile(file, values);
    await cluster.ask("helm", ["install", "avax-exporter", CHART, "--namespace", namespace, "--values", file]);
    const [workload] = await admittedPods(namespace);
    expect(workload?.spec.template.spec.containers[0]).toMatchObject({
      image: "registry.example.org/avax-exporter:0.1.0",
    });
  });

  test.each(["everything", "everything, three shards"])(
    "selects its own pods and no Service twice: %s",
    async (name) => {
      const namespace = await restrictedNamespace();
      const file = await valuesFile(CHART_VALUES[name]);
      await cluster.ask("helm", ["install", "avax", CHART, "--namespace", namespace, "--values", file]);
      const [workload] = await admittedPods(namespace);
      const pod = workload?.spec.template.metadata.labels ?? {};
      const selecting = (await listed(
        namespace,
        "services,networkpolicies,poddisruptionbudgets",
      )) as readonly Selecting[];
      expect(selecting.map(({ kind }) => kind).toSorted()).toEqual([
        "NetworkPolicy",
        "PodDisruptionBudget",
        ...(name === "everything" ? ["Service"] : ["Service", "Service"]),
      ]);
      for (const { spec, kind } of selecting) {
        const labels = spec.podSelector?.matchLabels ?? (spec.selector as Selector).matchLabels ?? spec.selector;
        expect(Object.keys(labels ?? {})).toHaveLength(2);
        expect(pod, kind).toMatchObject(labels ?? {});
      }
      const [monitor] = (await listed(namespace, "servicemonitors")) as readonly Selecting[];
      const services = selecting.filter(({ kind }) => kind === "Service");
      const wanted = Object.entries((monitor?.spec.selector as Selector).matchLabels ?? { none: "" });
      const scraped = services.filter(({ metadata: { labels = {} } }) =>
        wanted.every(([label, value]) => labels[label] === value),
      );
      expect(scraped.map(({ metadata }) => metadata.name)).toEqual(["everything"]);
      // What the pods mount is there, besides what the user has made.
      const made = (await listed(namespace, "configmaps,secrets")).map(
        ({ kind, metadata }) => `${kind} ${metadata.name}`,
      );
      const config = workload?.spec.template.spec.volumes[0] as Projected;
      const mounted = config.projected.sources.flatMap(({ configMap, secret }) => [
        ...(configMap === undefined ? [] : [`ConfigMap ${configMap.name}`]),
        ...(secret === undefined ? [] : [`Secret ${secret.name}`]),
      ]);
      expect(mounted).toEqual(["Secret more-files", "Secret everything", "ConfigMap everything"]);
      expect(mounted.filter((each) => !made.includes(each))).toEqual(["Secret more-files"]);
    },
  );

  test("has the rules that promtool accepts, as they are shipped", async () => {
    const namespace = await restrictedNamespace();
    const set = ["--set=prometheusRule.enabled=true,fullnameOverride=avax", "--set-string=configFile=nodes: []"];
    await cluster.ask("helm", ["install", "avax", CHART, "--namespace", namespace, ...set]);
    const [{ spec } = { spec: undefined }] = (await listed(namespace, "prometheusrules")) as ReadonlyArray<
      KubeObject & { spec: unknown }
    >;
    await writeFile(join(folder, "rules.yaml"), JSON.stringify(spec));
    const checked = await runProgram(requireTool("promtool"), ["check", "rules", "rules.yaml"], { cwd: folder });
    expect([checked.status, checked.stdout]).toEqual([
      0,
      expect.stringContaining(`SUCCESS: ${ALERTS.length + RECORDINGS.length} rules found`),
    ]);
  });

  test("changes between one pod and several, and leaves nothing behind", async () => {
    const namespace = await restrictedNamespace();
    const file = await valuesFile(CHART_VALUES["smallest"]);
    const helm = (command: string, ...set: readonly string[]) =>
      cluster.ask("helm", [command, "avax", CHART, "--namespace", namespace, "--values", file, ...set]);
    const kinds = async () => (await listed(namespace, "deployments,statefulsets")).map(({ kind }) => kind);
    await helm("install");
    expect(await kinds()).toEqual(["Deployment"]);
    await helm("upgrade", "--set=shards=3");
    expect(await kinds()).toEqual(["StatefulSet"]);
    await helm("upgrade", "--set=shards=1");
    expect(await kinds()).toEqual(["Deployment"]);
    await cluster.ask("helm", ["uninstall", "avax", "--namespace", namespace]);
    expect(await listed(namespace, "all,configmaps,secrets,serviceaccounts,networkpolicies")).toEqual([]);
  });

  test("restarts the pods when the configuration or a secret changes, and not otherwise", async () => {
    const annotations = async (...set: readonly string[]) => {
      const file = await valuesFile(CHART_VALUES["everything"]);
      const text = await cluster.ask("helm", ["template", "avax", CHART, "--values", file, ...set]);
      const workload = parseAllDocuments(text)
        .map((document) => document.toJS() as Workload)
        .find(({ kind }) => kind === "Deployment");
      return (workload?.spec.template.metadata as { annotations?: Record<string, string> } | undefined)?.annotations;
    };
    const [before, same, config, secret] = [
      await annotations(),
      await annotations("--set=service.port=81"),
      await annotations("--set=config.evm.batch=7"),
      await annotations("--set=secrets.create.token=x"),
    ];
    expect(same).toEqual(before);
    expect(config).toEqual({ ...before, "checksum/config": expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect(config?.["checksum/config"]).not.toBe(before?.["checksum/config"]);
    expect(secret?.["checksum/config"]).toBe(before?.["checksum/config"]);
    expect(secret?.["checksum/secret"]).not.toBe(before?.["checksum/secret"]);
  });

  test("starts the exporter with the arguments and the files of a pod", async () => {
    const file = await valuesFile({
      config: {
        nodes: [{ ...NODE, url: "http://127.0.0.1:1", basic_auth: { username: "a", password_file: "node-password" } }],
      },
      secrets: { create: { "node-password": "secret" } },
      web: { externalUrl: "https://avax.example.org", config: { basic_auth_users: { me: hashSync("right", 4) } } },
      storage: { enabled: true },
      shards: 3,
    });
    const objects = parseAllDocuments(await cluster.ask("helm", ["template", "avax", CHART, "--values", file])).map(
      (document) => document.toJS() as Workload & { readonly stringData?: Readonly<Record<string, string>> },
    );
    const [mounted, state] = [join(folder, "mounted"), join(folder, "state-of-the-pod")];
    for (const each of [mounted, state]) await mkdir(each);
    for (const { data, stringData } of objects)
      for (const [name, text] of Object.entries({ ...stringData, ...data })) await writeFile(join(mounted, name), text);
    const args = objects.find(({ kind }) => kind === "StatefulSet")?.spec.template.spec.containers[0]?.args ?? [];
    const here = args.map((arg) =>
      arg
        .replace("/etc/avax-exporter", mounted)
        .replace("/var/lib/avax-exporter", state)
        // Elsewhere than in the pod the host has another name.
        .replace("--shard.index=auto", "--shard.index=1"),
    );
    const daemon = await startDaemon(here);
    afterThisTest.add(daemon.child.stop);
    const authorization = `Basic ${Buffer.from("me:right").toString("base64")}`;
    const healthy = await fetch(`${daemon.address}/-/healthy`, { headers: { authorization } });
    expect([(await daemon.get("/-/healthy")).status, healthy.status]).toEqual([401, 200]);
  });

  test("is packaged, and installs from a folder that has the package alone", async () => {
    const empty = join(folder, "empty");
    await mkdir(empty);
    await cluster.ask("helm", ["package", CHART, "--destination", empty]);
    const [archive = ""] = await readdir(empty);
    // Helm keeps the chart in the Secret of the release, which can have 1 MiB.
    expect((await stat(join(empty, archive))).size).toBeLessThan(500_000);
    const namespace = await restrictedNamespace();
    const set = "--set=config.nodes[0].name=a,config.nodes[0].url=http://10.0.0.1:9650";
    const on = "--set=serviceMonitor.enabled=true,prometheusRule.enabled=true,dashboards.enabled=true";
    const installed = await cluster.helm(["install", "avax", archive, "-n", namespace, set, on], empty);
    expect([installed.status, installed.stdout]).toEqual([
      0,
      expect.stringContaining(`port-forward service/avax-avax-exporter 9750:9750`),
    ]);
    await admittedPods(namespace);
  });
});

describe("the manifests", () => {
  const FOLDERS = ["kubernetes", "kubernetes/sharded"];
  const ways = FOLDERS.flatMap((path) => [
    ["-f", path],
    ["-k", path],
  ]);

  test.each(ways)("apply by kubectl apply %s %s, twice, and their pods are admitted", async (flag, path) => {
    const namespace = await restrictedNamespace();
    const apply = ["apply", "-n", namespace, "--validate=strict", "--warnings-as-errors", flag, join(BUILT, path)];
    const first = (await cluster.ask("kubectl", apply)).trim().split("\n");
    expect(first.every((line) => line.endsWith(" created"))).toBe(true);
    const again = (await cluster.ask("kubectl", apply)).trim().split("\n");
    expect(again).toEqual(first.map((line) => line.replace(/created$/, "unchanged")));
    expect(await admittedPods(namespace)).toHaveLength(1);
    for (const { metadata } of await listed(namespace, "all,configmaps,prometheusrules,servicemonitors"))
      expect(JSON.stringify(metadata.annotations ?? {}).length, metadata.name).toBeLessThan(MOST_ANNOTATIONS);
  });

  test("apply through the kustomization of a user, with a namespace, an image and a secret", async () => {
    const copy = join(folder, "deploy");
    for (const name of ["kubernetes", "kustomize"]) await cp(join(BUILT, name), join(copy, name), { recursive: true });
    const mine = join(copy, "kustomize");
    await writeFile(join(mine, "node-password"), "secret");
    const generator = "secretGenerator:\n  - { name: avax-exporter, files: [node-password] }\n";
    const kustomization = await cluster.ask("kubectl", ["kustomize", mine]);
    await appendFile(join(mine, "kustomization.yaml"), generator);
    await cluster.ask("kubectl", ["apply", "--validate=strict", "--warnings-as-errors", "-k", mine]);
    const [workload] = await admittedPods("monitoring");
    const volumes = JSON.stringify(workload?.spec.template.spec.volumes);
    const secrets = (await listed("monitoring", "secrets")).map(({ metadata }) => metadata.name);
    expect(secrets).toEqual([expect.stringMatching(/^avax-exporter-[0-9a-z]{10}$/)]);
    for (const name of secrets) expect(volumes).toContain(`"name":"${name}"`);
    expect(kustomization).toContain("image: registry.example.org/avax-exporter:0.1.0");
  });

  test("take the volume of the state file from the patches of the document", async () => {
    const namespace = await restrictedNamespace();
    const mine = join(folder, "state");
    await cp(join(BUILT, "kubernetes"), join(mine, "kubernetes"), { recursive: true });
    const [, claim = "", patches = ""] = await yamlOfTheDocument();
    await writeFile(join(mine, "claim.yaml"), claim);
    await writeFile(join(mine, "kustomization.yaml"), `resources: [kubernetes, claim.yaml]\n${patches}`);
    await cluster.ask("kubectl", ["apply", "-n", namespace, "--validate=strict", "-k", mine]);
    const [workload] = await admittedPods(namespace);
    expect(workload?.spec.template.spec.volumes).toContainEqual({
      name: "state",
      persistentVolumeClaim: { claimName: "avax-exporter" },
    });
  });
});
