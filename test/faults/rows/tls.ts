import { selfSigned, type Keys } from "../../support/certificates.ts";
import type { Fault } from "../support/fault-server.ts";
import { all, SOON, type Group, type Row } from "../support/row.ts";

const made = new Map<string, Keys>();

/** A certificate, made once for each kind. */
function keys(days: number, subject = "IP:127.0.0.1"): Keys {
  const kind = `${days} ${subject}`;
  const found = made.get(kind) ?? selfSigned(days, subject);
  made.set(kind, found);
  return found;
}

const trusted = () => keys(2);
const expired = () => keys(-1);
const ofAnotherHost = () => keys(2, "DNS:another.example");
const unknown = () => keys(3);

const server = () => ({ keys: trusted(), trusted: [trusted().cert, expired().cert, ofAnotherHost().cert] });
const connection = (take: NonNullable<Fault["connection"]>) => () => ({ connection: take });
const lost = { fails: all("tls"), down: "at once", recovery: SOON, server } as const;

const rows: readonly Row[] = [
  { id: "expired", fault: "The certificate has expired", behave: () => ({ keys: expired }), ...lost },
  {
    id: "another-host",
    fault: "The certificate is for another host",
    behave: () => ({ keys: ofAnotherHost }),
    ...lost,
  },
  { id: "self-signed", fault: "The certificate is not trusted", behave: () => ({ keys: unknown }), ...lost },
  {
    id: "tls-garbage",
    fault: "Garbage instead of a handshake",
    behave: connection((socket) => socket.write("garbage garbage garbage garbage\n")),
    ...lost,
  },
  {
    id: "plain-http",
    fault: "Plain HTTP at the port of HTTPS",
    behave: connection((socket) => socket.end("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")),
    ...lost,
  },
  {
    id: "tls-alert",
    fault: "The handshake is refused with an alert",
    behave: connection((socket) => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, 40]))),
    ...lost,
  },
  {
    id: "tls-silence",
    fault: "The handshake never ends, and its connections stay so",
    behave: connection((socket) => socket.resume()),
    ...lost,
    fails: all("timeout"),
    down: "after 30 s",
  },
  {
    id: "tls-reset",
    fault: "Reset within the handshake",
    behave: connection((socket) => socket.once("data", () => socket.resetAndDestroy())),
    ...lost,
    fails: all("reset"),
  },
];

export const tls: Group = { title: "TLS", scene: "transport", rows };
