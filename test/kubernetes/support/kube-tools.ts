import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { runProgram } from "./run-program.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
/** Names every module with its version, and go.sum the checksum of each. */
const MODULE = join(ROOT, "tools/kube");
const CACHE = join(ROOT, "node_modules/.cache/kube");
/** The custom resources of the Prometheus operator are files of its module. */
const OPERATOR = "github.com/prometheus-operator/prometheus-operator@v0.85.0";
const CRDS = "example/prometheus-operator-crd";

const PACKAGES = {
  helm: "helm.sh/helm/v3/cmd/helm",
  kubectl: "k8s.io/kubernetes/cmd/kubectl",
  etcd: "go.etcd.io/etcd/server/v3",
  "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
} as const;
type KubeTool = keyof typeof PACKAGES;

/** The paths of the programs, and the folder of the operator's custom resource definitions. */
export type KubeTools = Readonly<Record<KubeTool, string>> & { readonly crds: string };

/**
 * Builds the programs that are not there yet: ten minutes and more on two processors the first time. Throws when Go is missing or a
 * build fails, so that a test without its tools fails.
 * @param say receives a line of progress
 */
export async function provideKubeTools(say: (line: string) => void): Promise<KubeTools> {
  const definition = await readFile(join(MODULE, "go.mod"), "utf8");
  const folder = join(CACHE, createHash("sha256").update(definition).digest("hex").slice(0, 12));
  await mkdir(folder, { recursive: true });
  const provide = (tool: KubeTool) => build(tool, join(folder, tool), linkerFlags(definition), say);
  return {
    helm: await provide("helm"),
    kubectl: await provide("kubectl"),
    etcd: await provide("etcd"),
    "kube-apiserver": await provide("kube-apiserver"),
    crds: await operatorCrds(),
  };
}

async function build(
  tool: KubeTool,
  file: string,
  flagsOfLinker: string,
  say: (line: string) => void,
): Promise<string> {
  if (existsSync(file)) return file;
  const started = performance.now();
  say(`building ${tool} from ${PACKAGES[tool]}`);
  const partial = `${file}.partial`;
  const flags = ["-C", MODULE, "build", "-p=2", "-trimpath", `-ldflags=${flagsOfLinker}`, `-o=${partial}`];
  await go([...flags, PACKAGES[tool]]);
  await rename(partial, file);
  say(`built ${tool} in ${Math.round((performance.now() - started) / 1000)} s`);
  return file;
}

/** A release sets its version at the link; Helm compares it with `kubeVersion` of a chart. */
function linkerFlags(definition: string): string {
  const [, version, major, minor] = /^\s+k8s\.io\/kubernetes (v(\d+)\.(\d+)\.\d+)$/m.exec(definition) ?? [];
  if (version === undefined) throw new Error(`${MODULE}/go.mod names no version of Kubernetes`);
  const values = {
    "k8s.io/component-base/version.gitVersion": version,
    "k8s.io/component-base/version.gitMajor": major,
    "k8s.io/component-base/version.gitMinor": minor,
    "helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor": major,
    "helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor": minor,
  };
  return ["-s -w", ...Object.entries(values).map(([name, value]) => `-X ${name}=${value}`)].join(" ");
}

async function operatorCrds(): Promise<string> {
  const { Dir } = JSON.parse(await go(["-C", CACHE, "mod", "download", "-json", OPERATOR])) as { Dir: string };
  return join(Dir, CRDS);
}

async function go(args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await runProgram("nice", ["-n", "10", "go", ...args]);
  if (status !== 0)
    throw new Error(
      `The tests need Go 1.26 or newer in PATH, and the Go module proxy. go ${args.join(" ")}: ${stderr}`,
    );
  return stdout;
}
