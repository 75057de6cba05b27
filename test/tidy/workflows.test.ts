import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { parse, parseDocument } from "yaml";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const filesOf = (pattern: string) => globSync(pattern, { cwd: ROOT }).sort();

type Step = { readonly run?: string; readonly uses?: string; readonly with?: Readonly<Record<string, unknown>> };
type Job = {
  readonly steps: readonly Step[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
};
type Workflow = { readonly permissions?: unknown; readonly jobs: Readonly<Record<string, Job>> };

const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> };
const WORKFLOWS = filesOf(".github/workflows/*.yml");

it.each(filesOf(".github/**/*.yml"))("%s is YAML without duplicate keys", (path) => {
  expect(parseDocument(read(path), { uniqueKeys: true }).errors).toEqual([]);
});

describe.each(WORKFLOWS)("%s", (path) => {
  const { permissions, jobs } = parse(read(path)) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const runs = steps.flatMap(({ run }) => run ?? []);

  it("runs npm scripts that exist", () => {
    const names = runs.flatMap((run) => [...run.matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name));
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it("names files of the repository that exist", () => {
    const named = runs.flatMap((run) => [...run.matchAll(/(?<![\w/."-])(?:\.ci|scripts|deploy|docs)\/[\w./-]+/g)]);
    expect(named.map(([file]) => file).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it("has permissions of its own, and more in single jobs only", () => {
    expect([{}, { contents: "read" }]).toContainEqual(permissions);
    // Without any, a job must name its own.
    if (Object.keys(permissions as object).length > 0) return;
    for (const [name, job] of Object.entries(jobs)) expect([name, job.permissions]).not.toEqual([name, undefined]);
  });

  it("puts no expression into a shell script: values arrive in variables", () => {
    expect(runs.filter((run) => run.includes("${{"))).toEqual([]);
  });

  it("pins each action to a commit, with its version", () => {
    const lines = [...read(path).matchAll(/^ *(?:- )?uses: (.*)$/gm)].map(([, action = ""]) => action);
    expect(lines.length).toBe(steps.filter(({ uses }) => uses !== undefined).length);
    expect(lines.filter((line) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  it("leaves no credentials in the clone", () => {
    const clones = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    for (const clone of clones) expect(clone.with).toMatchObject({ "persist-credentials": false });
  });

  it("ends each job after a time", () => {
    for (const [name, job] of Object.entries(jobs))
      expect([name, job["timeout-minutes"]]).toEqual([name, expect.any(Number)]);
  });
});

test("all workflows pin an action to the same commit", () => {
  const pins = WORKFLOWS.flatMap((path) => [...read(path).matchAll(/uses: (\S+)@(\S+ # \S+)/g)]);
  const commits = Map.groupBy(pins, ([, action]) => action);
  for (const [action, uses] of commits)
    expect([action, new Set(uses.map(([, , pin]) => pin)).size]).toEqual([action, 1]);
});

test("the workflows and the image build with the major version of Node.js that the program runs on", () => {
  const { dependencies } = JSON.parse(read("package.json")) as { readonly dependencies: { readonly node: string } };
  const [major] = dependencies.node.split(".");
  const images = [...WORKFLOWS, "Dockerfile"].flatMap((path) => [...read(path).matchAll(/\bnode:(\d+)\.\d+\.\d+-/g)]);
  expect(images.length).toBeGreaterThan(2);
  expect(new Set(images.map(([, version]) => version))).toEqual(new Set([major]));
});

test("a release needs the tests of its tag before anything is published", () => {
  const { jobs } = parse(read(".github/workflows/release.yml")) as {
    readonly jobs: Readonly<Record<string, Job & { readonly needs?: string | readonly string[] }>>;
  };
  const { check, ...others } = jobs;
  expect(check?.steps.map(({ run }) => run)).toContain(".ci/run");
  const before = (name: string): readonly string[] =>
    [jobs[name]?.needs ?? []].flat().flatMap((each) => [each, ...before(each)]);
  for (const name of Object.keys(others))
    expect([name, before(name)]).toEqual([name, expect.arrayContaining(["check"])]);
  // What cannot be taken back comes last.
  expect(before("npm")).toEqual(expect.arrayContaining(["package", "executables", "image", "chart"]));
});

test("what .ci/run leaves out is run by a workflow", () => {
  const texts = [".ci/run", ...WORKFLOWS].map(read).join("\n");
  const proofs = Object.keys(scripts).filter((name) => name.startsWith("test:"));
  expect(proofs.filter((name) => !new RegExp(`\\b${name}\\b`).test(texts))).toEqual([]);
});
