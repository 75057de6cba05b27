import { expect, it } from "vitest";
import { inContainer } from "../../src/daemon/system.ts";

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
