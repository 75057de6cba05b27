import { createHash, timingSafeEqual } from "node:crypto";
import ical, { ICalAlarmType } from "ical-generator";
import type { CalendarDate } from "../../diagnosis/validator/calendar-of.ts";
import type { HttpDependencies } from "../http-dependencies.ts";
import { textReply } from "../reply.ts";
import type { Route } from "../route.ts";

/** Seconds after which a calendar asks again. */
const REFRESH = 3_600;
const ENTRY_MS = 3_600_000;
/** Seconds before an entry when it reminds: a stake that ended cannot be prolonged. */
const REMINDER = 86_400;

/**
 * The dates of all validators, or of one, as iCalendar. With a token they need no login, because most calendars cannot log in; it is
 * in the query then.
 */
export function calendarRoutes(dependencies: HttpDependencies): readonly Route[] {
  const { calendar, calendarToken: token } = dependencies;
  const handle: Route["handle"] = async ({ query, rest }) => {
    if (token !== undefined && !isEqual(query.get("token") ?? "", token))
      return textReply(403, "The calendar needs ?token= with the token of --web.calendar-token-file.\n");
    const all = await calendar();
    if (rest === "") return calendarReply("Avalanche validators", all);
    const name = rest.replace(/\.ics$/, "");
    const own = all.filter(({ about }) => about.includes(name));
    // What concerns a whole network concerns its validators too.
    return own.length === 0
      ? textReply(404, "No date is known of a validator with this name or node ID.\n")
      : calendarReply(name, [...own, ...all.filter(({ about }) => about.length === 0)]);
  };
  const isPublic = token !== undefined;
  return [
    { path: "/calendar.ics", isPublic, handle },
    { path: "/calendar/", below: true, isPublic, handle },
  ];
}

function calendarReply(name: string, dates: readonly CalendarDate[]) {
  const calendar = ical({ name, prodId: "//avax-exporter//calendar//EN", ttl: REFRESH });
  for (const { id, at, title, text } of dates)
    calendar.createEvent({
      id: `${id}@avax-exporter`,
      start: new Date(at * 1000),
      end: new Date(at * 1000 + ENTRY_MS),
      summary: title,
      description: text,
      alarms: [{ type: ICalAlarmType.display, trigger: REMINDER, description: title }],
    });
  // The library leaves out the end of the last line.
  return textReply(
    200,
    `${calendar.toString()}\r\n`,
    { "Cache-Control": "private, no-cache" },
    "text/calendar; charset=utf-8",
  );
}

/** Whether two texts are equal, in a time that says nothing of where they differ. */
function isEqual(given: string, token: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}
