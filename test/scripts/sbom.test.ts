import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../support/folders.ts";
import { ROOT, VERSION } from "../../scripts/made.ts";
import { sbomOf, sbomWithNode } from "../../scripts/sbom.ts";

const made = { revision: "0123456", date: "2026-01-05T08:00:00Z" };
const at = (path: string) => join(ROOT, path);

type Part = { readonly name: string; readonly version: string; readonly components?: readonly Part[] };
const partsOf = (text: string) => (JSON.parse(text) as { readonly components: readonly Part[] }).components;

test("a package is listed once, with its licence and the hash of its archive, and files of the project are not", () => {
  const files = ["node_modules/zod/v4/index.js", "node_modules/zod/package.json", "src/main.ts"].map(at);
  const text = sbomOf(files, made);
  expect(partsOf(text)).toMatchObject([
    {
      type: "library",
      name: "zod",
      purl: expect.stringMatching(/^pkg:npm\/zod@\d/) as string,
      hashes: [{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) as string }],
      licenses: [{ license: { id: "MIT" } }],
    },
  ]);
  expect(JSON.parse(text)).toMatchObject({
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    metadata: {
      timestamp: made.date,
      component: { version: VERSION, properties: [{ name: "revision", value: made.revision }] },
    },
  });
});

test("an executable lists Node.js with its libraries, and no numbers of interfaces", () => {
  const [node, ...others] = partsOf(sbomWithNode([], made));
  expect([node?.name, node?.version, others]).toEqual(["node", process.versions.node, []]);
  const names = node?.components?.map(({ name }) => name) ?? [];
  expect(names).toEqual(expect.arrayContaining(["openssl", "v8", "zlib", "uv"]));
  expect(names).not.toContain("modules");
  expect(node?.components?.filter(({ version }) => version === "")).toEqual([]);
});

test("a package without a hash in the lock file is refused by name", () => {
  const text = JSON.stringify({ name: "unknown", version: "1.0.0", license: "MIT" });
  const unknown = join(folderWith({ "node_modules/unknown/package.json": text }), "node_modules/unknown");
  expect(() => sbomOf([join(unknown, "index.js")], made)).toThrow("package-lock.json has no SHA-512 of unknown");
});
