/** The page's texts, in the host's language for this browser. The page is drawn after its texts are loaded. */

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
