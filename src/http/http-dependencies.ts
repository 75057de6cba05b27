import type { CountedRefusal } from "../topics/exporter/probe-events.ts";
import type { AlertGroup } from "../topics/all/alerts.ts";
import type { Diagnosis } from "../diagnosis/finding.ts";
import type { History } from "../diagnosis/history/observe.ts";
import type { CalendarDate } from "../diagnosis/validator/calendar-of.ts";
import type { RestartFacts } from "../diagnosis/restart/restart-facts.ts";
import type { ValidatorView } from "../diagnosis/validator/validator-views.ts";
import type { Log } from "../runtime/log.ts";
import type { UnknownName } from "../poller/node/unknown-name.ts";
import type { Status } from "../poller/poll/status.ts";
import type { Inspection } from "./inspection.ts";

/** What a daemon answers over HTTP. */
export type DaemonFunctions = {
  readonly metrics: (request: ScrapeRequest) => Promise<EncodedExposition>;
  /** The values of `collect[]` and `name[]` that `metrics` knows: topics, and families of any shard. */
  readonly selectable: () => ReadonlySet<string>;
  /** The alerts with the thresholds of the running configuration. */
  readonly alertGroups: () => readonly AlertGroup[];
  /** What happened until now, in Unix seconds. */
  readonly history: () => { readonly history: History; readonly now: number };
  /** Every watched validator and polled node, those that need attention first. */
  readonly validators: () => Promise<readonly ValidatorView[]>;
  /** The dates ahead of the watched validators and polled nodes. */
  readonly calendar: () => Promise<readonly CalendarDate[]>;
  /** What the restart of nodes depends on. */
  readonly restarts: () => Promise<RestartFacts>;
  /** Every configured node, those of other shards included, in the order of the configuration. */
  readonly fleet: () => readonly FleetNode[];
  /** Probes a node now. */
  readonly probe: (request: ProbeRequest) => Promise<EncodedExposition | ProbeRefusal>;
  /** Names of the modules of `/probe`, the default one first. */
  readonly modules: () => readonly string[];
  /** Addresses of the watched wallets by their names. */
  readonly wallets: () => ReadonlyMap<string, string>;
};

/** What the HTTP server needs. */
export type HttpDependencies = DaemonFunctions & {
  readonly status: () => Status;
  /** What the nodes send that this release does not know. */
  readonly unknown: () => readonly UnknownName[];
  readonly diagnosis: () => Promise<Diagnosis>;
  /** Whoever has it may read calendars without a login; without it they need the login of the pages. */
  readonly calendarToken?: string | undefined;
  /** Whether badges are served, with the login of the pages or without one; not at all when undefined. */
  readonly badges?: Badges | undefined;
  readonly ready: () => { readonly ready: boolean; readonly why: string };
  /** Reloads the configuration. An invalid one is reported, and the old one stays. */
  readonly reload: () => Promise<ReloadResult>;
  /** The running configuration as YAML, without secrets. */
  readonly maskedConfig: () => string;
  /** Heap snapshots and CPU profiles; not served when undefined. */
  readonly inspection?: Inspection | undefined;
  readonly about: About;
  readonly log: HttpLog;
};

export type ReloadResult = { readonly ok: true } | { readonly ok: false; readonly message: string };

export type Badges = "protected" | "public";

export type ScrapeRequest = {
  readonly accept: string | undefined;
  readonly acceptEncoding: string | undefined;
  /** Topics or families to export; all when undefined. */
  readonly only: ReadonlySet<string> | undefined;
};

export type ProbeRequest = Omit<ScrapeRequest, "only"> & {
  /** Name or URL of the node. */
  readonly target: string;
  readonly module: string | undefined;
  /** Scrape timeout from the request, in seconds. */
  readonly timeout: number | undefined;
  /** Whether the result of each poll is written before the metrics, for people. */
  readonly debug: boolean;
};

export type ProbeRefusal = { readonly refused: CountedRefusal; readonly why: string };

/** The bytes of an exposition, and the headers that describe them. */
export type EncodedExposition = {
  readonly contentType: string;
  readonly contentEncoding: "gzip" | undefined;
  readonly chunks: readonly Uint8Array[];
};

/** A configured node without its secrets. */
export type FleetNode = {
  readonly name: string;
  readonly url: string;
  /** The configured network. */
  readonly network: string | undefined;
  /** The network that the node reports. */
  readonly reportedNetwork: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly credentials: readonly Credential[];
};

/** The kinds of credentials that a node requires. */
export type Credential = "basic_auth" | "bearer_token" | "headers" | "client_certificate";

export type About = {
  readonly version: string;
  readonly revision: string;
  /** Absolute path of the metrics. */
  readonly telemetryPath: string;
  /** Address of Grafana. */
  readonly dashboards?: string | undefined;
  /** Address of Alertmanager. */
  readonly alertmanager?: string | undefined;
  /** How the user starts this program. */
  readonly command: string;
  /** Its configuration, where it has one. */
  readonly configFile?: string | undefined;
  /** What a reader of the page has to know about this process, such as that it is a demo. */
  readonly note?: string | undefined;
};

export type HttpLog = Pick<Log, "warn" | "error">;
