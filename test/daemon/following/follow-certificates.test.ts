import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { folderWith } from "../../support/folders.ts";
import { followCertificates } from "../../../src/daemon/following/follow-certificates.ts";
import type { Certificates } from "../../../src/http/server/start-server.ts";
import { fakeClock } from "../../support/fake-clock.ts";

const pem = (text: string): string => `-----BEGIN ${text}-----\n`;

/** A follower of two files, called as a server calls it. */
function following() {
  const folder = folderWith();
  const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  const write = (name: keyof typeof files, text: string) => {
    writeFileSync(join(folder, "new"), text);
    renameSync(join(folder, "new"), files[name]);
  };
  write("cert", pem("one"));
  write("key", pem("key"));
  const clock = fakeClock();
  const logged: Array<readonly [object, string]> = [];
  const note = (data: object, message: string) => void logged.push([data, message]);
  let inUse: Certificates = { cert: pem("one"), key: pem("key") };
  const renew = vi.fn((next: Certificates) => {
    if (next.cert === pem("broken")) throw new Error("key values mismatch");
    const isOther = next.cert !== inUse.cert || next.key !== inUse.key;
    inUse = next;
    return isOther;
  });
  const follow = followCertificates({
    files: () => files,
    clock,
    log: { debug: note, info: note, warn: note, error: note },
  });
  const handshake = () => follow({ renew });
  return { write, clock, handshake, renew, logged, files, inUse: () => inUse };
}

test("the handshake after a change has the new files, at most one look a second", async () => {
  const { write, clock, handshake, renew, logged, files, inUse } = following();
  handshake();
  expect(renew).toHaveBeenCalledOnce();
  expect(logged).toEqual([]);
  write("cert", pem("two"));
  handshake();
  expect(renew).toHaveBeenCalledOnce();
  await clock.pass(1);
  handshake();
  expect(inUse().cert).toBe(pem("two"));
  expect(logged).toEqual([[{ file: files.cert }, "certificate files changed: in use"]]);
  for (let count = 0; count < 5; count++) {
    await clock.pass(1);
    handshake();
  }
  expect(logged).toHaveLength(1);
});

test.each([
  ["do not fit", pem("broken"), "key values mismatch"],
  ["are no PEM", "half", expect.stringMatching(/cert\.pem is not PEM \(it has no -----BEGIN line\)$/) as string],
])("files that %s keep the old ones, are logged once, and are read when they change again", async (_how, text, why) => {
  const { write, clock, handshake, logged, files, inUse } = following();
  write("cert", text);
  for (let count = 0; count < 5; count++) {
    handshake();
    await clock.pass(1);
  }
  const refused = "certificate files changed and cannot be used: the old ones stay";
  expect(logged).toEqual([[{ why, file: files.cert }, refused]]);
  expect(inUse().cert).toBe(pem("one"));
  write("cert", pem("three"));
  handshake();
  expect(inUse().cert).toBe(pem("three"));
});

test("a file that is gone keeps the old ones", async () => {
  const { clock, handshake, logged, files, inUse } = following();
  rmSync(files.key);
  handshake();
  await clock.pass(1);
  handshake();
  expect(logged).toEqual([
    [
      { why: `${files.key} cannot be read: no such file`, file: files.cert },
      "certificate files changed and cannot be used: the old ones stay",
    ],
  ]);
  expect(inUse().cert).toBe(pem("one"));
});
