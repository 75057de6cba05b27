import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Keys = { readonly key: string; readonly cert: string };

/**
 * A new self-signed certificate: one in the repository would expire.
 * @param days until it expires; negative for one that has expired
 * @param subject the name that it is for, as a subjectAltName of openssl
 * @throws Error if the machine has no openssl
 */
export function selfSigned(days = 2, subject = "IP:127.0.0.1"): Keys {
  const folder = mkdtempSync(join(tmpdir(), "certificate-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const openssl = (...args: readonly string[]) => execFileSync("openssl", args, { encoding: "utf8", stdio: "pipe" });
  try {
    // prettier-ignore
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=node", "-addext", `subjectAltName=${subject}`, "-keyout", key, "-out", cert);
    // `req` refuses negative days.
    return {
      key: readFileSync(key, "utf8"),
      cert: openssl("x509", "-in", cert, "-signkey", key, "-days", String(days)),
    };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      throw new Error(
        "These tests make their certificates with the program openssl, which this machine does not have.",
        { cause: error },
      );
    }
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** When a certificate expires, as openssl reads it. Unix seconds. */
export function expiryOf({ cert }: Keys): number {
  const line = execFileSync("openssl", ["x509", "-noout", "-enddate"], { input: cert, encoding: "utf8" });
  return Date.parse(line.replace("notAfter=", "")) / 1000;
}
