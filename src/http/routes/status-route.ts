import type { Status } from "../../poller/poll/status.ts";
import type { HttpDependencies } from "../http-dependencies.ts";
import { jsonReply } from "../reply.ts";
import type { Route } from "../route.ts";

/** Targets that are listed with their endpoints, which are nine tenths of the answer: some 5 kB for a node. */
export const DETAILED = 200;

/** Nodes and polls as JSON. Of a large fleet the later targets come without their endpoints; `?node=` has those of one. */
export function statusRoute({ status }: HttpDependencies): Route {
  return {
    path: "/api/v1/status",
    handle: ({ query }) => jsonReply(shortened(status(), query.get("node") ?? undefined)),
  };
}

function shortened({ targets, ...rest }: Status, node: string | undefined): object {
  if (node !== undefined) return { ...rest, targets: targets.filter(({ name }) => name === node) };
  const others = targets.slice(DETAILED).map((target) => ({ ...target, endpoints: undefined }));
  const left = others.length === 0 ? {} : { withoutEndpoints: others.length };
  return { ...rest, ...left, targets: [...targets.slice(0, DETAILED), ...others] };
}
