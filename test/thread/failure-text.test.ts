/** Why a request failed, as it is told in the language of its thread. */

import { expect, it } from "vitest";
import { failureText } from "../../src/thread/failure-text.ts";
import { sayIn } from "../../src/i18n/languages.ts";

it("a sentence without figures is found as it was stored, and other words stay as they are", () => {
  const message = "Your budget for today is used up.";
  expect(failureText({ message }, sayIn("es"))).toBe("Tu presupuesto de hoy se ha agotado.");
  expect(failureText({ message: "in no catalogue" }, sayIn("es"))).toBe("in no catalogue");
});
