/** Names, codes and sentences from outside in the host's own lines: one line, nothing hidden, nothing that marks up. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { discordCode, discordPlain } from "../../adapters/discord/write/render.ts";
import { slackCode, slackPlain } from "../../adapters/slack/write/markup.ts";
import { hostile } from "./text/hostile.ts";
import { hidesNothing } from "./host-words.ts";

const slack = { code: slackCode, plain: slackPlain };
const discord = { code: discordCode, plain: discordPlain };

/** Every way to write what came from elsewhere; `shown`: without what the surface itself puts in. */
const writers = [
  ["Slack", slack, (text: string) => text.replaceAll(/(?<=[*_~`])\u200b/g, "")],
  ["Discord", discord, (text: string) => text],
] as const;

describe.each(writers)("on %s", (_, marks, shown) => hidesNothing(marks, shown));

it("a code span of a chat platform ends where it ends, whatever it holds", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      for (const { code } of [slack, discord]) expect(code(text)).toMatch(/^`[^`]+`$/);
    }),
    { numRuns: 500 },
  );
});
