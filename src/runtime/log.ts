/** A logger: the message is static, variables are in the object. */
export type Log = {
  readonly debug: (data: object, message: string) => void;
  readonly info: (data: object, message: string) => void;
  readonly warn: (data: object, message: string) => void;
  readonly error: (data: object, message: string) => void;
};

/** Where an error in the exporter's own code was caught: a closed set, because they are label values. */
export const DEFECT_PLACES = ["endpoint", "metric", "page", "poll", "process"] as const;
export type DefectPlace = (typeof DEFECT_PLACES)[number];

/** What the exporter counts about its own work. Durations in seconds. */
export type PollEvents = {
  readonly polled: (seconds: number, endpoint: string) => void;
  /** An error in the exporter's own code was caught; `what` names the topic or the endpoint. */
  readonly defect: (place: DefectPlace, what: string) => void;
  readonly duplicates: (metric: string, count: number) => void;
};
