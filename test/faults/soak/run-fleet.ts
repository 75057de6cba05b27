import { parseArgs } from "node:util";
import { runFleet } from "./fleet.ts";
import { verdictText } from "./verdict.ts";

/** `npm run soak:fleet -- --minutes=60 --nodes=100 --faulty=0.1 --seed=7`: exit code 1 if a node that is well suffers from the others. */

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    nodes: { type: "string", default: "100" },
    faulty: { type: "string", default: "0.1" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1e9)) },
  },
});
const options = {
  minutes: Number(values.minutes),
  nodes: Number(values.nodes),
  share: Number(values.faulty),
  seed: Number(values.seed),
  // The main network's.
  validators: 1300,
  peers: 1200,
};
const say = (line: string) => void process.stdout.write(`${line}\n`);
const bad = Object.entries(options).find(([, value]) => !(value > 0));
if (bad !== undefined) {
  process.stderr.write(`--${bad[0] === "share" ? "faulty" : bad[0]} is not a number above 0\n`);
  process.exit(2);
}
say(
  `${options.nodes} nodes with ${options.peers} peers and ${options.validators} validators, ${options.share * 100} % of them faulty, ` +
    `${options.minutes} minutes, seed ${options.seed}`,
);
const checks = await runFleet(options, say);
say(verdictText(checks));
process.exitCode = checks.every(({ ok }) => ok) ? 0 : 1;
