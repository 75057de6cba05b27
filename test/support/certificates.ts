import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Keys = { readonly key: string; readonly cert: string };

/**
 * A new self-signed certificate for 127.0.0.1: one in the repository would expire.
 * @throws Error if the machine has no openssl
 */
export function selfSigned(): Keys {
  const folder = mkdtempSync(join(tmpdir(), "certificate-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  try {
    execFileSync(
      "openssl",
      // prettier-ignore
      ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=node", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert],
      { stdio: "pipe" },
    );
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      throw new Error(
        "These tests make their certificates with the program openssl, which this machine does not have.",
        {
          cause: error,
        },
      );
    }
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
