import {
  createHostedServices,
  type HostedName,
  type HostedServiceOptions,
  type HostedServices,
} from "./hosted-service.ts";
import { listen } from "../http/server.ts";

/** The simulated hosted services over HTTP. */

export type SimulatedHosted = Omit<HostedServices, "answer"> & {
  readonly dataUrl: string;
  readonly metricsUrl: string;
  readonly close: () => Promise<void>;
};

export type HostedOptions = Omit<HostedServiceOptions, "start"> & {
  /** The clock in milliseconds since the epoch; simulated time. */
  readonly now?: () => number;
  readonly host?: string;
  /** Port of the Data API; the Metrics API has the next one. 0 (default) selects free ports. */
  readonly port?: number;
};

/** Starts both services; they listen when the promise resolves. */
export async function simulateHosted(options: HostedOptions = {}): Promise<SimulatedHosted> {
  const { now = Date.now, host = "127.0.0.1", port = 0, ...rest } = options;
  const services = createHostedServices({ ...rest, start: Math.floor(now() / 1000) });
  const serve = (service: HostedName, at: number) =>
    listen(
      host,
      at,
      (request, response) => {
        const { status, type, headers = {}, body } = services.answer(service, request, now() / 1000);
        response.writeHead(status, { ...(type === undefined ? {} : { "content-type": type }), ...headers });
        response.end(body);
      },
      (_handshake, stream) => stream.destroy(),
    );
  const data = await serve("data", port);
  const metrics = await serve("metrics", port === 0 ? 0 : port + 1);
  return {
    set: services.set,
    lagBy: services.lagBy,
    expireTokens: services.expireTokens,
    requests: services.requests,
    dataUrl: `http://${host}:${data.port}`,
    metricsUrl: `http://${host}:${metrics.port}`,
    close: async () => void (await Promise.all([data.close(), metrics.close()])),
  };
}
