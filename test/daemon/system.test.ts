import { expect, it } from "vitest";
import { leave } from "../../src/daemon/system.ts";

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
