import type { HttpDependencies } from "../dependencies.ts";
import { textReply } from "../reply.ts";
import type { Route } from "../route.ts";
import { renderStatusPage } from "../status-page.ts";
import { CONTENT_SECURITY_POLICY } from "../status-page-style.ts";

/** The status page. */
export function landingRoute({ status, about }: HttpDependencies): Route {
  return {
    path: "/",
    methods: ["GET"],
    handle: () =>
      textReply(
        200,
        renderStatusPage(status(), about),
        { "Content-Security-Policy": CONTENT_SECURITY_POLICY },
        "text/html; charset=utf-8",
      ),
  };
}
