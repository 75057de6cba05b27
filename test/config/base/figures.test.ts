import { expect, it } from "vitest";
import { percent, shortId } from "../../../src/config/base/figures.ts";

it("a share is rounded down: what is below a requirement never reads as the requirement", () => {
  expect([1, 0.9999, 0.79996, 0.8, 0.57, 0].map(percent)).toEqual([
    "100 %",
    "99.99 %",
    "79.99 %",
    "80 %",
    "57 %",
    "0 %",
  ]);
});

it("a long ID is shown by its begin, a name as it is", () => {
  const subnet = "2qPTqrRSAV5RPqSKgkkA31eVv5QXWv3FqfKj7QNwy1LviRJCx6";
  const ids = ["NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", subnet, "a-name"];
  expect(ids.map(shortId)).toEqual(["NodeID-7Xhw2m…", "2qPTqr…", "a-name"]);
});
