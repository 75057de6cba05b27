import { spawn } from "node:child_process";
import { once } from "node:events";

export type Outcome = { readonly status: number | string; readonly stdout: string; readonly stderr: string };
type Options = { readonly input?: string; readonly cwd?: string; readonly env?: Readonly<Record<string, string>> };

/** Runs a program to its end, with a text as its standard input. Other children's output is read meanwhile. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { input = "", cwd, env = {} }: Options = {},
): Promise<Outcome> {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env } });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  // A program that ends before it has read everything.
  child.stdin.on("error", () => undefined).end(input);
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  return { status: code ?? String(signal), ...output };
}
