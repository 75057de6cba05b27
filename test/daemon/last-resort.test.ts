import { expect, it } from "vitest";
import { lastResort } from "../../src/daemon/last-resort.ts";
import { fakeClock } from "../support/fake-clock.ts";

it("counts every error, and logs the first one of each minute with the number of the others", async () => {
  const clock = fakeClock({ start: 0 });
  const logged: object[] = [];
  const places: string[] = [];
  const nothing = (): void => undefined;
  const log = { debug: nothing, info: nothing, warn: nothing, error: (data: object) => void logged.push(data) };
  const caught = lastResort({ defect: (place) => void places.push(place) }, log, clock);
  const errors = ["a", "b", "c", "d"].map((name) => new Error(name));
  for (const error of errors.slice(0, 3)) caught(error);
  await clock.pass(60);
  caught(errors[3]);
  expect(places).toEqual(["process", "process", "process", "process"]);
  expect(logged).toEqual([
    { err: errors[0], more: 0 },
    { err: errors[3], more: 2 },
  ]);
});
