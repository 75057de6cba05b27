import { runFleet } from "./fleet.ts";
import { command } from "./verdict.ts";

/** `npm run soak:fleet -- --minutes=60 --nodes=100 --faulty=0.1 --seed=7`: fails if a node that is well suffers from the others. */
await command(
  { minutes: 60, nodes: 100, faulty: 0.1, seed: Math.ceil(Math.random() * 1e9) },
  // The main network's validators and peers.
  ({ faulty, ...options }, say) => runFleet({ ...options, share: faulty, validators: 1300, peers: 1200 }, say),
);
