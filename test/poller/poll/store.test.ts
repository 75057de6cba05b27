import { describe, expect, it } from "vitest";
import { record } from "../../../src/api/endpoint.ts";
import { createStore } from "../../../src/poller/poll/store.ts";

const NOW = 1_800_000_000;
const Texts = record<string>({ id: "texts", about: "", scope: "node" });
const Others = record<string>({ id: "others", about: "", scope: "node" });

describe("the store", () => {
  const answer = (value: string) => ({ value, askedAt: NOW, answeredAt: NOW + 1 });

  it("holds the last answer to each question of each owner", () => {
    const store = createStore();
    store.put("node a", Texts, "", answer("old"));
    store.put("node a", Texts, "", answer("new"));
    store.put("node a", Texts, "key", answer("other"));
    store.put("node b", Texts, "", answer("theirs"));
    expect([...(store.all("node a", Texts) ?? [])]).toEqual([
      ["", answer("new")],
      ["key", answer("other")],
    ]);
    expect(store.get("node a", Texts)).toEqual(answer("new"));
    expect(store.get("node a", Texts, "key")).toEqual(answer("other"));
    expect(store.get("node b", Texts)).toEqual(answer("theirs"));
    expect(store.get("node a", Texts, "none")).toBeUndefined();
    expect(store.all("node a", Others)).toBeUndefined();
    expect(store.all("node c", Texts)).toBeUndefined();
  });

  it("deletes answers and owners", () => {
    const store = createStore();
    store.put("node a", Texts, "", answer("x"));
    expect(store.delete("node a", Texts, "other")).toBe(false);
    expect(store.delete("node a", Texts, "")).toBe(true);
    expect(store.delete("node a", Texts, "")).toBe(false);
    expect(store.all("node a", Texts)).toBeUndefined();
    store.put("node a", Texts, "", answer("x"));
    store.deleteOwner("node a");
    expect(store.all("node a", Texts)).toBeUndefined();
    expect(store.get("node a", Texts)).toBeUndefined();
  });
});
