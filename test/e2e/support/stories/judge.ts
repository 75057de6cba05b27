import type { Notified } from "../alertmanager.ts";
import type { ExpectedPage, Story, Within } from "./story.ts";

/** Pure functions from notifications to what a person on call received, and to what is wrong with it. */

/** A notification with its fast minute. */
export type Sent = {
  readonly minute: number;
  readonly receiver: string;
  readonly alerts: ReadonlyArray<Pick<Notified, "labels" | "status" | "fingerprint">>;
};

/** A notification with at least one alert that was not firing for its receiver before. */
export type Page = {
  readonly minute: number;
  /** Names of its new alerts, sorted, one for each alert. */
  readonly alerts: readonly string[];
  /** When the last of them was sent as resolved; absent while one fires. */
  readonly resolved?: number;
};

/** What was sent about one story. */
export type Outcome = {
  readonly pages: readonly Page[];
  /** Names of alerts, sorted. */
  readonly tickets: readonly string[];
  readonly records: readonly string[];
};

type Labels = Readonly<Record<string, string>>;
const nameOf = ({ labels }: { readonly labels: Labels }): string => labels["alertname"] ?? "";

/** The story that an alert is about, by its network or else by its node, as a learned network is; `undefined` if it is about none. */
export function storyOf(labels: Labels, stories: readonly string[]): string | undefined {
  const names = [labels["network"], labels["node"]?.replace(/-\d+$/, "")];
  return stories.find((story) => names.includes(story));
}

/** The notifications with the alerts alone that pass, without those that have none. */
export function only(sent: readonly Sent[], passes: (labels: Labels) => boolean): readonly Sent[] {
  return sent
    .map((each) => ({ ...each, alerts: each.alerts.filter(({ labels }) => passes(labels)) }))
    .filter(({ alerts }) => alerts.length > 0);
}

/** The pages in the notifications of a receiver, oldest first. An alert that was resolved and fires again is new. */
export function pagesOf(sent: readonly Sent[], receiver = "page"): readonly Page[] {
  type Open = { minute: number; alerts: string[]; firing: Set<string>; resolved?: number };
  const pages: Open[] = [];
  const firing = new Map<string, Open>();
  for (const { minute, alerts } of sent.filter((each) => each.receiver === receiver)) {
    const fresh: Open = { minute, alerts: [], firing: new Set() };
    for (const alert of alerts) {
      const known = firing.get(alert.fingerprint);
      if (alert.status === "firing" && known === undefined) {
        fresh.alerts.push(nameOf(alert));
        fresh.firing.add(alert.fingerprint);
        firing.set(alert.fingerprint, fresh);
      } else if (alert.status === "resolved" && known !== undefined) {
        firing.delete(alert.fingerprint);
        known.firing.delete(alert.fingerprint);
        if (known.firing.size === 0) known.resolved = minute;
      }
    }
    if (fresh.alerts.length > 0) pages.push(fresh);
  }
  return pages.map(({ minute, alerts, resolved }) => ({
    minute,
    alerts: alerts.toSorted(),
    ...(resolved === undefined ? {} : { resolved }),
  }));
}

/** Sorted names of the alerts that fired for a receiver. */
function namesFor(receiver: string, sent: readonly Sent[]): readonly string[] {
  const firing = sent.filter((each) => each.receiver === receiver).flatMap(({ alerts }) => alerts);
  return [...new Set(firing.filter(({ status }) => status === "firing").map(nameOf))].sort();
}

/** What was sent, in the order in which it was. */
export function outcomeOf(sent: readonly Sent[]): Outcome {
  return { pages: pagesOf(sent), tickets: namesFor("ticket", sent), records: namesFor("record", sent) };
}

/** What is wrong with an outcome, in words; nothing if it is exactly as expected. */
export function judge(story: Story, { pages, tickets, records }: Outcome): readonly string[] {
  const { pairs, unexpected, missing } = paired(pages, story.pages);
  return [
    ...(pages.length === story.pages.length ? [] : [`${pages.length} pages, not ${story.pages.length}`]),
    ...unexpected.map(
      ({ alerts, minute }) =>
        `page ${alerts.join(", ")} after ${shown(minute - story.fault)}, though it was not expected`,
    ),
    ...missing.map(({ alerts }) => `no page ${alerts.join(", ")}, though it was expected`),
    ...pairs.flatMap(([page, expected]) => judgeTimes(story, page, expected)),
    ...compared("tickets", tickets, story.tickets),
    ...(story.records === undefined ? [] : compared("records", records, story.records)),
  ];
}

type Paired = {
  readonly pairs: ReadonlyArray<readonly [Page, ExpectedPage]>;
  readonly unexpected: readonly Page[];
  readonly missing: readonly ExpectedPage[];
};

/** Each page with the first expected one that has the same alerts: two pages of one cause may change places. */
function paired(pages: readonly Page[], expected: readonly ExpectedPage[]): Paired {
  const missing = [...expected];
  const pairs: Array<readonly [Page, ExpectedPage]> = [];
  const unexpected: Page[] = [];
  for (const page of pages) {
    const at = missing.findIndex(({ alerts }) => listed(alerts) === listed(page.alerts));
    const [match] = at < 0 ? [] : missing.splice(at, 1);
    if (match === undefined) unexpected.push(page);
    else pairs.push([page, match]);
  }
  return { pairs, unexpected, missing };
}

function judgeTimes(story: Story, page: Page, { after, resolvedAfter }: ExpectedPage): readonly string[] {
  const what = `page ${page.alerts.join(", ")}`;
  const resolved = page.resolved === undefined ? undefined : page.resolved - (story.recovery ?? story.fault);
  const resolution =
    resolvedAfter !== undefined
      ? late(`${what} resolved`, resolved, resolvedAfter)
      : resolved === undefined
        ? []
        : [`${what} resolved after ${shown(resolved)}, though it was expected to stay`];
  return [...late(what, page.minute - story.fault, after), ...resolution];
}

function late(what: string, after: number | undefined, [earliest, latest]: Within): readonly string[] {
  const range = `not within ${earliest} to ${latest} min`;
  if (after === undefined) return [`${what} never, ${range}`];
  return after >= earliest && after <= latest ? [] : [`${what} after ${shown(after)}, ${range}`];
}

function compared(what: string, got: readonly string[], expected: readonly string[]): readonly string[] {
  const [left, right] = [listed(got), listed(expected)];
  return left === right ? [] : [`${what} ${left || "nothing"}, not ${right || "nothing"}`];
}

const listed = (names: readonly string[]): string => names.toSorted().join(", ");
const shown = (minutes: number): string => `${minutes.toFixed(1)} min`;

/** A story with what was sent about it, and what is wrong with that. */
export type Row = {
  readonly story: Story;
  readonly problems: readonly string[];
  /** What was sent about it. */
  readonly sent: readonly Sent[];
};

/** When each page and ticket of each story came and was resolved, in minutes after the fault and the recovery; one line for each. */
export function timesOf(rows: readonly Row[]): string {
  return rows
    .flatMap(({ story: { name, fault, recovery = fault }, sent }) =>
      ["page", "ticket"].flatMap((receiver) =>
        pagesOf(sent, receiver).map(({ minute, alerts, resolved }) => {
          const end = resolved === undefined ? "" : `, resolved after ${shown(resolved - recovery)}`;
          return `${name}: ${receiver} ${alerts.join(", ")} after ${shown(minute - fault)}${end}\n`;
        }),
      ),
    )
    .join("");
}

/** What was sent about the stories that were not as expected, in minutes after the fault, with the labels; one line for each alert. */
export function detailsOf(rows: readonly Row[]): string {
  const lines = rows
    .filter(({ problems }) => problems.length > 0)
    .flatMap(({ story, sent }) =>
      sent
        .filter(({ receiver }) => receiver !== "none")
        .flatMap(({ minute, receiver, alerts }) =>
          alerts.map(({ status, labels }) => [since(story.fault, minute), receiver, status, JSON.stringify(labels)]),
        ),
    );
  return lines.map((line) => `${line.join(" ")}\n`).join("");
}

const since = (from: number, minute: number): string => (minute - from).toFixed(1);
