/** Returns the language of a person from the locale that their platform reports. */

import type { Person } from "../../src/ports/chat-platform.ts";
import { languageIn } from "../../src/i18n/say.ts";

export const spoken = (locale: string | undefined): Pick<Person, "language"> => {
  const language = locale === undefined ? null : languageIn([locale]);
  return language === null ? {} : { language };
};
