import { spawn } from "node:child_process";
import { join } from "node:path";

const TOOLS = join(import.meta.dirname, "../../node_modules/.bin");

/** Runs a tool of the project in a folder; returns its exit code and output. */
export async function runTool(
  folder: string,
  tool: string,
  ...args: readonly string[]
): Promise<{ code: number | null; output: string }> {
  const child = spawn(join(TOOLS, tool), args, { cwd: folder });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on("error", reject);
  child.on("close", resolve);
  return { code: await promise, output };
}
