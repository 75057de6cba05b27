import { expect, test } from "vitest";
import { control, unitOfPackage } from "../../scripts/debian.ts";

const settings = (name: string) =>
  unitOfPackage()
    .split("\n")
    .filter((line) => line.startsWith(`${name}=`));

test("the unit of the package runs the executable as the user of the package, and checks the configuration first", () => {
  const check = "/usr/bin/avax-exporter check-config --config.file=/etc/avax-exporter/config.yaml";
  expect(settings("ExecStartPre")).toEqual([`ExecStartPre=${check}`]);
  expect(settings("ExecStart")).toEqual([
    "ExecStart=/usr/bin/avax-exporter --config.file=/etc/avax-exporter/config.yaml --storage.path=/var/lib/avax-exporter",
  ]);
  expect(settings("ExecReload")).toEqual([`ExecReload=${check}`, "ExecReload=/bin/kill -HUP $MAINPID"]);
  expect([settings("User"), settings("DynamicUser")]).toEqual([["User=avax-exporter"], []]);
  expect(unitOfPackage()).not.toContain("node ");
});

test("the control file has the processor in Debian's words, or none is made", () => {
  expect(control(1, "arm64")).toMatch(/^Architecture: arm64$/m);
  expect(control(7, "x64")).toMatch(/^Architecture: amd64\n(?:.+\n)*Installed-Size: 7$/m);
  expect(() => control(1, "riscv64")).toThrow("no Debian package for riscv64");
});
