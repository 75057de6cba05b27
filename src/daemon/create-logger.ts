import { pino, type Logger } from "pino";

type LogLevel = "debug" | "info" | "warn" | "error";

/** A logger that writes lines through `write`. Keys that could hold a secret are redacted. */
export function createLogger(level: LogLevel, format: "logfmt" | "json", write: (line: string) => void): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ["headers", "password", "token", "authorization"].flatMap((key) => [key, `*.${key}`]),
        censor: "<secret>",
      },
    },
    { write: (line: string) => write(format === "json" ? line : toLogfmt(line)) },
  );
}

/** The line in Prometheus's own style: time, level and message first, then the other fields. */
function toLogfmt(line: string): string {
  const { time, level, msg, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const pairs: Array<[string, unknown]> = [["time", time], ["level", level], ["msg", msg], ...Object.entries(rest)];
  return `${pairs.map(([key, value]) => `${key}=${logfmtValue(value)}`).join(" ")}\n`;
}

function logfmtValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^[\w.:/@-]+$/.test(text) ? text : JSON.stringify(text);
}
