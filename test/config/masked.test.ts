import fc from "fast-check";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { nodeSources } from "../../src/config/read/sources.ts";

/** Loads a text; the environment contains the secret. */
const load = (text: string, secret: string) =>
  loadConfig("c.yaml", [], { ...nodeSources({ SECRET: secret }), readFile: () => text, glob: () => [] });

/** Marked, so that no message contains one by chance. */
const secrets = fc
  .string({ unit: fc.constantFrom(..."abcXYZ0189:{}[]#&*!|>'\"%@`$,?- /\\\\"), minLength: 3, maxLength: 30 })
  .map((text) => `q7${text}7q`);

const FORMS: ReadonlyArray<(secret: string) => string> = [
  (secret) => `basic_auth: { username: u, password: ${secret} }`,
  (secret) => `bearer_token: ${secret}`,
  (secret) => `headers: { X-A: ${secret}, X-B: { value: ${secret} } }`,
];
/** Spellings of a value, quoted, unquoted or with a mistake. */
const SPELLINGS: ReadonlyArray<(secret: string) => string> = [
  (secret) => JSON.stringify(secret.replaceAll("${", "$${")),
  (secret) => `'${secret}'`,
  (secret) => secret,
  (secret) => `"${secret}`,
  (secret) => `*${secret}`,
  (secret) => `!${secret} x`,
  (secret) => `&${secret} x`,
  (secret) => `[${secret}]`,
  (secret) => `{${secret}}`,
  () => '"${SECRET}"',
  () => '["${SECRET}"]',
];

test("neither messages nor the masked file contain a secret, whatever its spelling", () => {
  let accepted = 0;
  fc.assert(
    fc.property(
      secrets,
      fc.constantFrom(...FORMS),
      fc.constantFrom(...SPELLINGS),
      fc.boolean(),
      (secret, form, spell, valid) => {
        const extra = valid ? "" : "    connections: none\n    dialect: none\n";
        const result = load(`nodes:\n  - name: a\n    url: http://a\n    ${form(spell(secret))}\n${extra}`, secret);
        const shown = result.ok
          ? result.loaded.masked() + JSON.stringify(result.loaded.warnings)
          : JSON.stringify(result.problems);
        expect(shown).not.toContain("q7");
        if (result.ok) accepted++;
      },
    ),
    { numRuns: 600 },
  );
  expect(accepted).toBeGreaterThan(50);
});
