import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readArguments } from "../../src/cli/arguments.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

describe("the image", () => {
  const image = read("Dockerfile");
  const listOf = (pattern: RegExp) => JSON.parse(pattern.exec(image)?.[1] ?? "[]") as readonly string[];

  it("runs as a user in numbers", () => {
    expect(image).toMatch(/^USER 1000:1000$/m);
  });

  it("is checked by a command of the program, which asks the port that the image exposes", () => {
    const [, program, ...args] = listOf(/^HEALTHCHECK .*\\\n {2}CMD (\[.*\])$/m);
    expect(program).toBe("avax-exporter.mjs");
    expect(readArguments(args)).toMatchObject({ command: "healthcheck", args: [] });
    expect(image).toMatch(/^EXPOSE 9750$/m);
  });

  it("is labelled with the version and the licence of package.json", () => {
    const { version, license } = JSON.parse(read("package.json")) as { version: string; license: string };
    expect(image).toContain(`ARG VERSION=${version}\n`);
    expect(image).toContain(`org.opencontainers.image.licenses="${license}"`);
  });
});

/** What linters of Dockerfiles ask for. `image.long.ts` builds the image and runs it. */
describe("the Dockerfile", () => {
  type Instruction = { readonly name: string; readonly value: string };
  const text = read("Dockerfile")
    .replace(/^#.*\n/gm, "")
    .replaceAll("\\\n", " ");
  const instructions = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Instruction => {
      const [name = "", ...rest] = line.split(" ");
      return { name, value: rest.join(" ") };
    });
  const all = (name: string) => instructions.filter((each) => each.name === name).map(({ value }) => value);
  const last = instructions.slice(instructions.findLastIndex(({ name }) => name === "FROM"));

  it("has known instructions alone: no ADD, no MAINTAINER, no SHELL", () => {
    const known = "FROM WORKDIR COPY RUN ARG LABEL ENV USER EXPOSE HEALTHCHECK ENTRYPOINT CMD".split(" ");
    expect(instructions.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  it("builds on images with a digest, and on a version of Node.js", () => {
    const [build, runtime] = all("FROM");
    expect(build).toMatch(/^--platform=\$BUILDPLATFORM node:\d+\.\d+\.\d+-[a-z-]+@sha256:[0-9a-f]{64} AS build$/);
    // This base has no tags by version.
    expect(runtime).toMatch(/^gcr\.io\/distroless\/nodejs24-debian\d+:nonroot@sha256:[0-9a-f]{64}$/);
    expect(text).toContain(`org.opencontainers.image.base.name="${runtime?.split("@")[0] ?? ""}"`);
  });

  it("installs once, from the lock file", () => {
    const installs = all("RUN").filter((run) => /\bnpm (ci|i|install)\b/.test(run));
    expect(installs).toEqual(["npm ci"]);
    expect(text).not.toMatch(/\bsudo\b|\bcurl\b|\bwget\b|\bapt/);
  });

  it("copies the manifest before the source, so that a change of the source installs nothing", () => {
    const [first, second] = instructions.filter(({ name, value }) => name === "COPY" || value === "npm ci");
    expect([first?.value, second?.value]).toEqual(["package.json package-lock.json .npmrc ./", "npm ci"]);
  });

  it("runs nothing in the last stage, which is of another processor", () => {
    expect(last.filter(({ name }) => name === "RUN")).toEqual([]);
  });

  it("has absolute folders", () => {
    expect(all("WORKDIR").filter((folder) => !folder.startsWith("/"))).toEqual([]);
  });

  it("has no secret in an argument or a variable", () => {
    const names = [...all("ARG"), ...all("ENV")].join(" ");
    expect(names).not.toMatch(/TOKEN|PASSWORD|SECRET|KEY/i);
  });

  it.each(["ENTRYPOINT", "CMD", "USER", "HEALTHCHECK"])("has one %s, in the last stage", (name) => {
    expect([all(name).length, last.filter((each) => each.name === name).length]).toEqual([1, 1]);
  });

  it.each(["ENTRYPOINT", "CMD"])("starts %s without a shell", (name) => {
    expect(JSON.parse(all(name)[0] ?? "")).toBeInstanceOf(Array);
  });

  it("copies nothing that the image does not need", () => {
    const ignored = read(".dockerignore").split("\n");
    expect(ignored).toEqual(expect.arrayContaining(["node_modules", "dist", ".git", "test"]));
  });
});
