/** One emoji has one key, whoever writes it, in whatever form. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emojiKey, emojiText, hasCharacter, isEmojiName } from "../../src/text/emoji.ts";

describe("emojiKey", () => {
  it.each([
    [":mag:", "mag"],
    ["mag", "mag"],
    ["🔍", "mag"],
    [":wave::skin-tone-3:", "wave"],
    ["wave::skin-tone-6", "wave"],
    ["👋🏽", "wave"],
    ["thumbsup", "+1"],
    ["+1::skin-tone-2", "+1"],
    ["👍🏿", "+1"],
    ["⚠️", "warning"],
    [":acme-ship:", "acme-ship"],
    ["<:ship:123456789012345678>", "123456789012345678"],
    ["<a:ship:123456789012345678>", "123456789012345678"],
    ["🦑", "🦑"],
    ["🇩🇪", "🇩🇪"],
    ["👩🏽‍💻", "👩‍💻"],
    [":constructor:", "constructor"],
  ])("%s is %s", (typed, key) => {
    expect(emojiKey(typed)).toBe(key);
  });

  it.each(["", "Find", "two words", "a🔍", "<@U123>", "<!channel>", "ä"])("%j is no emoji", (typed) => {
    expect(emojiKey(typed)).toBeNull();
  });

  it("is its own key", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: "grapheme" })), (typed) => {
        const key = emojiKey(typed);
        expect(key === null ? null : emojiKey(key)).toBe(key);
      }),
    );
  });
});

it("Discord has characters and ids, Slack has names", () => {
  expect(["mag", "🦑", "123456789012345678", "acme-ship"].map(hasCharacter)).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(["mag", "acme-ship", "🦑", "123456789012345678"].map(isEmojiName)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(["mag", "🦑"].map(emojiText)).toEqual([":mag:", "🦑"]);
});
