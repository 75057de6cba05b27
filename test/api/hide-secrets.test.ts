import { expect, it } from "vitest";
import { maskedUrl } from "../../src/api/hide-secrets.ts";

const CHAIN = "2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5";

it.each([
  ["https://go.example/3f2a8b1c9d0e4f5a6b7c8d9e0f1a2b3c", "https://go.example/<secret>"],
  ["https://go.example/v1/8c1fe2a0-66f1-4f9b-b6de-0c2f6d1c9a11/avax", "https://go.example/v1/<secret>/avax"],
  ["https://go.example/key_live_9x8Y7z6W5v4U3t2S", "https://go.example/<secret>"],
])("%s is shown as %s", (url, shown) => {
  expect(maskedUrl(url)).toBe(shown);
});

it.each([
  "http://127.0.0.1:9650",
  "https://3f2a8b1c9d0e4f5a6b7c8d9e0f1a2b3c.example/avalanche",
  "https://api.example/avalanche-mainnet-archive-node-12",
  `https://api.example/ext/bc/${CHAIN}`,
  "https://api.example/NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",
  "https://api.example/12345678901234567890",
])("%s has no token", (url) => {
  expect(maskedUrl(url)).toBe(url);
});
