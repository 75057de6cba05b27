import { negotiate } from "../http/negotiate.ts";
import type { Exposition, HttpDependencies, ProbeRequest } from "../http/dependencies.ts";
import { renderSamples } from "../exposition/exposition.ts";
import type { Probed } from "../poller/probe/probe.ts";
import { PROBE_FAMILIES } from "../topics/exporter/probe-events.ts";
import { createProber, type Prober, type ProberOptions } from "./prober.ts";

export type Probing = Pick<HttpDependencies, "probe" | "modules"> & Pick<Prober, "running">;

/** Answers `/probe`. */
export function createProbing(options: ProberOptions): Probing {
  const prober = createProber(options);
  return {
    modules: prober.modules,
    running: prober.running,
    async probe(request) {
      const answer = await prober.ask(request);
      return "refused" in answer ? answer : expose(answer.probed, request);
    },
  };
}

async function expose(probed: Probed, { accept, acceptEncoding, debug }: ProbeRequest): Promise<Exposition> {
  const { format, gzip, contentType } = debug ? negotiate(undefined, undefined) : negotiate(accept, acceptEncoding);
  const extra = PROBE_FAMILIES.map((each) => ({ family: each, text: renderSamples(each, {}, each.read(probed)).text }));
  const body = await probed.exposition.scrape({ format, gzip, extra });
  if (!debug) return { contentType, contentEncoding: gzip ? "gzip" : undefined, chunks: [body] };
  const report = Buffer.from(reportOf(probed));
  return { contentType: "text/plain; charset=utf-8", contentEncoding: undefined, chunks: [report, body] };
}

/** The result of a probe as text, for `debug`. */
function reportOf({ success, seconds, polls, failures }: Probed): string {
  const unpolled = failures.filter(({ endpoint }) => !polls.some(({ id }) => id === endpoint));
  return [
    `The probe ${success ? "succeeded" : "failed"} in ${seconds.toFixed(3)} s.`,
    "",
    ...polls.map(({ id, key, state, error }) => {
      const words = error === undefined ? "" : `: ${error.reason}: ${error.message}`;
      return `${STATES[state].padEnd(14)}${id}${key === "" ? "" : ` ${key}`}${words}`;
    }),
    ...unpolled.map(({ endpoint, reason }) => `${"not polled".padEnd(14)}${endpoint}: ${reason}`),
    "",
    "",
  ].join("\n");
}

const STATES = { ok: "answered", failing: "failed", waiting: "too late", unsupported: "unsupported" } as const;
