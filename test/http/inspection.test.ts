import { expect, test } from "vitest";
import { createInspection, LARGEST_HEAP } from "../../src/http/inspection.ts";

test("a snapshot of the heap is one that the developer tools read, and contains texts of the process", async () => {
  // Made at run time: a literal would be in the heap as part of the code.
  const secret = Buffer.from("dG9rZW4tb2Ytbm9kZQ==", "base64").toString();
  // The process of the tests is as large as they make it.
  const chunks = await createInspection(() => 0).heapSnapshot();
  const { snapshot, nodes, strings } = JSON.parse(Buffer.concat(chunks ?? []).toString()) as {
    readonly snapshot: { readonly meta: { readonly node_fields: string[] }; readonly node_count: number };
    readonly nodes: number[];
    readonly strings: string[];
  };
  expect(snapshot.node_count).toBeGreaterThan(10_000);
  expect(nodes).toHaveLength(snapshot.node_count * snapshot.meta.node_fields.length);
  expect(strings).toContain(secret);
});

test("no snapshot is made of a huge heap", async () => {
  expect(await createInspection(() => LARGEST_HEAP + 1).heapSnapshot()).toBeUndefined();
});

test("a CPU profile shows the functions that ran", async () => {
  function busyLoopOfTheTest(): void {
    const end = performance.now() + 100;
    while (performance.now() < end);
  }
  const pending = createInspection().cpuProfile(1);
  // The profiler starts in a later turn.
  const timer = setInterval(busyLoopOfTheTest, 150);
  const profile = JSON.parse(await pending) as {
    readonly nodes: ReadonlyArray<{ readonly callFrame: { readonly functionName: string } }>;
    readonly startTime: number;
    readonly endTime: number;
  };
  clearInterval(timer);
  expect(profile.nodes.map(({ callFrame }) => callFrame.functionName)).toContain("busyLoopOfTheTest");
  // Microseconds.
  expect(profile.endTime - profile.startTime).toBeGreaterThan(900_000);
});
