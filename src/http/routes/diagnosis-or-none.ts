import type { Diagnosis } from "../../diagnosis/finding.ts";
import type { HttpDependencies } from "../http-dependencies.ts";

/** The diagnosis; `undefined` when it fails, which is logged: a page without problems is better than none. */
export async function diagnosisOrNone({
  diagnosis,
  log,
}: Pick<HttpDependencies, "diagnosis" | "log">): Promise<Diagnosis | undefined> {
  return diagnosis().catch((error: unknown) => {
    log.error({ err: error }, "diagnosis failed");
    return undefined;
  });
}
