import german from "./de.json" with { type: "json" };
import spanish from "./es.json" with { type: "json" };
import japanese from "./ja.json" with { type: "json" };
import chinese from "./zh.json" with { type: "json" };
import { FORMER_SENTENCES } from "./former-sentences.ts";
import { createSay, english, type Language, type Say } from "./say.ts";

type Catalog = typeof german;

const withFormer = (catalog: Catalog): Readonly<Record<string, string>> => ({
  ...catalog,
  ...Object.fromEntries(Object.entries(FORMER_SENTENCES).map(([former, now]) => [former, catalog[now]])),
});

const SAYS: Readonly<Record<Language, Say>> = {
  en: english,
  de: createSay("de", withFormer(german)),
  es: createSay("es", withFormer(spanish)),
  ja: createSay("ja", withFormer(japanese)),
  zh: createSay("zh", withFormer(chinese)),
};

export const sayIn = (language: Language): Say => SAYS[language];
