/** Returns texts in the language of the person's client, or of the channel if that language is unknown. */

import { sayIn } from "../../../src/i18n/languages.ts";
import type { Say } from "../../../src/i18n/say.ts";
import { spoken } from "../../post/spoken.ts";
import type { Interaction } from "../read/read.ts";

export const sayTo = (
  { locale, place }: Pick<Interaction, "locale" | "place">,
  say: (place: string) => Say,
): Say => {
  const { language } = spoken(locale);
  return language === undefined ? say(place) : sayIn(language);
};
