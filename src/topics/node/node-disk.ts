import { Health } from "../../api/node/health.ts";
import { OwnRecords } from "../own-records.ts";
import { gauge } from "../define/metric.ts";
import { optional } from "../define/needs.ts";
import { reducer } from "../define/topic.ts";
import { nodeHealthOf } from "./health-messages.ts";

/** The node stops itself below 3 %, and reports whole percent. */
export const FULL_DISK_RATIO = 0.05;
/** Leaves days to enlarge the disk before the node reports itself unhealthy. */
export const LITTLE_DISK_RATIO = 0.15;

/** The last free share that the node reported; `undefined` before the first. */
type State = number | undefined;

function restored(saved: unknown): State {
  if (typeof saved === "number" && saved >= 0 && saved <= 1) return saved;
  throw new Error("not a share");
}

/** For whoever is paged about a full disk: a node that has stopped itself because of it reports nothing more. */
export const nodeDisk = reducer(
  {
    id: "node-disk",
    about: "How much of its disk does the node have left?",
    scope: "node",
    needs: { report: optional(Health), record: optional(OwnRecords) },
    start: (): State => undefined,
    next: (last, { report }): State => (report === undefined ? undefined : nodeHealthOf(report).diskRatio) ?? last,
    saved: { save: (state) => state ?? null, restore: (saved) => (saved === null ? undefined : restored(saved)) },
  },
  {
    bytes: gauge(
      "avax_node_disk_available_bytes",
      "Free bytes on the database's disk; the node stops itself below 3 % (health API, check diskspace: `availableDiskBytes`).",
      ({ report }) => report && nodeHealthOf(report).diskBytes,
    ),
    ratio: gauge(
      "avax_node_disk_available_ratio",
      "Free share of the database's disk, whole percent; while the node does not answer, the last one that it reported (health API, check diskspace: `availableDiskPercentage`).",
      ({ report, record, state }) => {
        const reported = report && nodeHealthOf(report).diskRatio;
        return reported ?? (record?.up === false ? state : undefined);
      },
    ),
  },
);
