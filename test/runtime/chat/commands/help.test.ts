/** What help says, word for word: every command in its order, in each language, on each platform. */

import { expect, it } from "vitest";
import { DISCORD_FORMS } from "../../../../adapters/discord/forms.ts";
import { SLACK_FORMS } from "../../../../adapters/slack/forms.ts";
import { chatCommands } from "../../../../src/app/commands.ts";
import { sayIn } from "../../../../src/i18n/languages.ts";
import { LANGUAGES } from "../../../../src/i18n/say.ts";
import { LINES_FORMS } from "../../../adapters/lines/adapter.ts";

it.each([
  ["slack", SLACK_FORMS],
  ["discord", DISCORD_FORMS],
  ["lines", LINES_FORMS],
] as const)("on %s, in a thread and in a channel", (_, forms) => {
  for (const language of LANGUAGES) {
    const say = sayIn(language);
    expect(chatCommands.threadHelp("@parley", forms, say)).toMatchSnapshot(`${language}, in a thread`);
    expect(chatCommands.channelHelp("@parley", forms, say)).toMatchSnapshot(`${language}, in a channel`);
  }
});
