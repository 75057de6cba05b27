import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inject } from "postject";
import { writeBundle, type Made } from "./bundle.ts";

/** By this text in its own file Node.js recognizes that it carries a program. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** Where Node.js looks for the program in a file of macOS. Other formats have no segments, and ignore it. */
const SEGMENT = "NODE_SEA";

/**
 * As in package.json: else V8 lets a heap grow fourfold before it collects it, and a container is limited; and it spreads each small
 * collection over threads, which costs whoever has 1,000 nodes a tenth of the exporter's processor time.
 */
const OPTIONS = ["--no-parallel-scavenge", "--max-semi-space-size=8", "--heap-growing-percent=50"];

/**
 * Writes the exporter as one executable file for this system: the running Node.js with the bundle in it, compiled beforehand.
 * Resolves to the files in the bundle; rejects when a step fails.
 */
export async function writeExecutable(file: string, made: Made): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "avax-exporter-exe-"));
  try {
    const main = join(folder, "avax-exporter.cjs");
    const { files } = await writeBundle({ file: main, form: "script", ...made });
    const output = join(folder, "program.blob");
    const config = join(folder, "sea.json");
    const settings = { main, output, disableExperimentalSEAWarning: true, useCodeCache: true, execArgv: OPTIONS };
    writeFileSync(config, JSON.stringify(settings));
    // V8 accepts compiled code only under the limits that it was compiled under.
    run(process.execPath, ...OPTIONS, "--experimental-sea-config", config);
    const program = join(folder, "avax-exporter");
    copyFileSync(process.execPath, program);
    // On macOS a changed file must be signed again, or the system kills it. The signature names no one: who downloads the file
    // with a browser removes its quarantine. The steps are those of the manual of Node.js; tests run them on Linux alone.
    const mac = process.platform === "darwin";
    if (mac) run("codesign", "--remove-signature", program);
    await inject(program, "NODE_SEA_BLOB", readFileSync(output), { sentinelFuse: FUSE, machoSegmentName: SEGMENT });
    if (mac) run("codesign", "--sign", "-", program);
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(program, file);
    chmodSync(file, 0o755);
    return files;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program to its end. Throws with what it wrote when it fails. */
export function run(program: string, ...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${error?.message ?? stderr}`);
}
