import { isIP } from "node:net";
import { admin } from "./node/admin.ts";
import { evm } from "./evm/evm.ts";
import { health } from "./node/health.ts";
import { info, nodeIdOf } from "./node/info.ts";
import { ledger } from "./node/ledger.ts";
import { nativeMetrics } from "./node/native-metrics.ts";
import { platform } from "./node/platform.ts";
import { NOT_FOUND, plain, type Interface, type SimulatedReply, type Request, type View } from "./world/wire.ts";

const INTERFACES: ReadonlyArray<Interface> = [health, info, platform, evm, admin, ledger, nativeMetrics];

/** A Host header is allowed if it is absent, an IP address or localhost, with or without a port. */
function allowedHost(host: string): boolean {
  const name = /^\[(.*)\]:\d+$/.exec(host)?.[1] ?? host.replace(/:\d+$/, "");
  return host === "" || isIP(name) !== 0 || name.toLowerCase() === "localhost";
}

/** The answer without faults. */
function faultlessReply(request: Request, view: View): SimulatedReply {
  if (view.dialect === "avalanchego" && !allowedHost(request.headers["host"] ?? ""))
    return plain(403, "invalid host specified\n");
  const clean = request.path.replace(/\/{2,}/g, "/");
  if (clean !== request.path) return { status: 301, headers: { location: clean }, body: "" };
  for (const serve of INTERFACES) {
    const reply = serve(request, view);
    if (reply !== undefined) return reply;
  }
  return NOT_FOUND;
}

/** The answer of a node with all headers. */
export function answer(request: Request, view: View): SimulatedReply {
  const reply = faultlessReply(request, view);
  if (view.dialect === "spec") return reply;
  return { ...reply, headers: { ...reply.headers, "node-id": nodeIdOf(view), vary: "Origin" } };
}
