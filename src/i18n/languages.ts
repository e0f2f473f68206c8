import german from "./de.json" with { type: "json" };
import spanish from "./es.json" with { type: "json" };
import japanese from "./ja.json" with { type: "json" };
import chinese from "./zh.json" with { type: "json" };
import { createSay, english, type Language, type Say } from "./say.ts";

const SAYS: Readonly<Record<Language, Say>> = {
  en: english,
  de: createSay("de", german),
  es: createSay("es", spanish),
  ja: createSay("ja", japanese),
  zh: createSay("zh", chinese),
};

export const sayIn = (language: Language): Say => SAYS[language];
