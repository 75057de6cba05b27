import type { Refusal } from "../self/probe-events.ts";
import type { Diagnosis } from "../diagnosis/finding.ts";
import type { Status } from "../poller/poll/status.ts";

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
  /** Every configured node, those of other shards included, in the order of the configuration. */
  readonly fleet: () => readonly FleetNode[];
  /** Looks at a node now, and answers with what it found, or why it did not look. */
  readonly probe: (request: ProbeRequest) => Promise<Exposition | ProbeRefusal>;
  /** Names of the modules of `/probe`, the one that needs no naming first. */
  readonly modules: () => readonly string[];
  readonly about: About;
  readonly log: HttpLog;
};

export type ScrapeRequest = {
  readonly accept: string | undefined;
  readonly acceptEncoding: string | undefined;
  /** Only these topics or families; everything when undefined. */
  readonly only: ReadonlySet<string> | undefined;
};

export type ProbeRequest = Omit<ScrapeRequest, "only"> & {
  /** Name or URL of the node. */
  readonly target: string;
  readonly module: string | undefined;
  /** Seconds that the scrape may take, as it says itself. */
  readonly timeout: number | undefined;
  /** Whether the answer is for people: how each question ended, in words, before the metrics. */
  readonly debug: boolean;
};

export type ProbeRefusal = { readonly refused: Refusal; readonly why: string };

export type Exposition = {
  readonly contentType: string;
  readonly contentEncoding: "gzip" | undefined;
  readonly chunks: readonly Uint8Array[];
};

/** A configured node without its secrets. */
export type FleetNode = {
  readonly name: string;
  readonly url: string;
  /** As the configuration names it. */
  readonly network: string | undefined;
  /** As the node itself names it. */
  readonly learnedNetwork: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly credentials: readonly Credential[];
};

/** What a request to a node must bring beside the question. */
export type Credential = "basic_auth" | "bearer_token" | "headers" | "client_certificate";

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
