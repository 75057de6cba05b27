import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../../src/api/transport/client.ts";
import { defaultConfig, defaultNode } from "../../../src/config/default-config.ts";
import { createExposition } from "../../../src/exposition/exposition.ts";
import { createPoller } from "../../../src/poller/poller.ts";
import { TOPICS } from "../../../src/topics/all/topics.ts";
import { catalogueOf } from "../../../src/topics/define/catalogue.ts";
import { parseExposition } from "../../e2e/support/exposition.ts";
import { loadRecording } from "../../e2e/support/recording.ts";
import { createPlayer, startRecordingServer, type Question, type Reply } from "../../e2e/support/recording-server.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { createRequestsUnderWay } from "../../support/requests-under-way.ts";

const quiet = () => undefined;
const POOL = 'avax_evm_txpool_transactions{chain="C",network="network-424243",node="a",state="pending"}';

/** An exporter with one node, which answers as recorded, and differently by `twist`. */
async function polled(recording: string) {
  const node = { twist: (_question: Question, reply: Reply): Reply => reply, pools: 0 };
  const serve = (port = 0) =>
    startRecordingServer(loadRecording(recording), {
      port,
      twist(question, reply) {
        if (question.batch?.some(({ method }) => method === "txpool_status") === true) node.pools++;
        return node.twist(question, reply);
      },
    });
  let server = await serve();
  onTestFinished(() => server.close());
  const clock = fakeClock({ start: 1_797_000_000 });
  const catalogue = catalogueOf(TOPICS);
  const exposition = createExposition(catalogue.families);
  const { watched, answered } = createRequestsUnderWay();
  const poller = createPoller({
    ...{ catalogue, exposition, clock },
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    events: { polled: quiet, defect: quiet, duplicates: quiet },
    connect: (...given) => watched(createClient(...given)),
  });
  onTestFinished(() => poller.close());
  poller.apply({ ...defaultConfig(), nodes: [defaultNode("a", server.url)] });
  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      poller.tick();
      await answered(clock);
      await clock.pass(1);
    }
  }
  function pool(): number | undefined {
    poller.collect();
    return parseExposition(exposition.scrape({ format: "text", gzip: false }).toString()).get(POOL)?.value;
  }
  async function restart(): Promise<void> {
    await server.close();
    await pass(40);
    server = await serve(server.port);
  }
  return { node, pass, pool, restart };
}

test("the pool that a node refused is there within five minutes of the switch to Helicon, which is a change of its version", async () => {
  const { node, pass, pool } = await polled("head115-upgrade-ahead");
  await pass(620);
  expect([pool(), node.pools]).toEqual([undefined, 1]);
  const after = createPlayer(loadRecording("head115-at-transition"));
  node.twist = ({ method, path, query, rpc, batch }) =>
    after(method, `${path}${query.length === 0 ? "" : `?${query[0]?.join("=")}`}`, JSON.stringify(batch ?? rpc) ?? "")
      .reply;
  await pass(320);
  expect(pool()).toBe(0);
});

test("the pool that a node refused is there at once after its restart with another configuration", async () => {
  const { node, pass, pool, restart } = await polled("head115-left-behind");
  const refusal = '"error":{"code":-32601,"message":"the method txpool_status does not exist/is not available"}';
  node.twist = (_question, reply) => ({ ...reply, body: reply.body.replace(/"result":\{"pending":[^}]+\}/, refusal) });
  await pass(320);
  expect([pool(), node.pools]).toEqual([undefined, 1]);
  node.twist = (_question, reply) => reply;
  await restart();
  await pass(45);
  expect([pool(), node.pools > 1]).toEqual([0, true]);
});
