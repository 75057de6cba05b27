import { expect, it } from "vitest";
import { errorMessage } from "../../../src/api/transport/error-message.ts";

it.each([
  ['{"message":"Invalid nodeId","error":"Bad Request","statusCode":400}', "Invalid nodeId"],
  ['{"message":["a is too large","b is missing"],"statusCode":400}', "a is too large; b is missing"],
  ['{"message":[],"statusCode":400}', undefined],
  ['{"message":{"a":1}}', undefined],
  ["<html><h1>502</h1></html>", undefined],
  ["{", undefined],
  ["", undefined],
  ["null", undefined],
])("%s has the message %s", (body, message) => {
  expect(errorMessage(body)).toBe(message);
});
