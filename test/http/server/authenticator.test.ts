import { hashSync } from "bcryptjs";
import { expect, test, vi } from "vitest";
import { createAuthenticator } from "../../../src/http/server/authenticator.ts";
import { ask, gate } from "../ask.ts";
import { ABOUT } from "../fixtures.ts";
import { serving } from "../serving.ts";

const users = { prometheus: hashSync("pässword:1", 4), other: hashSync("second", 4) };

function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString("base64")}`;
}

const one = { one: "hash-1" };

const { start, get } = serving();

test("every path requires credentials", async () => {
  const reload = vi.fn(() => Promise.resolve({ ok: true as const }));
  const running = await start({ reload }, { web: { users } });
  for (const path of ["/", "/metrics", "/config", "/-/healthy", "/nothing"]) {
    const { status, headers, body } = await ask(running.address + path);
    expect([status, headers["www-authenticate"]]).toEqual([401, 'Basic realm="avax-exporter", charset="UTF-8"']);
    expect(body.toString()).toBe("Unauthorized.\n");
  }
  const wrong = { method: "POST", headers: { authorization: basic("prometheus:wrong") } };
  expect((await ask(`${running.address}/-/reload`, wrong)).status).toBe(401);
  expect(reload).not.toHaveBeenCalled();
  const right = { headers: { authorization: basic("prometheus:pässword:1") } };
  expect((await ask(`${running.address}/metrics`, right)).status).toBe(200);
  expect((await ask(`${running.address}/nothing`, right)).status).toBe(404);
});

test("excluded paths need no credentials; all others do", async () => {
  const web = { users, publicPaths: ["/-/healthy", "/-/ready"] as const };
  const running = await start({}, { web });
  const statusOf = async (path: string, method = "GET") => (await ask(`${running.address}${path}`, { method })).status;
  for (const path of ["/-/healthy", "/-/ready", "/-/healthy?a=b"]) expect(await statusOf(path)).toBe(200);
  for (const path of ["/", "/metrics", "/-/healthy/", "//-/healthy", "/-/HEALTHY", "/-/ready/../../metrics"])
    expect(await statusOf(path)).toBe(401);
  for (const path of ["/-/healthy", "/-/reload"]) expect(await statusOf(path, "POST")).toBe(401);
});

test("an excluded path at which the metrics are served needs credentials", async () => {
  const web = { users, publicPaths: ["/-/healthy"] as const };
  const about = { ...ABOUT, telemetryPath: "/-/healthy" };
  expect((await get("/-/healthy", { about }, { web })).status).toBe(401);
});

test.each([
  [undefined, "denied"],
  ["", "denied"],
  ["Bearer abc", "denied"],
  ["Basic ???", "denied"],
  [basic("prometheus"), "denied"],
  [basic("prometheus:"), "denied"],
  [basic("prometheus:wrong"), "denied"],
  [basic("other:pässword:1"), "denied"],
  [basic("nobody:second"), "denied"],
  [basic("__proto__:second"), "denied"],
  [basic("prometheus:pässword:1"), "granted"],
  [basic("other:second").replace("Basic", "basic"), "granted"],
])("%j is %s", async (header, verdict) => {
  expect(await createAuthenticator()(users, header)).toBe(verdict);
});

test("bcrypt hashes of version 2y, as htpasswd makes them, are accepted", async () => {
  const y = { prometheus: users.prometheus.replace("$2b$", "$2y$") };
  expect(await createAuthenticator()(y, basic("prometheus:pässword:1"))).toBe("granted");
});

test("without users every request is granted", async () => {
  expect(await createAuthenticator()({}, undefined)).toBe("granted");
});

test("right, wrong and unknown credentials are checked once", async () => {
  const compare = vi.fn((password: string, hash: string) => Promise.resolve(password === "right" && hash === "hash-1"));
  const authenticate = createAuthenticator(compare);
  const verdicts = [];
  for (const who of ["one:right", "one:wrong", "nobody:right", "one:right", "one:wrong", "nobody:right", "two:right"]) {
    verdicts.push(await authenticate({ one: "hash-1", two: "hash-2" }, basic(who)));
  }
  expect(verdicts).toEqual(["granted", "denied", "denied", "granted", "denied", "denied", "denied"]);
  // An unknown user is checked against another user's hash, and denied even if it matches.
  expect(compare.mock.calls).toEqual([
    ["right", "hash-1"],
    ["wrong", "hash-1"],
    ["right", "hash-1"],
    ["right", "hash-2"],
  ]);
});

test("concurrent requests with the same credentials are checked once", async () => {
  const compare = vi.fn(() => Promise.resolve(true));
  const authenticate = createAuthenticator(compare);
  const verdicts = await Promise.all([1, 2, 3].map(() => authenticate(one, basic("one:right"))));
  expect(verdicts).toEqual(["granted", "granted", "granted"]);
  expect(compare).toHaveBeenCalledTimes(1);
});

test("the queue of guesses is limited, and credentials known to be good bypass it, after a reload too", async () => {
  const { opened, open } = gate();
  let together = 0;
  let most = 0;
  const compare = async (password: string) => {
    most = Math.max(most, ++together);
    if (password !== "right") await opened;
    together -= 1;
    return password === "right";
  };
  const authenticate = createAuthenticator(compare);
  expect(await authenticate(one, basic("one:right"))).toBe("granted");
  const guesses = Array.from({ length: 70 }, (_, index) => authenticate(one, basic(`one:${index}`)));
  expect(await authenticate(one, basic("one:right"))).toBe("granted");
  expect(await authenticate({ ...one, two: "hash-2" }, basic("one:right"))).toBe("granted");
  expect(await authenticate({ one: "hash-2" }, basic("one:right"))).toBe("busy");
  open();
  const verdicts = await Promise.all(guesses);
  expect(verdicts.filter((verdict) => verdict === "denied")).toHaveLength(65);
  expect(verdicts.filter((verdict) => verdict === "busy")).toHaveLength(5);
  expect(most).toBe(1);
});

test("strangers who guess hold up credentials that are not known yet for the check that runs", async () => {
  const checked: string[] = [];
  const compare = (password: string) => {
    checked.push(password);
    return Promise.resolve(password === "right");
  };
  const authenticate = createAuthenticator(compare);
  const guesses = Array.from({ length: 40 }, (_, index) =>
    authenticate(one, basic(`one:${index}`), `10.0.0.${index % 2}`),
  );
  expect(await authenticate(one, basic("one:right"), "10.0.0.9")).toBe("granted");
  expect(checked.slice(0, 3)).toEqual(["0", "1", "right"]);
  await Promise.all(guesses);
});

test("good credentials behind any number of guesses from their own address are checked when they come again", async () => {
  const checked: string[] = [];
  const { opened, open } = gate();
  const authenticate = createAuthenticator(async (password) => {
    checked.push(password);
    await opened;
    return password === "right";
  });
  let guessed = 0;
  const guesses: Array<Promise<unknown>> = [];
  const guess = (count: number) => {
    for (let n = 0; n < count; n++) guesses.push(authenticate(one, basic(`one:guess-${guessed++}`), "10.0.0.1"));
  };
  guess(400);
  expect(await authenticate(one, basic("one:right"), "10.0.0.1")).toBe("busy");
  guess(2_000);
  const scrape = authenticate(one, basic("one:right"), "10.0.0.1");
  guess(400);
  open();
  expect(await scrape).toBe("granted");
  expect(checked.indexOf("right")).toBeLessThan(3);
  expect(await authenticate(one, basic("one:right"), "10.0.0.1")).toBe("granted");
  await Promise.all(guesses);
});

test("strangers who repeat their guesses from the address of good credentials do not keep them out", async () => {
  const { opened, open } = gate();
  const authenticate = createAuthenticator(async (password) => {
    await opened;
    return password === "right";
  });
  const everyone = [...Array.from({ length: 400 }, (_, index) => `guess-${index}`), "right"];
  const ask = () => everyone.map((password) => authenticate(one, basic(`one:${password}`), "10.0.0.1"));
  const first = ask();
  expect(await first.at(-1)).toBe("busy");
  const second = ask();
  open();
  expect(await second.at(-1)).toBe("granted");
  await Promise.all([...first, ...second]);
});

test.each([
  ["one address with 500 connections", 1, 500],
  ["six addresses with 150", 6, 150],
])(
  "%s that repeat their guesses hold up a scraper elsewhere for one check, and none once they left",
  async (_, many, each) => {
    const checked: string[] = [];
    let step = Promise.withResolvers<void>();
    const compare = async (password: string) => {
      checked.push(password);
      await step.promise;
      return password === "right";
    };
    /** Ends the check that runs. */
    const next = async () => {
      const count = checked.length;
      const ended = step;
      step = Promise.withResolvers();
      ended.resolve();
      await vi.waitUntil(() => checked.length > count, { interval: 1 });
    };
    const authenticate = createAuthenticator(compare);
    const left = Promise.withResolvers<void>();
    const attack = () =>
      Array.from({ length: many * each }, (_, index) =>
        authenticate(one, basic(`one:guess-${index}`), `10.0.0.${index % many}`, left.promise),
      );
    // Turned away, and again: they wait in the lanes of those that repeat.
    const rounds = [attack(), attack()];
    // Each address has guessed wrong.
    for (let check = 0; check < many; check++) await next();
    for (const host of ["10.9.0.1", "10.9.0.2"]) {
      const scrape = authenticate({ one: `hash-${host}` }, basic("one:right"), host);
      await next();
      expect(checked.at(-1)).toBe("right");
      step.resolve();
      expect(await scrape).toBe("granted");
      await vi.waitUntil(() => checked.at(-1) !== "right", { interval: 1 });
      step = Promise.withResolvers();
      rounds.push(attack());
    }
    const before = checked.length;
    left.resolve();
    step.resolve();
    await Promise.all(rounds.flat());
    expect(checked.length).toBeLessThanOrEqual(before + 1);
    expect(await authenticate({ one: "hash-3" }, basic("one:right"), "10.0.0.0")).toBe("granted");
  },
);

test("a failed check does not block the queue", async () => {
  const compare = vi.fn().mockRejectedValueOnce(new Error("broken hash")).mockResolvedValueOnce(true);
  const authenticate = createAuthenticator(compare);
  await expect(authenticate(one, basic("one:right"))).rejects.toThrow("broken hash");
  expect(await authenticate(one, basic("one:right"))).toBe("granted");
});

test("users can be replaced while the server runs", async () => {
  const running = await start({}, { web: { users } });
  const headers = { authorization: basic("other:second") };
  expect((await ask(`${running.address}/metrics`, { headers })).status).toBe(200);
  running.secure({ users: { prometheus: users.prometheus }, headers: { "X-Frame-Options": "deny" } });
  expect((await ask(`${running.address}/metrics`, { headers })).status).toBe(401);
  running.secure(undefined);
  expect((await ask(`${running.address}/metrics`)).status).toBe(200);
});
