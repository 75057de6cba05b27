import type { HttpDependencies } from "../server/dependencies.ts";
import { textReply } from "../server/reply.ts";
import type { Route } from "../server/route.ts";

/** The running configuration as YAML, secrets masked; plain text, so that a browser shows it. */
export function configRoute({ maskedConfig }: HttpDependencies): Route {
  return { path: "/config", methods: ["GET"], handle: () => textReply(200, maskedConfig()) };
}
