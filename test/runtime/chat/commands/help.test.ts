/** What help says, word for word: every command in its order, in each language, on each platform. */

import { expect, it } from "vitest";
import { chatCommands } from "../../../../src/app/commands.ts";
import { sayIn } from "../../../../src/i18n/languages.ts";
import { LANGUAGES } from "../../../../src/i18n/say.ts";

it.each(["slack", "discord", "lines"])("on %s, in a thread and in a channel", (surface) => {
  for (const language of LANGUAGES) {
    const say = sayIn(language);
    expect(chatCommands.threadHelp("@parley", surface, say)).toMatchSnapshot(`${language}, in a thread`);
    expect(chatCommands.channelHelp("@parley", surface, say)).toMatchSnapshot(`${language}, in a channel`);
  }
});
