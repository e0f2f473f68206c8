/** The language of a browser, as it says itself what it would like. */

import { sayIn } from "../../src/i18n/languages.ts";
import { type Language, languageIn, type Say } from "../../src/i18n/say.ts";

/** `accepts`: its Accept-Language. `usual`: where it names none that the host speaks. */
export const sayTo = (accepts: string | undefined, usual: Language): Say => {
  const tags = (accepts ?? "").split(",").map((one) => one.split(";", 1)[0] ?? "");
  return sayIn(languageIn(tags) ?? usual);
};
