import type { HttpDependencies } from "../dependencies.ts";
import { textReply } from "../reply.ts";
import type { Route } from "../route.ts";

/** The running configuration as YAML, secrets masked; plain text, so that a browser shows it. */
export function configRoute({ maskedConfig }: HttpDependencies): Route {
  return { path: "/config", methods: ["GET"], handle: () => textReply(200, maskedConfig()) };
}
