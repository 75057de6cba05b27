import type { Severity } from "../catalogue/alert.ts";

/** What a severity means and where its alerts go. Durations are those of Prometheus and Alertmanager. */
export type Policy = {
  /** What the receiver does, in words. */
  readonly means: string;
  readonly receiver: string;
  /** How long the first notification of a group waits for others, and for the alerts that explain it. */
  readonly groupWait: string;
  /** How long a notification about a new alert of the same group waits. */
  readonly groupInterval: string;
  /** How long a firing alert goes on before it is sent again. */
  readonly repeat: string;
  /** How long an alert fires on after its condition has ended, so that a restart of the exporter does not end it. */
  readonly keepFiringFor?: string;
};

/** The policy: page, ticket, look, never sent. */
export const POLICY: Readonly<Record<Severity, Policy>> = {
  critical: {
    means: "**Page**: act now, or lose money or blocks.",
    receiver: "page",
    groupWait: "30s",
    groupInterval: "30s",
    repeat: "4h",
    keepFiringFor: "2m",
  },
  warning: {
    means: "**Ticket**: act this week.",
    receiver: "ticket",
    groupWait: "5m",
    groupInterval: "30m",
    repeat: "3d",
  },
  info: {
    means: "**Info**: look when you look.",
    receiver: "record",
    groupWait: "30m",
    groupInterval: "6h",
    repeat: "7d",
  },
  none: {
    means: "**Never sent**: a state that explains other alerts, such as a restart.",
    receiver: "none",
    groupWait: "30s",
    groupInterval: "5m",
    repeat: "7d",
  },
};
