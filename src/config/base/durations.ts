import { parseDuration } from "./units.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration in its two largest units: `12 s`, `3 min 5 s`, `2 h`, `4 d 3 h`. A negative one is `0 s`. */
export function span(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return twoUnits(whole, MINUTE, "min", 1, "s");
  if (whole < DAY) return twoUnits(whole, HOUR, "h", MINUTE, "min");
  return twoUnits(whole, DAY, "d", HOUR, "h");
}

/** The age of `then`, both in Unix seconds: `12 s ago`, `just now`, or `never`. */
export function ago(then: number | undefined, now: number): string {
  if (then === undefined) return "never";
  return now - then < 1 ? "just now" : `${span(now - then)} ago`;
}

/** The time until `then`, both in Unix seconds: `in 3 s`, `due` when it has passed, or `not planned`. */
export function until(then: number | undefined, now: number): string {
  if (then === undefined) return "not planned";
  const seconds = Math.ceil(then - now);
  return seconds <= 0 ? "due" : `in ${span(seconds)}`;
}

/** A duration that a person compares at a glance: one unit, two above an hour. `12 s`, `3 min`, `2 h 5 min`, `4 d 3 h`. */
export function lasting(seconds: number): string {
  return seconds >= MINUTE && seconds < HOUR ? `${Math.floor(seconds / MINUTE)} min` : span(seconds);
}

/** A duration as Prometheus writes it, for people: `5m` is `5 min`. */
export function durationText(duration: string): string {
  const seconds = parseDuration(duration);
  return seconds === undefined ? duration : span(seconds);
}

/** A text whose durations, as Prometheus's templates write them, are for people: `8h 47m 59s` is `8 h 47 min`. */
export function withSpans(text: string): string {
  return text.replaceAll(
    /(?<!\w-)(?<![\w.])(?:(\d+)d )?(?:(\d+)h )?(?:(\d+)m )?(\d+(?:\.\d+)?)s(?!\w)/g,
    (_, days = 0, hours = 0, minutes = 0, seconds = 0) => {
      const whole = Number(days) * DAY + Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds);
      // The time of a request has fractions.
      return whole < 10 ? `${seconds} s` : span(whole);
    },
  );
}

function twoUnits(seconds: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((seconds % large) / small);
  const first = `${Math.floor(seconds / large)} ${largeName}`;
  return rest === 0 ? first : `${first} ${rest} ${smallName}`;
}
