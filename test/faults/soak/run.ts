import { parseArgs } from "node:util";
import { runSoak } from "./soak.ts";
import { verdictText } from "./verdict.ts";

/** `npm run soak -- --hours=24 --seed=7 --nodes=20 --speed=40`: a day of faults; exit code 1 if anything does not hold. */

const { values } = parseArgs({
  options: {
    hours: { type: "string", default: "24" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1e9)) },
    nodes: { type: "string", default: "20" },
    speed: { type: "string", default: "40" },
  },
});
const options = {
  hours: Number(values.hours),
  seed: Number(values.seed),
  nodes: Number(values.nodes),
  speed: Number(values.speed),
};
const bad = Object.entries(options).find(([, value]) => !(value > 0));
const say = (line: string) => void process.stdout.write(`${line}\n`);
if (bad !== undefined) {
  process.stderr.write(`--${bad[0]} is not a number above 0\n`);
  process.exit(2);
}
say(`${options.hours} h of faults at ${options.nodes} nodes, ${options.speed} times as fast, seed ${options.seed}`);
const checks = await runSoak(options, say);
say(verdictText(checks));
process.exitCode = checks.every(({ ok }) => ok) ? 0 : 1;
