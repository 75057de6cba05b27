import { expect, test } from "vitest";
import { unreachableFile } from "../../src/daemon/following/read-again.ts";
import { oneAtATime } from "../../src/daemon/serve.ts";
import { gate } from "../http/ask.ts";

test("reloads that are wanted while one runs are one, which a request causes if one of them is a request", async () => {
  const { opened, open } = gate();
  const causes: unknown[] = [];
  const { reload, end } = oneAtATime(
    async (cause) => {
      causes.push(cause);
      await opened;
      return causes.length;
    },
    0,
    1,
  );
  const first = reload("files");
  await Promise.resolve();
  const others = [reload("files"), reload(), reload("files")];
  open();
  expect([await first, ...(await Promise.all(others)), causes]).toEqual([1, 2, 2, 2, ["files", "request"]]);
  await end();
  expect([await reload(), causes.length]).toEqual([0, 2]);
});

test("a file of a mount that hangs is found in time, and looked at once", async () => {
  const looked: string[] = [];
  const look = (path: string) => {
    looked.push(path);
    return path === "/hung" ? new Promise(() => undefined) : Promise.reject(new Error("no such file"));
  };
  expect(await unreachableFile(["/gone", "/hung"], 20, look)).toBe("/hung");
  expect(await unreachableFile(["/hung", "/gone"], 20, look)).toBe("/hung");
  expect(await unreachableFile(["/gone"], 1_000, look)).toBeUndefined();
  expect(looked).toEqual(["/gone", "/hung", "/gone"]);
});
