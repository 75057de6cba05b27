import { describe, expect, it, vi } from "vitest";
import type { EncodedExposition, ProbeRefusal, ProbeRequest } from "../../../src/http/http-dependencies.ts";
import { serving } from "../serving.ts";

const EXPOSITION: EncodedExposition = {
  contentType: "text/plain; version=0.0.4; charset=utf-8",
  contentEncoding: undefined,
  chunks: [Buffer.from("probe_success 1\n")],
};
const { get: getFrom } = serving();

/** The answer to a request, and what was asked of the poller. */
async function get(query: string, headers = {}, answer: EncodedExposition | ProbeRefusal = EXPOSITION) {
  const probe = vi.fn((_request: ProbeRequest) => Promise.resolve(answer));
  const { status, headers: got, text } = await getFrom(`/probe${query}`, { probe }, {}, { headers });
  return { status, type: got["content-type"], text, asked: probe.mock.calls.map(([request]) => request) };
}

describe("/probe", () => {
  it("passes on the parameters and the timeout", async () => {
    const headers = { "X-Prometheus-Scrape-Timeout-Seconds": "9.5", accept: "text/plain", "accept-encoding": "gzip" };
    expect(await get("?target=http%3A%2F%2F10.0.0.1%3A9650&module=evm", headers)).toEqual({
      status: 200,
      type: "text/plain; version=0.0.4; charset=utf-8",
      text: "probe_success 1\n",
      asked: [
        {
          target: "http://10.0.0.1:9650",
          module: "evm",
          timeout: 9.5,
          debug: false,
          accept: "text/plain",
          acceptEncoding: "gzip",
        },
      ],
    });
  });

  it.each([
    [undefined, undefined],
    ["0", undefined],
    ["-3", undefined],
    ["soon", undefined],
    ["", undefined],
    ["Infinity", undefined],
    ["1e9", 300],
    ["15", 15],
  ])("converts the timeout %j to %j", async (header, timeout) => {
    const headers = header === undefined ? {} : { "X-Prometheus-Scrape-Timeout-Seconds": header };
    expect((await get("?target=a", headers)).asked).toMatchObject([{ timeout }]);
  });

  it("treats an empty module as missing and requires debug=true", async () => {
    expect((await get("?target=a&module=&debug=true")).asked).toMatchObject([{ module: undefined, debug: true }]);
    expect((await get("?target=a&debug=yes")).asked).toMatchObject([{ module: undefined, debug: false }]);
  });

  it.each([
    ["", "target is missing: give the name of a configured node or its URL.\n"],
    ["?target=", "target is missing: give the name of a configured node or its URL.\n"],
    ["?target=a&target=b", "A probe takes one target and at most one module.\n"],
    ["?target=a&module=node&module=evm", "A probe takes one target and at most one module.\n"],
  ])("rejects %j: %s", async (query, text) => {
    expect(await get(query)).toMatchObject({ status: 400, text, asked: [] });
  });

  it.each([
    ["busy", 503],
    ["forbidden", 403],
    ["malformed", 400],
    ["module", 400],
  ] as const)("answers the refusal %s with %i and the reason", async (refused, status) => {
    const got = await get("?target=a", {}, { refused, why: "That is why." });
    expect(got).toMatchObject({ status, type: "text/plain; charset=utf-8", text: "That is why.\n" });
  });
});
