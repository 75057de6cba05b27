import { expect, it } from "vitest";
import { clientOf, createPlaces } from "../../src/http/client-places.ts";

it.each([
  ["10.0.0.1", "10.0.0.1"],
  ["::ffff:10.0.0.1", "10.0.0.1"],
  ["::1", "0:0:0:0::/64"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::ffff", "2001:db8:1:2::/64"],
  ["2001:0db8::1", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["", ""],
])("the client of %j is %j", (address, client) => {
  expect(clientOf(address)).toBe(client);
});

it("gives a client half of the places, rounded up, and takes each back once", () => {
  const places = createPlaces(3);
  const [first, second] = [places.take("a"), places.take("::ffff:1.2.3.4")];
  const third = places.take("a");
  expect([typeof first, typeof second, typeof third]).toEqual(["function", "function", "function"]);
  expect(places.take("b")).toBeUndefined();
  third?.();
  expect(typeof places.take("b")).toBe("function");
  second?.();
  expect(typeof places.take("a")).toBe("function");
  expect(createPlaces(1).take("a")).toBeTypeOf("function");
});

it("has no limit at 0", () => {
  const places = createPlaces(0);
  for (let count = 0; count < 100; count++) expect(places.take("a")).toBeTypeOf("function");
});
