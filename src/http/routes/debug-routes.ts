import type { HttpDependencies } from "../http-dependencies.ts";
import { textReply, type Reply } from "../reply.ts";
import type { Route } from "../route.ts";

/** Seconds of a CPU profile. */
const SECONDS = { default: 10, most: 60 };

/** Heap snapshots and CPU profiles of the process, one at a time; no routes without `--web.enable-debug`. */
export function debugRoutes({ inspection }: HttpDependencies): readonly Route[] {
  if (inspection === undefined) return [];
  let busy = false;
  const alone = (path: string, make: (query: URLSearchParams) => Promise<Reply>): Route => ({
    path,

    // It stops or slows the process.
    acts: true,
    handle({ query, afterwards }) {
      if (busy) return textReply(409, "Another snapshot or profile is being made, try again later.\n");
      busy = true;
      // Until it has been sent: it is in memory until then.
      afterwards(() => (busy = false));
      return make(query);
    },
  });
  return [
    alone("/debug/heap", async () => {
      const chunks = await inspection.heapSnapshot();
      return chunks === undefined
        ? textReply(503, "The heap is larger than 512 MB: no snapshot is made.\n")
        : { status: 200, headers: attachment("avax-exporter.heapsnapshot"), chunks };
    }),
    alone("/debug/profile", async (query) => {
      const seconds = readSeconds(query.get("seconds"));
      if (seconds === undefined)
        return textReply(400, `seconds must be a whole number from 1 to ${SECONDS.most}, such as ?seconds=10\n`);
      const profile = Buffer.from(await inspection.cpuProfile(seconds));
      return { status: 200, headers: attachment("avax-exporter.cpuprofile"), chunks: [profile] };
    }),
  ];
}

function readSeconds(text: string | null): number | undefined {
  if (text === null) return SECONDS.default;
  const seconds = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  return seconds >= 1 && seconds <= SECONDS.most ? seconds : undefined;
}

function attachment(file: string): Readonly<Record<string, string>> {
  return { "Content-Type": "application/octet-stream", "Content-Disposition": `attachment; filename="${file}"` };
}
