import { expect, it } from "vitest";
import { inContainer, leave } from "../../src/daemon/system.ts";

const none = () => false;

it.each([
  ["Docker", {}, "/.dockerenv"],
  ["Podman", {}, "/run/.containerenv"],
])("a file of %s marks a container", (_by, env, file) => {
  expect(inContainer(env, (path) => path === file)).toBe(true);
});

it.each([{ container: "podman" }, { container: "systemd-nspawn" }, { KUBERNETES_SERVICE_HOST: "10.0.0.1" }])(
  "%j marks a container",
  (env) => {
    expect(inContainer(env, none)).toBe(true);
  },
);

it("a machine has no such mark", () => {
  expect(inContainer({}, none)).toBe(false);
  expect(inContainer({ container: "", KUBERNETES_SERVICE_HOST: "", PATH: "/bin" }, none)).toBe(false);
});

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
