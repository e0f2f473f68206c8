import { expect, it } from "vitest";
import german from "../../src/i18n/de.json" with { type: "json" };
import { FORMER_SENTENCES } from "../../src/i18n/former-sentences.ts";
import { sayIn } from "../../src/i18n/languages.ts";
import { LANGUAGES } from "../../src/i18n/say.ts";

const placesIn = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

it.each(Object.entries(FORMER_SENTENCES))("%s reads in each language as its new form", (former, now) => {
  expect(Object.keys(german)).not.toContain(former);
  expect(placesIn(former)).toEqual(placesIn(now));
  for (const language of LANGUAGES.filter((one) => one !== "en"))
    expect(sayIn(language).stored(former)).toBe(sayIn(language).stored(now));
  expect(sayIn("de").stored(former)).not.toBe(former);
});
