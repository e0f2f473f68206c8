/** The page's own words, in the language that the host has for this browser. They are there before anything is drawn. */

import { base } from "./base.ts";
import { createSay, type Say } from "../../src/i18n/say.ts";

const read = async (): Promise<Say> => {
  try {
    const answer = await fetch(`${base}/page/words.json`, { credentials: "same-origin" });
    const { language, words } = await answer.json();
    document.documentElement.lang = language;
    return createSay(language, words);
  } catch {
    return createSay("en", {});
  }
};

export const say: Say = await read();
