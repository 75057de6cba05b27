import { REASONS } from "../../api/reasons.ts";
import type { EndpointStatus, TargetStatus } from "../../poller/poll/status.ts";
import { ago, span, until } from "../../config/base/durations.ts";
import { count } from "./count.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { isFailing } from "./status-view.ts";
import { when, withIds } from "./page-parts.ts";

/** Characters of an error message that are displayed: it can come from a node. */
const MESSAGE_LIMIT = 300;
/** Endpoints with the same error that are named. */
const NAMED = 12;
/** Errors that are listed. */
const ERRORS = 6;

const FAILING = safe` class="grave"`;

/** The errors of a target, each with its endpoints. */
export function renderErrors({ endpoints }: TargetStatus): readonly Html[] {
  const groups = [
    ...Map.groupBy(endpoints.filter(isFailing), ({ error }) => `${error?.reason} ${error?.message}`).values(),
  ];
  const more = groups.length - ERRORS;
  return [
    ...groups.slice(0, ERRORS).map(renderError),
    more > 0 ? safe`<p class="quiet">and ${count(more, "error")} more</p>` : NOTHING,
  ];
}

/** The reason with its explanation, the error message, and the endpoints that have it. */
function renderError(endpoints: readonly EndpointStatus[]): Html {
  const [{ error } = {}] = endpoints;
  if (error === undefined) return NOTHING;
  const { reason, message } = error;
  const exactly = message.length > MESSAGE_LIMIT ? `${message.slice(0, MESSAGE_LIMIT)}…` : message;
  const names = [...Map.groupBy(endpoints, ({ id }) => id)].map(([id, same]) =>
    same.length === 1 ? id : `${id} (${same.length})`,
  );
  const more = names.length - NAMED;
  const named = `${names.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return safe`<p class="why"><b>${reason}</b>: ${REASONS[reason]} <code><bdi>${exactly}</bdi></code>
    <span class="quiet">${count(endpoints.length, "endpoint")}: ${named}</span></p>`;
}

const ORDER: ReadonlyArray<EndpointStatus["state"]> = ["failing", "waiting", "ok", "unsupported"];

/** Every endpoint with its state and times, folded. */
export function renderEndpoints({ name, endpoints }: TargetStatus, now: number): Html {
  if (endpoints.length === 0) return NOTHING;
  const titles = ["Endpoint", "Subject", "State", "Last success", "Next poll", "Every"];
  const sorted = endpoints.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  return safe`<details data-key="endpoints ${name}">
    <summary class="plain">${count(endpoints.length, "endpoint")}</summary>
    <table aria-label="Endpoints of ${name}">
      <thead><tr>${titles.map((title) => safe`<th scope="col">${title}</th>`)}</tr></thead>
      <tbody>${sorted.map((each) => renderEndpoint(each, now))}</tbody>
    </table>
  </details>`;
}

function renderEndpoint(endpoint: EndpointStatus, now: number): Html {
  const { id, key, lastSuccess, next, every, failures } = endpoint;
  const words = {
    waiting: "Not polled yet",
    ok: "OK",
    failing: `Failing, ${count(failures, "time")}`,
    unsupported: "Not supported",
  };
  return safe`<tr>
    <th scope="row">${id}</th>
    <td><bdi>${withIds(key)}</bdi></td>
    <td${isFailing(endpoint) ? FAILING : NOTHING}>${words[endpoint.state]}</td>
    <td>${when(lastSuccess, ago(lastSuccess, now))}</td>
    <td>${until(next, now)}</td>
    <td>${span(every)}</td>
  </tr>
  `;
}
