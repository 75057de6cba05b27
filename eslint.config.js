import tseslint from "typescript-eslint";

/** Who may import what, and who may touch the process (ARCHITECTURE.md, "Invariants"). */
const GUARDED = [
  {
    name: "undici",
    where: [
      "src/api/transport/client.ts",
      "src/api/transport/connector.ts",
      "src/api/transport/exchange.ts",
      "src/api/transport/undici-parts.d.ts",
    ],
  },
  { name: "ws", where: ["src/api/transport/live-socket.ts", "src/simulator/evm/socket-hub.ts"] },
  { name: "node-cron", where: ["src/runtime/scheduler.ts"] },
  { name: "prom-client", where: ["src/self/exporter-exposition.ts", "src/self/exporter-metrics.ts"] },
  { name: "yaml", where: ["src/config/**", "src/generate/**"] },
  { name: "pino", where: ["src/daemon/logger.ts"] },
  { name: "commander", where: ["src/cli/arguments.ts"] },
  { name: "fastest-levenshtein", where: ["src/config/base/nearest.ts"] },
  { name: "@noble/curves", where: ["src/simulator/encoding/bls.ts"] },
  { name: "@noble/hashes", where: ["src/config/base/identifiers.ts"] },
  {
    name: "@scure/base",
    where: ["src/api/base58.ts", "src/config/base/identifiers.ts", "src/simulator/encoding/ids.ts"],
  },
  { name: "bcryptjs", where: ["src/http/server/password-worker.ts"] },
];

const restricted = (guarded) => [
  "error",
  {
    patterns: guarded.map(({ name, where }) => ({
      group: [name, `${name}/**`],
      message: `Only ${where.join(", ")} may import ${name}.`,
    })),
  },
];

export default tseslint.config(
  { ignores: ["node_modules", "dist", "coverage", "test/recordings", "tools", "eslint.config.js", "bin"] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/consistent-type-definitions": ["error", "type"],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allow: [{ name: ["Metric", "Recording", "Threshold"], from: "file" }] },
      ],
      "no-restricted-syntax": [
        "error",
        { selector: "ExportDefaultDeclaration", message: "Name what you export." },
        { selector: "ExportAllDeclaration", message: "No barrels: import from the file that defines it." },
        { selector: "TSEnumDeclaration", message: "Use a union of string literals." },
      ],
      "no-console": "error",
      eqeqeq: ["error", "always"],
      "prefer-const": "error",
    },
  },
  {
    files: ["src/**/*.ts"],
    rules: {
      "no-restricted-imports": restricted(GUARDED),
      "no-restricted-globals": ["error", { name: "process", message: "Only src/main.ts touches process." }],
    },
  },
  { files: ["src/main.ts"], rules: { "no-restricted-globals": "off" } },
  // One entry a place, because a later entry replaces an earlier one and a place can have two libraries.
  ...[...new Set(GUARDED.flatMap(({ where }) => where))].map((place) => ({
    files: [place],
    rules: { "no-restricted-imports": restricted(GUARDED.filter(({ where }) => !where.includes(place))) },
  })),
  { files: ["vitest.config.ts"], rules: { "no-restricted-syntax": "off" } },
  { files: ["bench/**/*.ts", "scripts/**/*.ts"], rules: { "no-console": "off" } },
);
