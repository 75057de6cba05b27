import type { Diagnosis } from "../diagnosis/finding.ts";
import type { Status } from "../poller/status.ts";

/** What the HTTP side asks of the rest of the daemon. */
export type HttpDependencies = {
  readonly metrics: (request: ScrapeRequest) => Promise<Exposition>;
  readonly status: () => Status;
  /** What is wrong now. */
  readonly diagnosis: () => Promise<Diagnosis>;
  readonly ready: () => { readonly ready: boolean; readonly why: string };
  /** Loads the configuration again; a bad one keeps the old and says what is wrong. */
  readonly reload: () => Promise<{ readonly ok: true } | { readonly ok: false; readonly message: string }>;
  /** The running configuration as YAML, without secrets. */
  readonly maskedConfig: () => string;
  readonly about: About;
  readonly log: HttpLog;
};

export type ScrapeRequest = {
  readonly accept: string | undefined;
  readonly acceptEncoding: string | undefined;
  /** Only these topics or families; everything when undefined. */
  readonly only: ReadonlySet<string> | undefined;
};

export type Exposition = {
  readonly contentType: string;
  readonly contentEncoding: "gzip" | undefined;
  readonly chunks: readonly Uint8Array[];
};

export type About = {
  readonly version: string;
  readonly revision: string;
  /** Where the metrics are: an absolute path. */
  readonly telemetryPath: string;
};

export type HttpLog = {
  readonly warn: (data: object, message: string) => void;
  readonly error: (data: object, message: string) => void;
};
