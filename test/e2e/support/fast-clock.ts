/**
 * Loaded into the exporter's process before its own code (`node --import`): its clock and its timers run faster, so that it
 * runs through an hour in a minute. Nothing of the exporter is replaced. `FAST_CLOCK` is `<start>,<factor>`: where both
 * clocks agree, in Unix milliseconds, and how many seconds pass in a real one. `compression.ts` has the other half.
 * With `FAST_CLOCK_WORK=real` work is measured in real time: where days pass in minutes, it would otherwise seem too slow.
 * Nothing is overloaded: of ten milliseconds of a busy loop the clock makes half a second of lateness.
 */
const [start = NaN, factor = NaN] = (process.env["FAST_CLOCK"] ?? "").split(",").map(Number);
if (!(start > 0) || !(factor > 0)) throw new Error("FAST_CLOCK is not <start>,<factor>");

const RealDate = Date;
const now = (): number => start + (RealDate.now() - start) * factor;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: []) => (args.length === 0 ? new target(now()) : Reflect.construct(target, args)) as Date,
  get: (target, property, receiver) =>
    property === "now" ? now : (Reflect.get(target, property, receiver) as unknown),
});

const elapsed = performance.now.bind(performance);
if (process.env["FAST_CLOCK_WORK"] !== "real") performance.now = () => elapsed() * factor;

performance.eventLoopUtilization = () => ({ idle: 1, active: 0, utilization: 0 });

const { setTimeout: once, setInterval: always } = globalThis;
/** Keeps the properties of the original function, such as its form for promises. */
const faster = <T extends typeof once | typeof always>(original: T): T =>
  Object.assign(
    (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => original(run, ms / factor, ...args),
    original,
  );
globalThis.setTimeout = faster(once);
globalThis.setInterval = faster(always);
