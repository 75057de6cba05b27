import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";

/** The server's side of a WebSocket (RFC 6455), as far as JSON-RPC needs it: whole text messages, pings, an orderly end. */

export type ServerSocket = {
  readonly send: (text: string) => void;
  /** Says goodbye and cuts the connection. */
  readonly close: (code?: number) => void;
};

export type SocketEvents = {
  readonly message: (text: string) => void;
  readonly closed: () => void;
};

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/** Bytes that a reader may send in one message; requests are far smaller. */
const MOST = 1024 * 1024;
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

/** Answers the handshake and reads frames from then on; undefined when the request is no proper handshake. */
export function acceptSocket(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  stream: Duplex,
  events: SocketEvents,
): ServerSocket | undefined {
  const key = headers["sec-websocket-key"];
  if (headers["upgrade"]?.toString().toLowerCase() !== "websocket" || typeof key !== "string") return undefined;
  const accept = createHash("sha1").update(`${key}${GUID}`).digest("base64");
  stream.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  let over = false;
  const end = (): void => {
    if (over) return;
    over = true;
    stream.destroy();
    events.closed();
  };
  const close = (code = 1000): void => {
    if (over) return;
    const reason = Buffer.alloc(2);
    reason.writeUInt16BE(code);
    stream.write(frame(CLOSE, reason), end);
  };
  let unread = Buffer.alloc(0);
  stream.on("data", (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    for (let found = readFrame(unread); found !== undefined && !over; found = readFrame(unread)) {
      if (found === "broken") return close(1002);
      unread = unread.subarray(found.size);
      if (found.opcode === TEXT) events.message(found.payload.toString("utf8"));
      else if (found.opcode === PING) stream.write(frame(PONG, found.payload));
      else if (found.opcode === CLOSE) return close();
    }
  });
  stream.on("close", end);
  stream.on("error", end);
  return {
    send: (text) => {
      if (!over) stream.write(frame(TEXT, Buffer.from(text)));
    },
    close,
  };
}

/** A whole message in one frame, unmasked as servers send it. */
function frame(opcode: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(payload.length < 126 ? 2 : payload.length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  if (head.length === 2) head[1] = payload.length;
  else if (head.length === 4) {
    head[1] = 126;
    head.writeUInt16BE(payload.length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(payload.length), 2);
  }
  return Buffer.concat([head, payload]);
}

type Frame = { readonly opcode: number; readonly payload: Buffer; readonly size: number };

/** The first frame of the bytes; undefined while it is not complete, broken when it is none that this server reads. */
function readFrame(bytes: Buffer): Frame | "broken" | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const short = second & 0x7f;
  const lengthAt = 2;
  const maskAt = lengthAt + (short === 126 ? 2 : short === 127 ? 8 : 0);
  if (bytes.length < maskAt) return undefined;
  const length =
    short === 126 ? bytes.readUInt16BE(lengthAt) : short === 127 ? Number(bytes.readBigUInt64BE(lengthAt)) : short;
  // Readers mask what they send, and nothing that they send needs several frames.
  if ((first & 0x80) === 0 || (second & 0x80) === 0 || length > MOST) return "broken";
  const size = maskAt + 4 + length;
  if (bytes.length < size) return undefined;
  const mask = bytes.subarray(maskAt, maskAt + 4);
  const payload = Buffer.from(bytes.subarray(maskAt + 4, size));
  for (let i = 0; i < payload.length; i++) payload[i] = (payload[i] ?? 0) ^ (mask[i % 4] ?? 0);
  return { opcode: first & 0x0f, payload, size };
}
