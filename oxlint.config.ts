import { defineConfig, type OxlintOverride } from "oxlint";

/** Who may import what, and who may touch the process (ARCHITECTURE.md, "Invariants"). */
const GUARDED = [
  { name: "undici", where: ["src/api/transport/exchanger.ts", "src/api/transport/open-connection.ts"] },
  { name: "ws", where: ["src/api/transport/live-socket.ts", "simulator/evm/socket-hub.ts"] },
  { name: "node-cron", where: ["src/daemon/every-second.ts"] },
  { name: "prom-client", where: ["src/daemon/exporter-exposition.ts", "src/daemon/exporter-metrics.ts"] },
  { name: "yaml", where: ["src/config/**", "generate/**"] },
  { name: "pino", where: ["src/daemon/create-logger.ts"] },
  { name: "fastest-levenshtein", where: ["src/config/base/nearest.ts"] },
  { name: "@noble/curves", where: ["simulator/encoding/bls.ts"] },
  { name: "@noble/hashes", where: ["src/config/schema/identifier-fields.ts"] },
  {
    name: "@scure/base",
    where: ["src/api/cb58.ts", "src/config/schema/identifier-fields.ts", "simulator/encoding/ids.ts"],
  },
  { name: "ical-generator", where: ["src/http/routes/calendar-routes.ts"] },
  { name: "bcryptjs", where: ["src/http/server/authenticator.ts"] },
];

/** ARCHITECTURE.md, "No heroics". */
const HEROICS = [
  { regex: "^(?:@[^/]+/)?[^./@][^/]*/(?:lib|dist|build|core)/", message: "No inner files of libraries." },
  { regex: "^node:vm$", message: "No calls to the garbage collector." },
  { regex: "^node:v8$", importNames: ["setFlagsFromString"], message: "No flags of V8 at run time." },
];

function imports(guarded: typeof GUARDED): NonNullable<OxlintOverride["rules"]> {
  const patterns = guarded.map(({ name, where }) => ({
    group: [name, `${name}/**`],
    message: `Only ${where.join(", ")} may import ${name}.`,
  }));
  return { "no-restricted-imports": ["error", { patterns: [...patterns, ...HEROICS] }] };
}

export default defineConfig({
  plugins: ["typescript", "import"],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: "error" },
  ignorePatterns: [
    "dist",
    "coverage",
    "test/recordings",
    "tools/kube",
    "tools/pictures",
    "bin",
    "src/http/status-page/browser",
  ],
  categories: { correctness: "off" },
  rules: {
    // The rules that typescript-eslint recommends, with and without types: this linter has no name for the set.
    "typescript/await-thenable": "error",
    "typescript/ban-ts-comment": "error",
    "typescript/no-array-delete": "error",
    "typescript/no-base-to-string": "error",
    "typescript/no-duplicate-enum-values": "error",
    "typescript/no-duplicate-type-constituents": "error",
    "typescript/no-empty-object-type": "error",
    "typescript/no-extra-non-null-assertion": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-for-in-array": "error",
    "typescript/no-implied-eval": "error",
    "typescript/no-misused-new": "error",
    "typescript/no-misused-promises": "error",
    "typescript/no-namespace": "error",
    "typescript/no-non-null-asserted-optional-chain": "error",
    "typescript/no-redundant-type-constituents": "error",
    "typescript/no-require-imports": "error",
    "typescript/no-this-alias": "error",
    "typescript/no-unnecessary-type-assertion": "error",
    "typescript/no-unnecessary-type-constraint": "error",
    "typescript/no-unsafe-argument": "error",
    "typescript/no-unsafe-assignment": "error",
    "typescript/no-unsafe-call": "error",
    "typescript/no-unsafe-declaration-merging": "error",
    "typescript/no-unsafe-enum-comparison": "error",
    "typescript/no-unsafe-function-type": "error",
    "typescript/no-unsafe-member-access": "error",
    "typescript/no-unsafe-return": "error",
    "typescript/no-unsafe-unary-minus": "error",
    "typescript/no-wrapper-object-types": "error",
    "typescript/only-throw-error": "error",
    "typescript/prefer-as-const": "error",
    "typescript/prefer-namespace-keyword": "error",
    "typescript/prefer-promise-reject-errors": "error",
    "typescript/require-await": "error",
    "typescript/restrict-plus-operands": "error",
    "typescript/triple-slash-reference": "error",
    "typescript/unbound-method": "error",
    "no-array-constructor": "error",
    "no-unused-expressions": "error",
    "no-unused-vars": "error",
    "no-var": "error",
    "prefer-const": "error",
    "prefer-rest-params": "error",
    "prefer-spread": "error",

    // Our own choices.
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/consistent-type-definitions": ["error", "type"],
    "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    "typescript/restrict-template-expressions": [
      "error",
      { allowNumber: true, allow: [{ name: ["Metric", "Recording", "Threshold"], from: "file" }] },
    ],
    "import/no-default-export": "error",
    "no-console": "error",
    eqeqeq: ["error", "always"],
  },
  overrides: [
    {
      files: ["{src,simulator,generate}/**/*.ts"],
      rules: {
        ...imports(GUARDED),
        // A function fits a screen, and says what it returns.
        "max-lines-per-function": ["error", { max: 80 }],
        "typescript/explicit-module-boundary-types": "error",
        "no-restricted-globals": ["error", { name: "process", message: "Only src/main.ts touches process." }],
      },
    },
    { files: ["src/main.ts"], rules: { "no-restricted-globals": "off" } },
    // One entry a place, because a later entry replaces an earlier one and a place can have two libraries.
    ...[...new Set(GUARDED.flatMap(({ where }) => where))].map((place) => ({
      files: [place],
      rules: imports(GUARDED.filter(({ where }) => !where.includes(place))),
    })),
    { files: ["*.config.ts"], rules: { "import/no-default-export": "off" } },
    { files: ["bench/**/*.ts", "scripts/**/*.ts"], rules: { "no-console": "off" } },
  ],
});
