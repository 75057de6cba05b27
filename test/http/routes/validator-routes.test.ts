import { describe, expect, it } from "vitest";
import type { HttpDependencies } from "../../../src/http/http-dependencies.ts";
import { VALIDATOR_PAGE } from "../../../src/http/pages/page-files.ts";
import { DELEGATED, ID, observed, OF, STAKER, viewsOf } from "../../diagnosis/validator/samples.ts";
import { consequence, diagnosis, problem } from "../fixtures.ts";
import { serving } from "../serving.ts";

const JUDGED =
  "Each is judged at its own end. Lost are those that end before 2027-01-15 20:00 UTC in 12 h, when the uptime can suffice:";
const VIEWS = viewsOf([...STAKER, ...observed("a", 0.82), ...observed("b", 0.84)]);
const EVIL = `<script>alert(1)</script>`;

const { get: getFrom } = serving();
const get = (path: string, over: Partial<HttpDependencies> = {}, web = {}) =>
  getFrom(path, { validators: () => Promise.resolve(VIEWS), ...over }, web);

const textOf = (html: string) =>
  html
    .replaceAll(/<style>.*?<\/style>/gs, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");

describe("the page of a validator", () => {
  it("answers in this order: paid, downtime, outages, stake, upgrade, network, problems", async () => {
    const { status, headers, text } = await get("/validator/own?offline=7h");
    expect([status, headers["content-security-policy"]]).toEqual([200, VALIDATOR_PAGE.policy]);
    const titles = [...text.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, title]) => title);
    expect(titles).toEqual([
      "Will Alpha be paid?",
      "How much downtime is left?",
      "If Alpha goes offline now, is it still paid?",
      "When does the stake end?",
      "Is it ready for the next upgrade?",
      "What does the network see?",
      "Current problems",
    ]);
    const shown = textOf(text);
    // Median 83 % of nine days: 0.83 · 777,600 + 86,400 - 691,200 = 40,608 s.
    expect(shown).toContain(
      "Reward at risk Alpha has 11 h 16 min of downtime left until its period ends on 2027-01-16 08:00 UTC. With more, its reward is lost.",
    );
    expect(shown).toContain("Its uptime is 83 % (median of 2 observers); 80 % is required.");
    expect(shown).toContain("10 min yes, but at risk 11 h 6 min 2 of 2");
    expect(shown).toContain("7 h yes, but at risk 4 h 16 min 2 of 2");
    expect(shown).toContain("1 d no lost by 12 h 43 min 2 of 2");
    expect(shown).toContain("Offline from now on, it loses the reward after 11 h 16 min, on 2027-01-15 19:16 UTC.");
    expect(shown).toContain("Stake 2,000 AVAX Delegated 75 AVAX by 3 delegators");
    expect(shown).toContain("a 82 % yes 9 h 7 min");
    expect(shown).toContain("No problems about this validator.");
  });

  it.each([
    [
      "what is lost",
      DELEGATED,
      `Not rewarded at this uptime 675 AVAX with 12.5 AVAX of rewards ${JUDGED} 75 AVAX with 1.5 AVAX of rewards.`,
    ],
    [
      "nothing is lost yet",
      DELEGATED.map((line) => line.replace(/(unrewarded_avax.*) 75$/, "$1 0")),
      `Not rewarded at this uptime 675 AVAX with 12.5 AVAX of rewards ${JUDGED} none.`,
    ],
    ["nothing is lost", DELEGATED.filter((line) => !line.includes("recovery")), "Not rewarded at this uptime none"],
    ["it is unknown", DELEGATED.filter((line) => !line.includes("unrewarded")), "Not rewarded at this uptime unknown"],
  ])("shows the delegations: %s", async (_what, lines, expected) => {
    const validators = () => Promise.resolve(viewsOf([...STAKER, ...observed("a", 0.7), ...lines]));
    const shown = textOf((await get("/validator/own", { validators })).text).replaceAll(" , ", ", ");
    expect(shown).toContain("Within 7 / 30 / 90 days 100 / 175 / 175 AVAX");
    expect(shown).toContain("Next large one 19.05 % of the weight, 2027-01-15 20:00 UTC in 12 h");
    expect(shown).toContain(`Commission, if all are rewarded 0.25 AVAX ${expected}`);
  });

  it("has the commission by the Data API, which knows validators that are not polled", async () => {
    const potential = ["validation", "delegation"].map(
      (kind, index) =>
        `avax_hosted_validator_potential_reward_avax{network="fuji",node_id="${ID}",kind="${kind}"} ${146 - 139 * index}`,
    );
    const of = (lines: readonly string[]) => ({ validators: () => Promise.resolve(viewsOf([...STAKER, ...lines])) });
    expect(textOf((await get("/validator/own", of(potential))).text)).toContain(
      "Fees expected, by the Data API 7 AVAX",
    );
    expect((await get("/validator/own", of([]))).text).not.toContain("Fees expected");
  });

  it("lists the problems of the validator and of its node, with runbooks", async () => {
    const found = diagnosis([
      problem({ labels: { node_id: ID, network: "fuji" }, summary: "mine" }),
      problem({ labels: { node: "x" }, summary: "a cause" }, [
        consequence({ labels: { node: "own" }, summary: "my node" }),
      ]),
      problem({ labels: { node: "own", node_id: "NodeID-Other" }, summary: "another one" }),
    ]);
    const { text } = await get("/validator/own", { diagnosis: () => Promise.resolve(found) });
    const shown = textOf(text);
    expect(shown).toContain("critical mine critical my node");
    expect(shown).not.toContain("another one");
    expect(text).toContain(`href="/runbooks/AvaxNodeLeftBehind"`);
  });

  it("is there without the diagnosis", async () => {
    const { status, text } = await get("/validator/own", { diagnosis: () => Promise.reject(new Error("no")) });
    expect([status, textOf(text).includes("Unknown: the diagnosis failed")]).toEqual([200, true]);
  });

  it("explains a malformed duration", async () => {
    const { status, text } = await get(`/validator/own?offline=${encodeURIComponent(`"${EVIL}`)}`);
    expect(status).toBe(400);
    expect(text).toContain("is not a duration such as 30m, 6h or 1d12h");
    expect(text).not.toContain("<script");
  });
});

describe("a name", () => {
  it("that is unknown has the nearest ones", async () => {
    const { status, text } = await get("/validator/alhpa");
    expect(status).toBe(404);
    expect(text).toContain(`<a href="/validator/Alpha"><bdi>Alpha</bdi></a>`);
  });
  it.each(["/validator/%E0%A4%A", "/validator/a/b"])("in %s is no path", async (path) => {
    const { status, text } = await get(path);
    expect([status, text.startsWith("Not found.")]).toEqual([404, true]);
  });
  it("on a badge without the flag is answered with the flag", async () => {
    const { status, text } = await get("/badge/own.svg");
    expect([status, text]).toEqual([404, "Badges are off: --web.badges=protected or public serves them.\n"]);
  });
  it("of two networks is a choice", async () => {
    const both = viewsOf([...STAKER, ...STAKER.map((line) => line.replaceAll("fuji", "mainnet"))]);
    const validators = () => Promise.resolve(both);
    const { status, text } = await get(`/validator/${ID}`, { validators });
    expect(status).toBe(300);
    expect(text).toContain(`href="/validator/${ID}?network=mainnet"`);
    const one = await get(`/validator/${ID}?network=mainnet`, { validators });
    expect(one.status).toBe(200);
    expect(one.text).toContain(`<input type="hidden" name="network" value="mainnet">`);
  });
});

it("the list has every validator with its verdict, and /validator leads to it", async () => {
  const { text } = await get("/validator/");
  expect(textOf(text)).toContain("1 validator: 1 at risk");
  expect(textOf(text)).toContain("Reward at risk 11 h 16 min 83 % 80 % 1 d fuji");
  const { status, headers } = await get("/validator");
  expect([status, headers.location]).toEqual([301, "validator/"]);
});

describe("the JSON", () => {
  it("has the figures of the page", async () => {
    const { headers, text } = await get("/api/v1/validator/own?offline=7h");
    expect(headers["content-type"]).toBe("application/json");
    expect(JSON.parse(text)).toMatchObject({
      nodeId: ID,
      reward: { state: "at_risk", reason: "budget", answer: "Reward at risk" },
      stakes: [
        {
          budget: 40_608,
          outages: [
            { seconds: 600 },
            { seconds: 3_600 },
            { seconds: 25_200, paid: true, left: 15_408 },
            { paid: false },
          ],
        },
      ],
      problems: [],
    });
  });
  it.each([
    ["/api/v1/validator/alhpa", 404, { error: "unknown validator", nearest: ["Alpha"] }],
    [
      "/api/v1/validator/own?offline=soon",
      400,
      { error: 'offline: "soon" is not a duration such as 30m, 6h or 1d12h' },
    ],
  ])("%s: %s", async (path, status, body) => {
    const answer = await get(path);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([status, body]);
  });
});

describe("a badge", () => {
  const SVG = "image/svg+xml; charset=utf-8";
  // bcrypt of "secret" is not needed: no request has credentials.
  const web = { web: { users: { me: "$2b$04$abcdefghijklmnopqrstuuUY0m3LZsZk0xkqpWw7hTtCbwzQ0yHqK" }, headers: {} } };

  it("is an SVG with its text as label, kept for a minute", async () => {
    const { headers, text } = await get("/badge/own.svg", { badges: "protected" });
    expect([headers["content-type"], headers["cache-control"]]).toEqual([SVG, "private, max-age=60"]);
    expect(text).toContain(`role="img" aria-label="Alpha: reward at risk"`);
    expect(text).toContain("<title>Alpha: reward at risk</title>");
    expect(text).not.toMatch(/<script|style=|on\w+=/);
  });
  it.each([
    ["protected", "/badge/own.svg", 401],
    ["public", "/badge/own.svg", 200],
    ["public", "/validator/own", 401],
    ["public", "/badge/unknown.svg", 404],
  ] as const)("%s with a login on the pages: %s answers %s", async (badges, path, status) => {
    expect((await get(path, { badges }, web)).status).toBe(status);
  });
  it("of an unknown name is an image without names", async () => {
    const { headers, text } = await get("/badge/alhpa.svg", { badges: "public" });
    expect([headers["content-type"], text.includes("Alpha")]).toEqual([SVG, false]);
    expect(text).toContain("validator: not known");
  });
  it("escapes and shortens a name", async () => {
    const name = `${EVIL}${"x".repeat(100)}`;
    const views = viewsOf([
      `avax_validator_info{network="fuji",node_id="${ID}",name="${name}",node=""} 1`,
      `avax_validator_in_set{${OF}} 1`,
    ]);
    const { text } = await get(`/badge/${ID}.svg`, { badges: "public", validators: () => Promise.resolve(views) });
    expect(text).not.toContain("<script");
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;xxxxxx…");
  });
});
