import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import type { System } from "../../daemon/system.ts";
import { hashed } from "../../http/server/authenticator.ts";
import { hostOf } from "../text/host-of.ts";
import { askUntil } from "./ask-sending.ts";
import type { StackAnswers } from "./write-stack.ts";

/** The answer of whoever reads the alerts on this machine alone. */
const NONE = "none";

/** Asks how people reach this machine: the links of alerts lead there. Without an answer there are none. */
export async function askReach(
  given: string | undefined,
  system: System,
): Promise<Omit<StackAnswers, "sending" | "nodeExporter">> {
  const { hostname } = system;
  const host =
    given ??
    (await askUntil(system, {
      question: `Address at which your phone reaches this machine (Enter: ${hostname}; ${NONE}: no links)`,
      read(answer) {
        const value = hostOf(answer === "" ? hostname : answer);
        return value === undefined ? { problem: "it is not a host name or an IP address" } : { value };
      },
      without: { value: NONE },
    }));
  const password = randomBytes(15).toString("base64url");
  return { host: host === NONE ? undefined : host, password, hash: await hashed(password) };
}

/** Of exporter, Prometheus, Alertmanager and Grafana. */
const PORTS = [9750, 9090, 9093, 3000];
const NODE_EXPORTER_PORT = 9100;

/** The ports of the stack that are taken on this machine: an exporter or a Prometheus that runs already. */
export async function takenPorts(nodeExporter: boolean): Promise<readonly number[]> {
  const ports = nodeExporter ? [...PORTS, NODE_EXPORTER_PORT] : PORTS;
  const taken = await Promise.all(ports.map(isTaken));
  return ports.filter((_port, index) => taken[index]);
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once("error", () => resolve(true))
      .listen(port, "127.0.0.1", () => server.close(() => resolve(false)));
  });
}
