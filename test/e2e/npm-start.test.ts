import { expect, it } from "vitest";
import { startChild, written } from "./support/child.ts";
import { writeConfig } from "./support/daemon.ts";
import { cleanUpAfter, folder } from "./support/harness.ts";

it("npm start passes SIGTERM on: the daemon ends and leaves its port", async () => {
  const file = await writeConfig(await folder(), { nodes: [{ name: "a", url: "http://127.0.0.1:1" }] });
  const flags = ["--log.format=json", "--web.listen-address=127.0.0.1:0", "--storage.path=", `--config.file=${file}`];
  const npm = startChild("npm", ["start", "--", ...flags]);
  cleanUpAfter(npm.stop);
  const [, address = ""] = await written(npm, /"address":"(http:[^"]+)"/);
  expect((await fetch(`${address}/-/healthy`)).status).toBe(200);
  npm.signal("SIGTERM");
  await npm.exited;
  await expect(fetch(`${address}/-/healthy`)).rejects.toThrow();
  expect(npm.stderr()).toContain('"stopped"');
});
