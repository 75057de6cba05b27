import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { execute } from "../../../src/cli/execute.ts";
import { cleanUpAfter, folder } from "../../e2e/support/harness.ts";
import { freePort, closeServer, listenOn } from "../../e2e/support/recording-server.ts";
import { always, serve } from "../../support/servers.ts";
import { writtenSystem } from "../../support/written-system.ts";

async function problem(...flags: readonly string[]) {
  const { system, written } = writtenSystem();
  const code = await execute(["report", ...flags], system);
  return `${code} ${written.err.replace(/^avax-exporter(?: report)?: /, "")}${written.out}`;
}

const json = (body: object) => ["application/json", JSON.stringify(body)] as const;

it.each([
  [200, ["text/html", "<html>"], "is not a Prometheus: its query API answered 200 without a result"],
  [404, ["text/plain", "404 page"], "is not a Prometheus: its query API answered 404 without a result"],
  [401, ["text/plain", "Unauthorized"], "answered 401: set credentials with --prometheus.auth-file"],
  [
    200,
    json({ status: "success", data: { resultType: "scalar", result: [1, "1"] } }),
    "is not a Prometheus: its query API answered 200 without a result",
  ],
  [422, json({ status: "error", error: "too many samples" }), "rejected a query: too many samples"],
  [302, ["text/html", "moved"], "answered 302: redirects are not followed, pass the URL that it leads to"],
  [
    200,
    json({ status: "success", data: { resultType: "vector", result: [{ metric: {}, value: [1e300, "1"] }] } }),
    "is not a Prometheus: its query API answered 200 without a result",
  ],
] as const)("names what is wrong with an address that answers %i %j", async (status, [type, body], words) => {
  const { url } = await serve(always(status, body, { "content-type": type }));
  expect(await problem(`--prometheus=${url}`)).toBe(`1 ${url} ${words}\n`);
});

it("names what is wrong with an address without a server, and with a Prometheus without the exporter", async () => {
  const dead = `http://127.0.0.1:${await freePort()}`;
  expect(await problem(`--prometheus=${dead}`)).toBe(`1 cannot ask ${dead}: connection refused (ECONNREFUSED)\n`);
  const [type, body] = json({ status: "success", data: { resultType: "vector", result: [] } });
  const { url: empty } = await serve(always(200, body, { "content-type": type }));
  expect(await problem(`--prometheus=${empty}`)).toBe(
    "1 this Prometheus has no series of the exporter in this period: check its scrape job, --since and --selector\n",
  );
});

it("ends after the timeout", async () => {
  const { url } = await serve(() => undefined);
  expect(await problem(`--prometheus=${url}`, "--report.timeout=300ms")).toBe(
    `1 cannot ask ${url}: no answer within 0.3 s: set a longer --report.timeout or a shorter --since\n`,
  );
});

it("sends the credentials of a file, which no message shows", async () => {
  const seen: Array<string | undefined> = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(403).end();
  });
  const url = `http://127.0.0.1:${await listenOn(server)}`;
  cleanUpAfter(() => closeServer(server));
  const at = await folder();
  for (const [name, text] of [
    ["basic", "user:pass word\n"],
    ["token", "abc.def"],
    ["two", "a\nb"],
  ] as const)
    await writeFile(join(at, name), text);
  for (const name of ["basic", "token"])
    expect(await problem(`--prometheus=${url}`, `--prometheus.auth-file=${join(at, name)}`)).toBe(
      `1 ${url} answered 403: set credentials with --prometheus.auth-file\n`,
    );
  expect(seen).toEqual([`Basic ${Buffer.from("user:pass word").toString("base64")}`, "Bearer abc.def"]);
  expect(await problem(`--prometheus=${url}`, `--prometheus.auth-file=${join(at, "two")}`)).toBe(
    `1 "${join(at, "two")}" must have one line\n`,
  );
  expect(await problem(`--prometheus=${url}`, "--prometheus.auth-file=/nowhere")).toBe(
    '1 cannot read "/nowhere": no such file\n',
  );
});

it.each([
  [[], "--prometheus is missing, such as --prometheus=http://127.0.0.1:9090\n"],
  [["--prometheus=http://a", "--since=59m"], "--since is a duration from 1h to 366d\n"],
  [["--prometheus=a"], '--prometheus: "a" is not a URL such as https://avax.example.org/path\nTry report --help.\n'],
])("refuses %j", async (flags, message) => {
  expect(await problem(...flags)).toBe(`2 ${message}`);
});

it.each(["report", "backtest"])("%s sends its credentials to no address that an answer leads to", async (command) => {
  const other = await serve(always(200, "{}"));
  const { url } = await serve(always(307, "", { location: `${other.url}/api/v1/query` }));
  const { system, written } = writtenSystem();
  expect(await execute([command, `--prometheus=${url}`], system)).toBe(1);
  expect(written.err).toContain("answered 307: redirects are not followed");
  expect(other.received).toEqual([]);
});

/** A Prometheus whose every series has these values. */
const oddly = (value: string) =>
  serve((request, response) => {
    const labels = {
      ...{ node: "a", network: "n", node_id: "NodeID-A", name: "a\u001b[2J", remaining: "0-7d", version: "v" },
      ...{ alertname: "AvaxNodeDown", severity: "critical" },
    };
    const range = request.url?.includes("query_range") === true;
    const times = [1_768_175_000, 1_768_175_600];
    const series = range
      ? { metric: labels, values: times.map((at) => [at, value]) }
      : { metric: labels, value: [1_768_176_000, value] };
    const data = { resultType: range ? "matrix" : "vector", result: [series] };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ status: "success", data }));
  });

it.each(["NaN", "+Inf", "-Inf", "1e300", "-1e300", "8.64e12", "9e12", "-1", "0", "0.1", "no number", ""])(
  "prints a report of series whose value is %j, in each format",
  async (value) => {
    const { url } = await oddly(value);
    for (const format of ["text", "json", "html"]) {
      const { system, written } = writtenSystem();
      const flags = [`--prometheus=${url}`, `--format=${format}`, "--until=2026-01-12T00:00:00Z"];
      expect(await execute(["report", ...flags], system), written.err).toBe(0);
      expect(written.out).not.toMatch(format === "json" ? /undefined/ : /Infinity|NaN|undefined|\u001b/);
    }
  },
);
