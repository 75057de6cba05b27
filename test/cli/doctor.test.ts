import { afterEach, describe, expect, it, test } from "vitest";
import { doctor } from "../../src/cli/doctor.ts";
import type { System } from "../../src/daemon/system.ts";
import { createCleanup } from "../support/create-cleanup.ts";
import { writeConfig } from "../e2e/support/daemon.ts";
import { loadRecording } from "../e2e/support/recording.ts";
import { startRecordingServer } from "../e2e/support/recording-server.ts";
import { writtenSystem } from "../support/written-system.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";

const cleanup = createCleanup();
afterEach(cleanup.run);

/** A system with the output of both streams in one list. */
function systemOf(over: Partial<System> = {}): { readonly system: System; readonly written: string[] } {
  const written: string[] = [];
  const put = (text: string): void => void written.push(text);
  const { system } = writtenSystem({ out: put, err: put, ...over });
  return { system, written };
}

describe("as a command", () => {
  it("fails on a critical problem, and prints colours only to a terminal", async () => {
    const { url, close } = await startRecordingServer(loadRecording("local-plugin-failed"));
    cleanup.add(close);
    // Without the progress, which a loaded machine shows.
    const err = (): void => undefined;
    const [plain, coloured] = [systemOf({ err }), systemOf({ err, isTerminal: true })];
    const nowhere = "http://127.0.0.1:1";
    expect(await doctor({}, plain.system, [url, nowhere])).toBe(1);
    expect(await doctor({}, coloured.system, [url, nowhere])).toBe(1);
    const [text = "", bright = ""] = [plain.written.join(""), coloured.written.join("")];
    expect(text).toMatch(/^Polled 2 nodes in \d+\.\d s, /);
    expect(text).not.toContain("\u001b");
    expect(bright).toContain("\u001b[1;31mCRITICAL\u001b[0m ");
  });

  it("examines the nodes of a configuration, by their names", async () => {
    const { url, close } = await startRecordingServer(loadRecording("local-plugin-failed"));
    cleanup.add(close);
    const folder = await temporaryFolder();
    cleanup.add(folder.remove);
    const file = await writeConfig(folder.path, { nodes: [{ name: "mine", url }] });
    const { system, written } = systemOf({ err: () => undefined });
    // Its problems are warnings.
    expect(await doctor({ "config.file": file }, system, [])).toBe(1);
    expect(written.join("")).toMatch(/^Polled 1 node in .*\n\nmine: reports itself unhealthy\n/);
  });

  it("has the exit code 2 where it could not look", async () => {
    expect(await doctor({ "config.file": "/nowhere.yaml" }, systemOf().system, [])).toBe(2);
  });

  it("judges by the thresholds of the configuration", async () => {
    const { url, close } = await startRecordingServer(loadRecording("local-plugin-failed"));
    cleanup.add(close);
    const folder = await temporaryFolder();
    cleanup.add(folder.remove);
    const summaries = async (alerts: Readonly<Record<string, string>>): Promise<string> => {
      const file = await writeConfig(folder.path, { nodes: [{ name: "mine", url }], alerts });
      const { system, written } = systemOf({ err: () => undefined });
      await doctor({ "config.file": file }, system, []);
      return written.join("");
    };
    expect(await summaries({})).not.toContain("of its disk left");
    expect(await summaries({ "disk-low": "90%" })).toMatch(/mine has \d\d % of its disk left/);
  });

  it("reports a node that does not answer, within the timeout", async () => {
    const { system, written } = systemOf();
    expect(await doctor({ "doctor.timeout": 20 }, system, ["http://127.0.0.1:1/"])).toBe(1);
    const text = written.join("");
    expect(text).toContain("127.0.0.1:1: no health report\n");
    expect(text).toContain("CRITICAL 127.0.0.1:1 is down: its uptime falls\n");
    expect(text).toMatch(/ {2}- 127\.0\.0\.1:1: all \d+ polls: refused: nothing listens at the address/);
    expect(text.match(/refused/g)).toHaveLength(1);
  });

  test.each([
    [["nowhere"], {}, "is not a URL such as http://127.0.0.1:9650"],
    [["http://127.0.0.1"], { "config.file": "x.yaml" }, "pass URLs or --config.file, not both"],
  ])("%j %j is refused", async (args, flags, why) => {
    const { system, written } = systemOf();
    expect(await doctor(flags, system, args)).toBe(2);
    expect(written.join("")).toContain(why);
  });
});
