import { generateKeyPairSync, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "vitest";
import { startChild, type Child } from "../../e2e/support/child.ts";
import { freePort } from "../../e2e/support/recording-server.ts";
import type { KubeTools } from "./kube-tools.ts";
import { runProgram, type Outcome } from "./run-program.ts";

/** An API server of Kubernetes with its etcd, on loopback, without controllers and without nodes: it admits and stores objects. */
export type Cluster = {
  readonly kubectl: (args: readonly string[], input?: string) => Promise<Outcome>;
  readonly helm: (args: readonly string[], cwd?: string) => Promise<Outcome>;
  /** Their output; fails with what they write to standard error. */
  readonly ask: (tool: "kubectl" | "helm", args: readonly string[], input?: string) => Promise<string>;
  readonly stop: () => Promise<void>;
};

/** Milliseconds. A loaded machine starts the server in some 30 s. */
const START = 180_000;

export async function startCluster(tools: KubeTools, folder: string): Promise<Cluster> {
  const client = `http://127.0.0.1:${await freePort()}`;
  const peer = `http://127.0.0.1:${await freePort()}`;
  const started: Child[] = [
    startChild(tools.etcd, [
      `--data-dir=${join(folder, "etcd")}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      "--unsafe-no-fsync",
    ]),
  ];
  const port = await freePort();
  const token = randomBytes(16).toString("hex");
  started.push(startChild(tools["kube-apiserver"], await serverFlags(folder, client, port, token)));
  const stop = async () => {
    for (const child of started.toReversed()) await child.stop();
  };
  const env = {
    KUBECONFIG: await kubeconfig(folder, port, token),
    HOME: folder,
    XDG_CACHE_HOME: folder,
    XDG_CONFIG_HOME: folder,
    XDG_DATA_HOME: folder,
  };
  const kubectl: Cluster["kubectl"] = (args, input = "") => runProgram(tools.kubectl, args, { env, input });
  const helm: Cluster["helm"] = (args, cwd = folder) => runProgram(tools.helm, args, { env, cwd });
  await untilReady(started, async () => (await kubectl(["get", "--raw=/readyz"])).stdout === "ok").catch(
    async (error: unknown) => {
      await stop();
      throw error;
    },
  );
  const ask: Cluster["ask"] = async (tool, args, input) => {
    const { status, stdout, stderr } = tool === "kubectl" ? await kubectl(args, input) : await helm(args);
    expect(status, `${tool} ${args.join(" ")}: ${stderr}`).toBe(0);
    return stdout;
  };
  return { kubectl, helm, ask, stop };
}

/** Throws with what the processes wrote when one of them ends or the server is not ready in time. */
async function untilReady(children: readonly Child[], isReady: () => Promise<boolean>): Promise<void> {
  const exits = { any: false };
  for (const child of children) void child.exited.then(() => (exits.any = true));
  const deadline = performance.now() + START;
  while (!(await isReady())) {
    if (exits.any || performance.now() > deadline)
      throw new Error(
        `the API server is not ready:\n${children.map((child) => child.stderr().slice(-2_000)).join("\n")}`,
      );
    await setTimeout(500);
  }
}

async function serverFlags(folder: string, etcd: string, port: number, token: string): Promise<readonly string[]> {
  const key = join(folder, "service-accounts.pem");
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  await writeFile(key, privateKey, { mode: 0o600 });
  const tokens = join(folder, "tokens.csv");
  await writeFile(tokens, `${token},admin,admin,system:masters\n`, { mode: 0o600 });
  return [
    `--etcd-servers=${etcd}`,
    "--bind-address=127.0.0.1",
    "--advertise-address=127.0.0.1",
    "--endpoint-reconciler-type=none",
    `--secure-port=${port}`,
    `--cert-dir=${join(folder, "certificates")}`,
    // Addresses of objects; there is no network.
    "--service-cluster-ip-range=10.0.0.0/24",
    "--service-account-issuer=https://127.0.0.1",
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
    "--authorization-mode=RBAC",
    `--token-auth-file=${tokens}`,
  ];
}

/** The server makes its certificate before it listens. */
async function kubeconfig(folder: string, port: number, token: string): Promise<string> {
  const file = join(folder, "kubeconfig");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    clusters: [
      {
        name: "test",
        cluster: {
          server: `https://127.0.0.1:${port}`,
          "certificate-authority": join(folder, "certificates/apiserver.crt"),
        },
      },
    ],
    users: [{ name: "admin", user: { token } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "admin" } }],
  };
  await writeFile(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}
