import { UNSCHEDULED } from "../../simulator/world/options.ts";
import type { Story } from "./world.ts";

/** Minutes of history in the pictures, and how many of them pass in one. */
export const MINUTES = 64;
export const SPEED = 16;

/** Two networks worth looking at: most nodes are well, and one of each kind of trouble stands beside them. */
export const STORIES: readonly Story[] = [
  {
    names: ["fra-1", "fra-2", "nyc-1", "nyc-2", "sgp-1", "sgp-2", "tyo-1", "arc-1"],
    options: {
      network: { id: 1, name: "mainnet" },
      validators: 60,
      seed: 7,
      hosted: true,
      heliconTime: UNSCHEDULED,
      overrides: [{ node: 7, version: "1.14.2" }],
      scenario: [
        { node: 1, name: "utxo-waiting" },
        { node: 2, name: "drained-l1" },
        { node: 2, name: "benched" },
        // Never up often enough, and the end is near: this reward is lost.
        { node: 3, name: "low-uptime" },
        { node: 3, name: "stake-ending" },
        { node: 6, name: "admin-on" },
        { node: 8, name: "not-a-validator" },
      ],
    },
    // The upgrade comes an hour after it was announced.
    events: [
      { minute: 18, node: 7, scenario: "upgrade-unknown" },
      { minute: 24, node: 5, scenario: "offline-validator" },
      { minute: 32, node: 5, scenario: "healthy" },
      { minute: 42, node: 4, scenario: "left-behind" },
      { minute: 50, node: 6, scenario: "unhealthy-check" },
    ],
  },
  {
    names: ["fuji-1", "fuji-2", "fuji-3", "fuji-4"],
    options: {
      network: { id: 5, name: "fuji" },
      validators: 20,
      seed: 11,
      overrides: [{ node: 3, dialect: "spec" }],
      scenario: [{ node: 1, name: "wallet-dry" }],
    },
    events: [
      { minute: 15, node: 2, scenario: "just-restarted" },
      { minute: 56, node: 4, scenario: "bootstrapping" },
    ],
  },
];
