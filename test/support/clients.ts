import { createClient, type Client, type OnNodeId } from "../../src/api/transport/client.ts";
import type { Connection } from "../../src/api/transport/connection.ts";
import type { OnCertificate } from "../../src/api/transport/open-connection.ts";
import { ApiError } from "../../src/api/endpoint.ts";
import type { Failure } from "../../src/api/reasons.ts";
import { afterThisTest } from "./cleanup.ts";

/** Real clients of the exporter, closed after each test. */

export function clientOf(
  url: string,
  more: Partial<Connection> = {},
  onNodeId?: OnNodeId,
  onCertificate?: OnCertificate,
): Client {
  const connection = { url, headers: {}, maxResponseBytes: 1_000_000, connections: 2, ...more };
  const client = createClient(connection, onNodeId, onCertificate);
  afterThisTest.add(client.close);
  return client;
}

/** The failure of a poll. @throws if it succeeds, or fails with another error than an `ApiError` */
export async function failureOf(poll: Promise<unknown>): Promise<Failure> {
  try {
    const value = await poll;
    throw new Error(`answered ${JSON.stringify(value)}`);
  } catch (error) {
    if (error instanceof ApiError) return error.failure;
    throw error;
  }
}
