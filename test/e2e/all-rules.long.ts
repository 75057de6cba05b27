import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { requireTool } from "./support/tools.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "grafana", "alerts");

/** `npm test` tests each group by itself, which is much faster; this is the file as it is shipped, all rules together. */
it("promtool test rules accepts the committed files", { timeout: 180_000 }, () => {
  const { status, stdout, stderr } = spawnSync(requireTool("promtool"), ["test", "rules", "tests.yaml"], {
    cwd: FOLDER,
    encoding: "utf8",
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: "Unit Testing:  tests.yaml\n  SUCCESS\n\n",
    stderr: "",
  });
});
