import { describe, expect, it } from "vitest";
import { record, type Source } from "../../../src/api/endpoint.ts";
import { Store } from "../../../src/poller/poll/store.ts";

const NOW = 1_800_000_000;
const UNTIL = NOW + 46;
const Texts = record<string>({ id: "texts", about: "", scope: "node" });
const Others = record<string>({ id: "others", about: "", scope: "node" });
const Blocks: Source<string> & { readonly follows: true } = { ...Texts, id: "blocks", follows: true };

describe("the store", () => {
  const answer = (value: string) => ({ value, askedAt: NOW, answeredAt: NOW + 1 });
  const held = (value: string) => ({ ...answer(value), until: UNTIL });

  it("holds the last answer to each question of each owner", () => {
    const store = new Store();
    store.put("node a", Texts, "", answer("old"), UNTIL);
    store.put("node a", Texts, "", answer("new"), UNTIL);
    store.put("node a", Texts, "key", answer("other"), UNTIL);
    store.put("node b", Texts, "", answer("theirs"), UNTIL);
    expect([...(store.all("node a", Texts, NOW) ?? [])]).toEqual([
      ["", held("new")],
      ["key", held("other")],
    ]);
    expect(store.get("node a", Texts, NOW)).toEqual(held("new"));
    expect(store.get("node a", Texts, NOW, "key")).toEqual(held("other"));
    expect(store.get("node b", Texts, NOW)).toEqual(held("theirs"));
    expect(store.get("node a", Texts, NOW, "none")).toBeUndefined();
    expect(store.all("node a", Others, NOW)).toBeUndefined();
    expect(store.all("node c", Texts, NOW)).toBeUndefined();
  });

  it("deletes answers and owners", () => {
    const store = new Store();
    store.put("node a", Texts, "", answer("x"), UNTIL);
    store.delete("node a", Texts, "other");
    expect(store.get("node a", Texts, NOW)).toEqual(held("x"));
    store.delete("node a", Texts, "");
    expect(store.all("node a", Texts, NOW)).toBeUndefined();
    store.put("node a", Texts, "", answer("x"), UNTIL);
    store.deleteOwner("node a");
    expect(store.get("node a", Texts, NOW)).toBeUndefined();
  });

  it("gives nothing from the moment on at which an answer is too old, and each key has its own", () => {
    const store = new Store();
    store.put("node a", Texts, "short", answer("x"), NOW + 10);
    store.put("node a", Texts, "long", answer("y"), NOW + 20);
    const keys = (now: number) => [...(store.all("node a", Texts, now)?.keys() ?? [])];
    expect(keys(NOW + 9.9)).toEqual(["short", "long"]);
    expect(keys(NOW + 10)).toEqual(["long"]);
    expect(keys(NOW + 20)).toEqual([]);
    expect(store.all("node a", Texts, NOW + 20)).toBeUndefined();
    expect(store.last("node a", Texts, "long")).toBeUndefined();
  });

  it("gives the same map until something changes, because topics are read again when it is another", () => {
    const store = new Store();
    store.put("node a", Texts, "", answer("x"), UNTIL);
    const before = store.all("node a", Texts, NOW);
    expect(store.all("node a", Texts, UNTIL - 1)).toBe(before);
    store.put("node b", Texts, "", answer("x"), UNTIL);
    store.put("node a", Others, "", answer("x"), UNTIL);
    expect(store.all("node a", Texts, NOW)).toBe(before);
    store.put("node a", Texts, "", answer("x"), UNTIL);
    expect(store.all("node a", Texts, NOW)).not.toBe(before);
  });

  it("keeps the last answer of a source that follows, from which the next poll continues", () => {
    const store = new Store();
    store.put("node a", Blocks, "C", answer("block 7"), NOW + 10);
    expect(store.get("node a", Blocks, NOW + 11, "C")).toBeUndefined();
    expect(store.last("node a", Blocks, "C")).toBe("block 7");
    store.deleteOwner("node a");
    expect(store.last("node a", Blocks, "C")).toBeUndefined();
  });
});
