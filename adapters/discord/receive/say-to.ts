/** In the language of the person who did something, as Discord tells it, else of the place. */

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
