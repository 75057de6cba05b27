import { answer } from "../../../simulator/router.ts";
import { createWorld } from "../../../simulator/world/genesis.ts";
import { initialHistory } from "../../../simulator/world/history.ts";
import { createNetwork, type Network } from "../../../simulator/world/network.ts";
import { settle } from "../../../simulator/world/options.ts";
import { questionOf, type Player, type Question, type Reply } from "../../e2e/support/recording-server.ts";

/** Size of the simulated network. */
export type Size = {
  readonly nodes: number;
  readonly validators: number;
  /** Entries of `info.peers`. */
  readonly peers: number;
};

export type SimulatedNode = { readonly name: string; readonly nodeId: string; readonly play: Player };

/** Milliseconds for which an answer that is expensive to make is sent again. */
const PREPARED_FOR = 600_000;
/** Methods whose answers grow with the network: half a megabyte and more. Within minutes only their times change. */
const EXPENSIVE: ReadonlySet<string> = new Set([
  "info.peers",
  "info.acps",
  "info.uptime",
  "platform.getCurrentValidators",
]);

/**
 * The nodes of a simulated network without their servers. Expensive answers are prepared as bytes, once in ten minutes for each
 * node; the times of the last messages in them are written anew, because the exporter compares them with its clock.
 * @param clock simulated time, Unix milliseconds
 */
export function simulatedNodes({ nodes, validators, peers }: Size, clock: () => number): readonly SimulatedNode[] {
  const settings = settle({ nodes, validators, peersPerNode: peers }, clock());
  const world = createWorld(settings);
  const network = createNetwork(world, initialHistory(settings, "healthy"));
  return Array.from({ length: nodes }, (_, index) => ({
    name: `node-${String(index + 1).padStart(3, "0")}`,
    nodeId: world.members[index]?.nodeId ?? "",
    play: playerOf(network, index, clock),
  }));
}

function playerOf(network: Network, index: number, clock: () => number): Player {
  const dialect = network.world.settings.dialects[index] ?? "avalanchego";
  const version = network.world.settings.versions[index] ?? network.world.settings.version;
  const prepared = new Map<string, Prepared>();
  const reply = (question: Question, body: string): Reply => {
    const { method, path } = question;
    const at = clock();
    const query = new URLSearchParams(Object.fromEntries(question.query));
    const made = answer(
      { method, path, query, headers: HEADERS, body },
      { network, index, at: Math.floor(at), dialect, version },
    );
    const type = made.type === undefined ? {} : { "content-type": made.type };
    const date = new Date(at).toUTCString();
    return { status: made.status, headers: { ...type, ...made.headers, date }, body: made.body };
  };
  return (method, target, body) => {
    const question = questionOf(method, target, body);
    if (!EXPENSIVE.has(question.rpc?.method ?? "")) return { question, reply: reply(question, body) };
    const known = prepared.get(body);
    const now = clock();
    if (known !== undefined && now - known.at < PREPARED_FOR) return { question, reply: known.reply(now) };
    const fresh = prepare(reply(question, body), now);
    prepared.set(body, fresh);
    return { question, reply: fresh.reply(now) };
  };
}

const HEADERS = { "content-type": "application/json" };

type Prepared = { readonly at: number; readonly reply: (now: number) => Reply };

const TIMES = /"last(?:Sent|Received)":"(?=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")/g;

/** An answer as bytes, with the places of the times that follow the clock. */
function prepare({ status, headers, body }: Reply, at: number): Prepared {
  const bytes = Buffer.from(body);
  // Places in the text are places in the bytes only if every character is one byte.
  const places = bytes.length === body.length ? [...body.matchAll(TIMES)].map((m) => m.index + m[0].length) : [];
  return {
    at,
    reply(now) {
      const time = `${new Date(now - 1000).toISOString().slice(0, 19)}Z`;
      for (const place of places) bytes.write(time, place, "latin1");
      return {
        status,
        headers: { ...headers, date: new Date(now).toUTCString() },
        bytes,
        get body() {
          return bytes.toString();
        },
      };
    },
  };
}
