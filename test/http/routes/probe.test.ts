import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Exposition, ProbeRefusal, ProbeRequest } from "../../../src/http/dependencies.ts";
import { startServer, type Running } from "../../../src/http/server/server.ts";
import { ask } from "../ask.ts";
import { dependencies } from "../fixtures.ts";

const EXPOSITION: Exposition = {
  contentType: "text/plain; version=0.0.4; charset=utf-8",
  contentEncoding: undefined,
  chunks: [Buffer.from("probe_success 1\n")],
};
let running: Running;
let asked: ProbeRequest[] = [];
let answer: Exposition | ProbeRefusal = EXPOSITION;

beforeAll(async () => {
  const probe = (request: ProbeRequest) => {
    asked.push(request);
    return Promise.resolve(answer);
  };
  running = await startServer({ listen: "127.0.0.1:0" }, dependencies({ probe }).deps);
});
afterAll(() => running.close());
beforeEach(() => {
  asked = [];
  answer = EXPOSITION;
});

const get = async (query: string, headers = {}) => {
  const { status, headers: got, body } = await ask(`${running.address}/probe${query}`, { headers });
  return { status, type: got["content-type"], text: body.toString() };
};

describe("/probe", () => {
  it("passes on the parameters and the timeout", async () => {
    const headers = { "X-Prometheus-Scrape-Timeout-Seconds": "9.5", accept: "text/plain", "accept-encoding": "gzip" };
    expect(await get("?target=http%3A%2F%2F10.0.0.1%3A9650&module=evm", headers)).toEqual({
      status: 200,
      type: "text/plain; version=0.0.4; charset=utf-8",
      text: "probe_success 1\n",
    });
    expect(asked).toEqual([
      {
        target: "http://10.0.0.1:9650",
        module: "evm",
        timeout: 9.5,
        debug: false,
        accept: "text/plain",
        acceptEncoding: "gzip",
      },
    ]);
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
    await get("?target=a", header === undefined ? {} : { "X-Prometheus-Scrape-Timeout-Seconds": header });
    expect(asked.map((each) => each.timeout)).toEqual([timeout]);
  });

  it("treats an empty module as missing and requires debug=true", async () => {
    await get("?target=a&module=&debug=true");
    await get("?target=a&debug=yes");
    expect(asked.map(({ module, debug }) => [module, debug])).toEqual([
      [undefined, true],
      [undefined, false],
    ]);
  });

  it.each(["", "?target=", "?module=evm", "?targets=a"])("rejects %j without a target", async (query) => {
    expect(await get(query)).toMatchObject({
      status: 400,
      text: "target is missing: give the name of a configured node or its URL.\n",
    });
    expect(asked).toEqual([]);
  });

  it.each(["?target=a&target=b", "?target=a&module=node&module=evm"])(
    "rejects %s with several values",
    async (query) => {
      expect(await get(query)).toMatchObject({
        status: 400,
        text: "A probe takes one target and at most one module.\n",
      });
      expect(asked).toEqual([]);
    },
  );

  it.each([
    ["busy", 503],
    ["forbidden", 403],
    ["malformed", 400],
    ["module", 400],
  ] as const)("answers the refusal %s with %i and the reason", async (refused, status) => {
    answer = { refused, why: "That is why." };
    expect(await get("?target=a")).toEqual({ status, type: "text/plain; charset=utf-8", text: "That is why.\n" });
  });
});
