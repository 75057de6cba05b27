/** Names in the tables of fields, and the values that they stand for. Times depend on the day. */
export function valuesAt(now: number): Readonly<Record<string, string>> {
  const today = Math.floor(now / 86_400) * 86_400;
  return {
    NODE: "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",
    OTHER: "NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu",
    SUBNET: "2YDwHaXxuAcsLRTLcHEFaF1xQkbgzjM5rQu3mMzuCHamTuqiGo",
    CHAIN: "UNHo2MdxVtikDN9FX6U6URGnUwxoqYgRXKpr7Hp1FETr64Rkt",
    XCHAIN: "2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM",
    AVAX: "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z",
    PRIMARY: "11111111111111111111111111111111LpoYY",
    WALLET: "P-avax1g29kh4fppl5t6kh9wk5et588s34a86hqjv0tae",
    SECOND: "P-avax1sqscsf5xsgzd7uxx96dsr3kvyckzg7v7382sh5",
    BARE: "avax1g29kh4fppl5t6kh9wk5et588s34a86hqjv0tae",
    HOT: "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC",
    TOKEN: "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E",
    TODAY: String(today),
    YESTERDAY: String(today - 86_400),
  };
}

/** A field of a specification, and what becomes of it. */
type Field = {
  readonly path: string;
  /** JSON. */
  readonly sent: string;
  readonly series: string | undefined;
  readonly expected: string | undefined;
  /** Why no series shows it. */
  readonly why: string | undefined;
};

/** Rows of fields without series for one reason, such as `name decimals:18`: texts, where no value is named. */
export function unshown(record: string, fields: string, why: string): string {
  const rows = fields.split(" ").map((field) => {
    const [name = "", sent = '"x"'] = field.split(":");
    return `\n    ${record}.${name} | ${sent} | ${why}`;
  });
  return rows.join("");
}

/** The fields of a method. */
export function fieldsOf(table: string): readonly Field[] {
  return table
    .trim()
    .split("\n")
    .map((line) => {
      const [path = "", sent = "", shown, expected] = line.split(" | ").map((part) => part.trim());
      return expected === undefined
        ? { path, sent, series: undefined, expected, why: shown }
        : { path, sent, series: shown, expected, why: undefined };
    });
}

/** A text with its `$NAMES` replaced. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$([A-Z]+)/g, (whole, name: string) => values[name] ?? whole);
}
