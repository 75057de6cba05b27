import { expect, test, vi } from "vitest";
import { UNREADABLE, type Reads } from "../../../src/config/read/recorded-sources.ts";
import { startAutoReload } from "../../../src/daemon/following/start-auto-reload.ts";
import { fakeClock } from "../../support/fake-clock.ts";

const INTERVAL = 30;

/** A running auto-reload over one file. `disk` is its content, `loaded` what the last load read. */
function started(disk = "one") {
  const state = { disk, loaded: disk, globbed: "a.yaml", loadedGlob: "a.yaml" };
  const readsOf = (digest: string, matches: string): Reads => ({
    "config.yaml": { digest },
    "*.yaml": { digest: matches, folder: "." },
  });
  const clock = fakeClock();
  const logged: Array<readonly [object, string]> = [];
  const note = (data: object, message: string) => void logged.push([data, message]);
  const reload = vi.fn(() => {
    state.loaded = state.disk;
    state.loadedGlob = state.globbed;
    return Promise.resolve();
  });
  const readAgain = vi.fn(() => Promise.resolve(readsOf(state.disk, state.globbed)));
  const stop = startAutoReload({
    interval: INTERVAL,
    reads: () => readsOf(state.loaded, state.loadedGlob),
    readAgain,
    reload,
    clock,
    log: { debug: note, info: note, warn: note, error: note },
  });
  return { state, clock, reload, readAgain, logged, stop };
}

test("files that stay the same are looked at once an interval, and cause no reload", async () => {
  const { clock, reload, readAgain } = started();
  await clock.pass(10 * INTERVAL);
  expect(readAgain).toHaveBeenCalledTimes(10);
  expect(reload).not.toHaveBeenCalled();
});

test("a change is loaded once, at the second look that finds it", async () => {
  const { state, clock, reload, logged } = started();
  state.disk = "two";
  await clock.pass(INTERVAL);
  expect(reload).not.toHaveBeenCalled();
  await clock.pass(INTERVAL);
  expect(reload).toHaveBeenCalledOnce();
  expect(logged).toEqual([[{ files: "config.yaml", count: 1 }, "configuration files changed"]]);
  await clock.pass(10 * INTERVAL);
  expect(reload).toHaveBeenCalledOnce();
});

test("a file that is written in pieces is loaded when it is complete", async () => {
  const { state, clock, reload } = started();
  for (const disk of ["tw", UNREADABLE, "two ", "two a"]) {
    state.disk = disk;
    await clock.pass(INTERVAL);
    expect(reload).not.toHaveBeenCalled();
  }
  await clock.pass(INTERVAL);
  expect(reload).toHaveBeenCalledOnce();
  expect(state.loaded).toBe("two a");
});

test("a change that is taken back before it settled is no reload", async () => {
  const { state, clock, reload } = started();
  for (const disk of ["two", "one", "two"]) {
    state.disk = disk;
    await clock.pass(INTERVAL);
  }
  expect(reload).not.toHaveBeenCalled();
});

test("content that another reload has loaded meanwhile is not loaded again", async () => {
  const { state, clock, reload } = started();
  state.disk = "two";
  await clock.pass(INTERVAL);
  state.loaded = "two";
  await clock.pass(INTERVAL);
  expect(reload).not.toHaveBeenCalled();
});

test("another file that matches a pattern is a change", async () => {
  const { state, clock, reload, logged } = started();
  state.globbed = "a.yaml\nb.yaml";
  await clock.pass(2 * INTERVAL);
  expect(reload).toHaveBeenCalledOnce();
  expect(logged).toEqual([[{ files: "*.yaml", count: 1 }, "configuration files changed"]]);
});

test("a look that fails is logged, and the next one follows", async () => {
  const { state, clock, reload, readAgain, logged } = started();
  const failure = new Error("no threads");
  readAgain.mockRejectedValueOnce(failure);
  state.disk = "two";
  await clock.pass(3 * INTERVAL);
  expect(logged[0]).toEqual([{ err: failure }, "configuration files cannot be compared"]);
  expect(reload).toHaveBeenCalledOnce();
});

test("nothing is looked at or loaded after the stop", async () => {
  const { state, clock, reload, readAgain, stop } = started();
  state.disk = "two";
  await clock.pass(INTERVAL);
  stop();
  await clock.pass(5 * INTERVAL);
  expect(readAgain).toHaveBeenCalledOnce();
  expect(reload).not.toHaveBeenCalled();
  expect(clock.waiting()).toBe(0);
});
