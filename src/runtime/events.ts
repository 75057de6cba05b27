/** A logger: the message is static, variables are in the object. */
export type Log = {
  readonly debug: (data: object, message: string) => void;
  readonly info: (data: object, message: string) => void;
  readonly warn: (data: object, message: string) => void;
  readonly error: (data: object, message: string) => void;
};

/** What the exporter counts about its own work. Durations in seconds. */
export type PollEvents = {
  readonly polled: (seconds: number) => void;
  readonly readFailed: (topic: string) => void;
  readonly duplicates: (metric: string, count: number) => void;
};
