import { expect, it } from "vitest";
import { paint } from "../../src/diagnosis/wording.ts";
import { leave, systemOf } from "../../src/daemon/system.ts";

it.each([
  [1, ["SIGTERM", "abort"]],
  [7, ["SIGTERM"]],
])("process %i ends by %j while a read of a hung mount goes on", async (pid, expected) => {
  const ends: string[] = [];
  const hung = {
    pid,
    getActiveResourcesInfo: () => ["FSReqPromise"],
    removeAllListeners: () => undefined,
    kill: (_: number, signal: string) => void ends.push(signal),
    abort: () => void ends.push("abort"),
    exit: () => undefined,
  };
  await leave(hung as unknown as NodeJS.Process, 0);
  expect(ends).toEqual(expected);
});

it("no text of a server reaches a terminal as an escape; JSON stays the same value, and colours stay", () => {
  const written = { out: "", err: "" };
  const to = (name: keyof typeof written) => ({ write: (text: string) => void (written[name] += text), isTTY: true });
  const system = systemOf({ ...process, stdout: to("out"), stderr: to("err") } as unknown as NodeJS.Process);
  const odd = "a\u001b]0;x\u0007\u009b2J\u202eb\u200b\r\u007f\u2028\u{e0001}";
  system.out(`${JSON.stringify({ odd })}\n`);
  expect(written.out).toMatch(/^[ -~\n]+$/);
  expect(JSON.parse(written.out)).toEqual({ odd });
  for (const text of [odd, paint(true).critical("x")]) system.err(`${text}\n\tc`);
  system.progress?.(odd);
  expect(written.err.replaceAll("\r\u001b[K", "")).toMatch(/^[ -~\n\t]+$/);
  written.out = "";
  const { bold, critical, warning, info, good } = paint(true);
  const painted = [bold, critical, warning, info, good].map((tone) => tone("é — 7")).join("\n\t");
  system.out(painted);
  expect(written.out).toBe(painted);
});
