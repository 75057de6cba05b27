import type { Api, Call, Method, Outcomes, Resource } from "../../../src/api/endpoint.ts";
import type { Connect } from "../../../src/api/transport/client.ts";
import {
  batchResults,
  batchText,
  bodyOf,
  requestText,
  resultOf,
  validated,
  withDate,
} from "../../../src/api/transport/json-rpc.ts";
import { defaultConfig, defaultNode } from "../../../src/config/default-config.ts";
import { createExposition } from "../../../src/exposition/exposition.ts";
import { createPoller } from "../../../src/poller/poller.ts";
import { TOPICS } from "../../../src/topics/all/topics.ts";
import { catalogueOf } from "../../../src/topics/define/catalogue.ts";
import { parseExposition, type Series } from "../../e2e/support/exposition.ts";
import { createPlayer, type Question, type Reply } from "../../e2e/support/recording-server.ts";
import { loadRecording } from "../../e2e/support/recording.ts";
import { fakeClock } from "../../support/fake-clock.ts";

/** What a node answers in place of the recorded answer. */
export type Twist = (question: Question, reply: Reply) => Reply;

/** The node that never lies. */
export const TRUE = "true";
const WATCHED = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";
/** Unix seconds, soon after the recordings. */
const START = 1_795_300_000;
/** Seconds of all endpoints, so that an answer holds for 30 s. */
const EVERY = 10;

/** Answers a request to a node, by the host of its URL. */
type Answers = (host: string, method: string, path: string, body: string) => Reply;

/** The whole exporter but its sockets, on a fake clock. `errors` has what was logged as an error. */
export function playedExporter(answers: Answers) {
  const catalogue = catalogueOf(TOPICS);
  const exposition = createExposition(catalogue.families);
  const clock = fakeClock({ start: START });
  const errors: string[] = [];
  const quiet = () => undefined;

  function answered(host: string, method: string, path: string, body: string) {
    const { status, headers, body: text } = answers(host, method, path, body);
    return { status, headers, body: { text: () => text } };
  }

  const connect: Connect = ({ url }) => {
    const { hostname } = new URL(url);
    const api: Api = {
      call: <P, R>(method: Method<P, R>, params: P) =>
        Promise.try(() => resultOf(answered(hostname, "POST", method.path, requestText({ method, params })), method)),
      batch: <const C extends readonly Call[]>(path: string, calls: C) =>
        Promise.try(() => batchResults(answered(hostname, "POST", path, batchText(calls)), calls) as Outcomes<C>),
      get: <R>(resource: Resource<R>, query: ReadonlyArray<readonly [string, string]> = []) =>
        Promise.try(() => {
          const search = query.map((pair) => pair.join("=")).join("&");
          const reply = answered(hostname, "GET", resource.path + (search === "" ? "" : `?${search}`), "");
          return validated(resource.result, withDate(bodyOf(reply, resource), reply, resource));
        }),
    };
    return {
      within: (_, ask) => ask(api),
      listen: () => ({ send: quiet, close: quiet }),
      close: () => Promise.resolve(),
    };
  };

  const poller = createPoller({
    catalogue,
    exposition,
    clock,
    connect,
    log: {
      ...{ debug: quiet, info: quiet, warn: quiet },
      error: (data, message) =>
        void errors.push(`${message} ${JSON.stringify(data)} ${String((data as { err?: unknown }).err)}`),
    },
    events: { polled: quiet, duplicates: quiet, defect: (place, what) => void errors.push(`${place} ${what}`) },
  });
  return {
    ...{ poller, errors, catalogue },
    /** A scrape now. */
    text: (): Promise<string> => {
      poller.collect();
      return Promise.resolve(exposition.scrape({ format: "text", gzip: false }).toString());
    },
    pass: async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second++) {
        poller.tick();
        await clock.pass(1);
      }
    },
  };
}

/**
 * The exporter over a recorded node and the same node in as many networks of their own, each of which twists its answers while it
 * lies.
 */
export function playedFleet(recording: string, twists: readonly Twist[]) {
  const play = createPlayer(loadRecording(recording));
  let lying = false;
  const { poller, errors, catalogue, text, pass } = playedExporter((host, method, path, body) => {
    const { question, reply } = play(method, path, body);
    const twist = lying && host !== TRUE ? twists[Number(host.slice("lies-".length))] : undefined;
    return twist?.(question, reply) ?? reply;
  });
  const config = defaultConfig();
  const names = [TRUE, ...twists.map((_, index) => `lies-${index}`)];
  poller.apply({
    ...config,
    nodes: names.map((name) => ({ ...defaultNode(name, `http://${name}:9650`), network: name })),
    watch: { ...config.watch, validators: [WATCHED] },
    endpoints: Object.fromEntries(catalogue.endpoints.map(({ id }) => [id, { every: EVERY, timeout: EVERY }])),
  });

  return {
    errors,
    /** Lies, or tells the truth again, for this many intervals. */
    async intervals(count: number, lies: boolean): Promise<void> {
      lying = lies;
      await pass(count * EVERY);
    },
    /** The series by the name of the node or network that they are about, by name and labels without it. */
    async series(): Promise<ReadonlyMap<string, ReadonlyMap<string, Series>>> {
      const all = parseExposition(await text());
      const found = new Map<string, Map<string, Series>>(names.map((name) => [name, new Map()]));
      for (const each of all.values()) {
        const { node, network, ...rest } = each.labels;
        const own = found.get(network ?? "") ?? found.get(node ?? "");
        own?.set(`${each.name} ${JSON.stringify(rest)}`, each);
      }
      return found;
    },
    close: () => poller.close(),
  };
}
