import { expect, it } from "vitest";
import { execute } from "../../src/cli/execute.ts";
import { serve } from "../support/servers.ts";
import { writtenSystem } from "../support/written-system.ts";

it("a request that Alertmanager has counted before its failure was not accepted", async () => {
  const counts = [
    [5, 1],
    [5, 1],
    [7, 1],
    [7, 3],
  ];
  const { url } = await serve(({ url: path = "" }, response) => {
    if (path.startsWith("/api/v2/alerts")) return response.end("[]");
    const [requests, failed] = (path === "/metrics" ? counts.shift() : undefined) ?? [7, 3];
    response.end(
      [
        "alertmanager_build_info{} 1",
        `alertmanager_notification_requests_total{integration="webhook"} ${requests}`,
        `alertmanager_notification_requests_failed_total{integration="webhook"} ${failed}`,
      ].join("\n"),
    );
  });
  const { system, written } = writtenSystem();
  expect(await execute(["test-notification", `--alertmanager=${url}`], system)).toBe(1);
  expect(written.err).toContain("page and ticket: 2 requests failed");
});
