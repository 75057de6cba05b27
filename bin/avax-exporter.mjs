#!/usr/bin/env node
// Plain JavaScript: an older Node must be able to run this file and report what is missing.
const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  console.error(
    `avax-exporter requires Node.js 24 or later; this is ${process.version}. ` +
      "`npm ci` installs one beside the project; if its install script was not allowed, run `npm rebuild node`.",
  );
  process.exit(1);
}
// Node.js opens a debugger on this signal unless something listens: it would show the credentials of the daemon to every process
// of the machine.
process.on("SIGUSR1", () => {});
// Every file is stripped of types and compiled: a cache halves the time of every start but the first. It is in the clone, because
// others can write to the system's folder for temporary files; without write access there is no cache.
const { enableCompileCache } = process.getBuiltinModule("node:module");
enableCompileCache(`${import.meta.dirname}/../node_modules/.cache/compiled`);
await import("../src/main.ts");
