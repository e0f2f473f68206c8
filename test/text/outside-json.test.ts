/** Documents from outside are counted before any schema reads them (40.A1). */

import { expect, it } from "vitest";
import { overBounds, readOutside } from "../../src/text/outside-json.ts";

it("40.A1 8 MB of wrong elements are refused before they are parsed, and an ordinary list is read", () => {
  const flood = `{"messages":[${"1,".repeat(4 * 2 ** 20)}1]}`;
  expect(readOutside(flood)).toEqual({ kind: "wrong", why: "has more than 200000 elements" });
  expect(readOutside('{"messages":[1,2]}')).toEqual({ kind: "read", value: { messages: [1, 2] } });
});

it("40.A1 depth counts, and brackets and commas in text do not", () => {
  expect(overBounds(`${"[".repeat(201)}${"]".repeat(201)}`)).toBe("nests deeper than 200 levels");
  expect(overBounds(`${"[".repeat(200)}${"]".repeat(200)}`)).toBeNull();
  expect(overBounds(JSON.stringify(`\\",[{`.repeat(300_000)))).toBeNull();
});
