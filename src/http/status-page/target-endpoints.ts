import { REASONS } from "../../api/reasons.ts";
import type { EndpointStatus, TargetStatus } from "../../poller/poll/status.ts";
import { ago, span, until } from "../../config/base/age.ts";
import { count } from "./count.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { groupEndpoints, type EndpointGroup } from "./status-view.ts";
import { when, withIds } from "./parts.ts";

/** Characters of an error message that are displayed: it can come from a node. */
const MESSAGE_LIMIT = 300;
/** Endpoints with the same error that are named. */
const NAMED = 12;
/** Errors that are listed. */
const ERRORS = 6;

const FAILING = safe` class="grave"`;

/** The errors of a target, each with its endpoints. */
export function renderErrors({ endpoints }: TargetStatus): readonly Html[] {
  const groups = groupEndpoints(endpoints).filter(({ error }) => error !== undefined);
  const more = groups.length - ERRORS;
  return [
    ...groups.slice(0, ERRORS).map(renderError),
    ...(more > 0 ? [safe`<p class="quiet">and ${count(more, "error")} more</p>`] : []),
  ];
}

/** The reason with its explanation, the error message, and the endpoints. */
function renderError({ error, endpoints }: EndpointGroup): Html {
  if (error === undefined) return safe``;
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

/** Every endpoint with its state and times, folded. */
export function renderEndpoints({ name, endpoints }: TargetStatus, now: number): Html {
  if (endpoints.length === 0) return safe``;
  return safe`<details data-key="endpoints ${name}">
    <summary class="plain">${count(endpoints.length, "endpoint")}</summary>
    <table aria-label="Endpoints of ${name}">
      <thead>
        <tr>
          <th scope="col">Endpoint</th>
          <th scope="col">Subject</th>
          <th scope="col">State</th>
          <th scope="col">Last success</th>
          <th scope="col">Next poll</th>
          <th scope="col">Every</th>
        </tr>
      </thead>
      <tbody>
        ${groupEndpoints(endpoints).flatMap((group) => group.endpoints.map((each) => renderEndpoint(each, now)))}
      </tbody>
    </table>
  </details>`;
}

function renderEndpoint(endpoint: EndpointStatus, now: number): Html {
  const { id, key, lastSuccess, next, every } = endpoint;
  return safe`<tr>
    <th scope="row">${id}</th>
    <td><bdi>${withIds(key)}</bdi></td>
    <td${endpoint.state === "failing" ? FAILING : NOTHING}>${stateInWords(endpoint)}</td>
    <td>${when(lastSuccess, ago(lastSuccess, now))}</td>
    <td>${until(next, now)}</td>
    <td>${span(every)}</td>
  </tr>
  `;
}

function stateInWords({ state, failures }: EndpointStatus): string {
  switch (state) {
    case "waiting":
      return "Not polled yet";
    case "ok":
      return "OK";
    case "failing":
      return `Failing, ${count(failures, "time")}`;
    case "unsupported":
      return "Not supported";
  }
}
