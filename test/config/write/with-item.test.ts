import { expect, it } from "vitest";
import { withItem } from "../../../src/config/write/with-item.ts";

const ITEM = { name: "b", url: "http://b", subnets: ["one"] };
const LINES = ["  # 1.15.0.", "  - name: b", "    url: http://b", "    subnets: [one]", ""].join("\n");

/** The text before the added lines, and the text behind them. */
it.each<[string, string, string]>([
  ["with comments", "# mine\nnodes: # all\n  - url:   'http://a' # quoted\n    name: a # last\n", "\nwatch: {}\n"],
  ["with a comment within the last item", "nodes:\n  - name: a\n    labels:\n      x: y\n      # z\n", "\n# Next\n"],
  ["with a node that is commented out behind it", "nodes:\n  - name: a\n", "  # - name: c\nwatch: {}\n"],
  ["with a folded text at its end", "nodes:\n  - url: >\n      b\n", "\n"],
  ["with dashes on lines of their own", "nodes:\n  -\n    name: a\n", ""],
  ["without such a list", "# mine\nwatch: { observers: 3 }\nnodes:\n", ""],
  ["without anything", "# mine\nnodes:\n", ""],
])("a file %s gets the item at the end of its list", (_name, before, after) => {
  const file = `${before.replace(/(?<![ #].*)nodes:\n$/, "")}${after}`;
  expect(withItem(file, "nodes", ITEM, ["1.15.0."])).toBe(`${before}${LINES}${after}`);
});

it.each([
  [
    "nodes:\n- name: a",
    "nodes:\n- name: a\n- name: b\n  url: http://b\n  subnets: [ one ]\n".replace("[ one ]", "[one]"),
  ],
  ["nodes:\r\n- name: a\r\n", "nodes:\r\n- name: a\r\n- name: b\r\n  url: http://b\r\n  subnets: [one]\r\n"],
  ["nodes: [] # none\n", "nodes: [{ name: b, url: http://b, subnets: [ one ] }] # none\n"],
  ["nodes: [{name: a},]\n", "nodes: [{name: a}, { name: b, url: http://b, subnets: [ one ] },]\n"],
])("%j becomes %j", (file, expected) => {
  expect(withItem(file, "nodes", ITEM, [])).toBe(expected);
});

it.each([
  "nodes: *all\n",
  "{ watch: {} }\n",
  "nodes: 3\n",
  "- name: a\n",
  "nodes:\n- a\n b: [",
  "x: &l [a]\nnodes: *l\n",
])("%j is left alone", (file) => {
  expect(withItem(file, "nodes", ITEM, [])).toBeUndefined();
});
