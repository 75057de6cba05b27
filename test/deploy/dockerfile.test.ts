import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readArguments } from "../../src/cli/read-arguments.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** `image.long.ts` builds the image, and runs it as its user. */
describe("the Dockerfile", () => {
  const text = read("Dockerfile");

  it("checks its health by a command of the program, which asks the port that the image exposes", () => {
    const [, program, ...args] = JSON.parse(
      /^HEALTHCHECK .*\\\n {2}CMD (\[.*\])$/m.exec(text)?.[1] ?? "[]",
    ) as string[];
    expect(program).toBe("avax-exporter.mjs");
    expect(readArguments(args)).toMatchObject({ command: "healthcheck", args: [] });
    expect(text).toMatch(/^EXPOSE 9750$/m);
  });

  it("is labelled with the version and the licence of package.json", () => {
    const { version, license } = JSON.parse(read("package.json")) as { version: string; license: string };
    expect(text).toContain(`ARG VERSION=${version}\n`);
    expect(text).toContain(`org.opencontainers.image.licenses="${license}"`);
  });

  it("builds on images with a digest, and names the base of the last stage", () => {
    const bases = [...text.matchAll(/^FROM (?:--\S+ )?(\S+)/gm)].map(([, base = ""]) => base);
    for (const base of bases) expect(base).toMatch(/@sha256:[0-9a-f]{64}$/);
    expect(text).toContain(`org.opencontainers.image.base.name="${bases.at(-1)?.split("@")[0] ?? ""}"`);
  });

  it("keeps its state in a volume, which data/ of the working directory leads to", () => {
    expect(text).toContain("ln -s /var/lib/avax-exporter dist/default/data ");
    expect(text).toMatch(/^COPY --from=build \/src\/dist\/default\/ \.\/\nVOLUME \/var\/lib\/avax-exporter$/m);
  });

  it("runs nothing in the last stage, which is of another processor", () => {
    expect(text.slice(text.lastIndexOf("\nFROM "))).not.toMatch(/^RUN /m);
  });

  it("gets no folder that the image does not need", () => {
    expect(read(".dockerignore").split("\n")).toEqual(expect.arrayContaining(["node_modules", "dist", ".git", "test"]));
  });
});
