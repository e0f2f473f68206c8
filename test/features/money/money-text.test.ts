/** Refusals for money, as they are told in the language of a thread. */

import { expect, it } from "vitest";
import { dearFailure } from "../../../src/features/money/money-text.ts";
import { sayIn } from "../../../src/i18n/languages.ts";
import { english } from "../../../src/i18n/say.ts";
import { failureText } from "../../../src/thread/failure-text.ts";

const DOLLAR = 1_000_000;

it("figures and durations are written as the language has them; English is what is stored", () => {
  const dear = dearFailure(2 * DOLLAR, 150_400, DOLLAR);
  expect(failureText(dear, english)).toBe(dear.message);
  expect(failureText(dear, sayIn("de"))).toBe(
    "Dieser Thread ist lang geworden (etwa 150.000 Token): Die nächste Antwort kostet wahrscheinlich etwa $2.00, und über $1.00 frage ich vorher. Auf „Weitermachen“ drücken oder noch einmal schreiben, wenn die Antwort die Kosten wert ist, oder anhalten. Ein neuer Thread kostet weniger.",
  );
});
