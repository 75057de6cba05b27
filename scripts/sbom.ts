import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { bundledPackages, type Bundled } from "./bundled.ts";
import type { Made } from "./bundle.ts";
import { ROOT, VERSION } from "./made.ts";

/**
 * The software bill of materials of a bundle, as CycloneDX 1.5 in JSON: every package of which the bundle contains a file, with its
 * licence and the hash of its archive. `npm sbom` lists what an installation has instead: it names packages that the bundle
 * does not contain, and with `--omit=dev` leaves out those that a development dependency needs too.
 */
export function sbomOf(files: readonly string[], made: Made): string {
  return text(bundledPackages(files).map(component), "library", made);
}

/** Numbers of interfaces among the versions of Node.js. */
const INTERFACES: ReadonlySet<string> = new Set(["modules", "napi"]);

/** As `sbomOf`, for an executable that contains Node.js too, with the libraries that Node.js names as its parts. */
export function sbomWithNode(files: readonly string[], made: Made): string {
  const { node, ...others } = process.versions;
  const runtime = {
    ...generic("node", node),
    licenses: [{ license: { id: "MIT" } }],
    components: Object.entries(others).flatMap(([name, version]) =>
      version && !INTERFACES.has(name) ? [generic(name, version)] : [],
    ),
  };
  return text([...bundledPackages(files).map(component), runtime], "application", made);
}

type Component = { readonly name: string; readonly version: string; readonly purl: string };

function text(components: readonly Component[], type: "library" | "application", made: Made): string {
  const purl = `pkg:npm/avax-exporter@${VERSION}`;
  const itself = { type, "bom-ref": purl, name: "avax-exporter", version: VERSION, purl };
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      timestamp: made.date,
      component: {
        ...itself,
        licenses: [{ license: { id: "MIT" } }],
        properties: [{ name: "revision", value: made.revision }],
      },
    },
    components,
    dependencies: [{ ref: purl, dependsOn: components.map((each) => each.purl) }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function component(bundled: Bundled) {
  const { name, version, license } = bundled;
  const purl = `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
  const at = { type: "library", "bom-ref": purl, name, version, purl };
  return { ...at, hashes: hashesOf(bundled), licenses: [{ license: { id: license } }] };
}

function generic(name: string, version: string) {
  const purl = `pkg:generic/${name}@${encodeURIComponent(version)}`;
  return { type: "library", "bom-ref": purl, name, version, purl };
}

type Lock = { readonly packages: Readonly<Record<string, { readonly integrity?: string } | undefined>> };

/** The hash of the package's archive, which `npm ci` checked. */
function hashesOf({ folder, name }: Bundled) {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as Lock;
  const [algorithm, hash] = packages[relative(ROOT, folder)]?.integrity?.split("-", 2) ?? [];
  if (algorithm !== "sha512" || hash === undefined)
    throw new Error(`package-lock.json has no SHA-512 of ${name}: install it from a registry`);
  return [{ alg: "SHA-512", content: Buffer.from(hash, "base64").toString("hex") }];
}
