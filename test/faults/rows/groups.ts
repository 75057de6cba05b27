import { answers } from "./answers.ts";
import { http } from "./http.ts";
import { lies } from "./lies.ts";
import { long } from "./long.ts";
import { sizes } from "./sizes.ts";
import { sockets } from "./sockets.ts";
import { tls } from "./tls.ts";
import { transport } from "./transport.ts";
import { values } from "./values.ts";
import type { Group, Row, SceneName } from "../support/row.ts";

/** The matrix: every fault of a node, with what must follow from it. */
export const GROUPS: readonly Group[] = [transport, tls, http, answers, values, lies, sizes, sockets, long];

export function rowsOf(scene: SceneName): readonly Row[] {
  return GROUPS.filter((group) => group.scene === scene).flatMap(({ rows }) => rows);
}
