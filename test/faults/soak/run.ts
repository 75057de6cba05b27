import { runSoak } from "./soak.ts";
import { command } from "./verdict.ts";

/** `npm run soak -- --hours=24 --seed=7 --nodes=20 --speed=40`: a day of faults, so many times as fast. */
await command({ hours: 24, seed: Math.ceil(Math.random() * 1e9), nodes: 20, speed: 40 }, runSoak);
