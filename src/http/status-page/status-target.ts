import { REASONS, type Failure } from "../../api/reasons.ts";
import type { EndpointStatus, TargetStatus } from "../../poller/poll/status.ts";
import { ago, span, until } from "./age.ts";
import { safe, type Html } from "./html.ts";
import { count, groupEndpoints, type EndpointGroup, type TargetView } from "./status-view.ts";

/** Characters of an error message that are displayed: it can come from a node. */
const MESSAGE_LIMIT = 300;

/** A target with all its endpoints. */
export function renderCard(view: TargetView, now: number): Html {
  const { target, condition, lastAnswer } = view;
  return safe`<article>
    <div class="title">
      <h3><bdi>${target.name}</bdi></h3>
      <span class="badge ${condition}">${upWord(target)}</span> <span>${answering(view)}</span>
    </div>
    ${troubles(view)}
    <p class="facts">
      <span>${networkOf(target)}</span> <code>${nodeIdOf(target)}</code> <code>${target.url}</code>
      <span>last answer ${when(lastAnswer, ago(lastAnswer, now))}</span>
    </p>
    ${renderEndpoints(target, now)}
  </article>
  `;
}

/** A target in one line, expandable to its endpoints when `detailed`. */
export function renderLine(view: TargetView, now: number, detailed: boolean): Html {
  const { target, condition } = view;
  const line = safe`<span><span class="badge ${condition}">${upWord(target)}</span></span>
    <b><bdi>${target.name}</bdi></b> <span>${networkOf(target)}</span> <code>${nodeIdOf(target)}</code>
    <span class="quiet">${answering(view)}${troubles(view)}</span>`;
  if (!detailed)
    return safe`<div class="line">${line}</div>
  `;
  return safe`<details data-key="node ${target.name}">
    <summary>${line}</summary>
    <div class="inside">
      <p class="facts"><code>${target.url}</code></p>
      ${renderEndpoints(target, now)}
    </div>
  </details>
  `;
}

function upWord({ up }: TargetStatus): string {
  if (up === undefined) return "Unknown";
  return up ? "Up" : "Down";
}

function networkOf({ network }: TargetStatus): string {
  return network ?? "network unknown";
}

function nodeIdOf({ nodeId, validatorUnknown }: TargetStatus): string {
  if (nodeId !== undefined) return nodeId;
  return validatorUnknown === true
    ? "node ID unknown: its validator is not known until it answers once; set node_id or --storage.path"
    : "node ID unknown";
}

function answering({ target, failing, condition }: TargetView): string {
  const { endpoints } = target;
  if (failing > 0 && failing === endpoints.length) return `all ${count(failing, "endpoint")} failing`;
  if (failing > 0) return `${failing} of ${count(endpoints.length, "endpoint")} failing`;
  const waiting = endpoints.filter(({ state }) => state === "waiting").length;
  if (waiting > 0 && waiting === endpoints.length) return "no endpoint polled yet";
  if (waiting > 0) return `${waiting} of ${count(endpoints.length, "endpoint")} not polled yet`;
  return condition === "healthy"
    ? `${count(endpoints.length, "endpoint")}, none failing`
    : count(endpoints.length, "endpoint");
}

/** The number of problems and consequences of a target, and whether it reports itself healthy. */
function troubles({ problems: { critical, warning, consequences, claim } }: TargetView): Html {
  const parts = [
    ...(critical > 0 ? [`${critical} critical`] : []),
    ...(warning > 0 ? [count(warning, "warning")] : []),
    ...(consequences > 0 ? [count(consequences, "consequence")] : []),
  ];
  if (parts.length === 0) return safe``;
  const says = claim === undefined ? "" : claim ? ", reports itself healthy" : ", reports itself unhealthy";
  return safe`<span class="trouble ${critical > 0 ? "grave" : "mild"}">${parts.join(", ")}${says}</span>`;
}

function renderEndpoints({ name, endpoints }: TargetStatus, now: number): Html {
  return safe`<div class="scroll">
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
      ${groupEndpoints(endpoints).map((group) => renderGroup(group, now))}
    </table>
  </div>`;
}

function renderGroup({ error, endpoints }: EndpointGroup, now: number): Html {
  const why = error === undefined ? [] : [renderFailure(error)];
  return safe`<tbody>
    ${why}${endpoints.map((endpoint) => renderEndpoint(endpoint, now))}
  </tbody>
  `;
}

/** The reason with its explanation, then the error message. */
function renderFailure({ reason, message }: Failure): Html {
  const exactly = message.length > MESSAGE_LIMIT ? `${message.slice(0, MESSAGE_LIMIT)}…` : message;
  return safe`<tr class="why">
    <td colspan="6">
      <b>${reason}</b>: ${REASONS[reason]}<code><bdi>${exactly}</bdi></code>
    </td>
  </tr>
  `;
}

function renderEndpoint(endpoint: EndpointStatus, now: number): Html {
  const { id, key, lastSuccess, next, every } = endpoint;
  return safe`<tr>
    <th scope="row">${id}</th>
    <td><bdi>${key}</bdi></td>
    <td>${stateInWords(endpoint)}</td>
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

/** A relative time, with the absolute time as an attribute. */
function when(seconds: number | undefined, words: string): Html {
  if (seconds === undefined) return safe`${words}`;
  const exact = new Date(seconds * 1000).toISOString().slice(0, 19);
  return safe`<time datetime="${exact}Z">${words}</time>`;
}
