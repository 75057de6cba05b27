import { z } from "zod";
import type { Sha256 } from "../../api/wire.ts";
import { integer, listOf, nodeId } from "./fields.ts";

/** The section `watch`. */
export function watchSection(sha256: Sha256) {
  return z
    .strictObject({
      validators: listOf("Node IDs watched in detail, beside the polled nodes' own.", nodeId("Node ID.", sha256)),
      witnesses: integer(
        "From how many polled nodes each polled validator is looked at, itself included, 1 to 100.",
        1,
        100,
      ).prefault(5),
    })
    .describe("Validators that are looked at in detail.");
}
