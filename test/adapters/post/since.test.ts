/** What became of cited lines is told in the messages that stand: however long the answer, there is none more and none less. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { discordRenderer } from "../../../adapters/discord/write/render.ts";
import { discordLimits } from "../../../adapters/discord/write/surface.ts";
import { slackRenderer } from "../../../adapters/slack/write/render.ts";
import { slackLimits } from "../../../adapters/slack/write/surface.ts";
import type { Renderer } from "../../../src/ports/surface.ts";
import type { Citation, CitationChange } from "../../../src/text/citation.ts";
import type { StoredContent } from "../../../src/thread/prompt.ts";
import { conversationOf } from "../../store/plain.ts";
import { turnBody } from "../../turn-body.ts";
import { english } from "../../../src/i18n/say.ts";
import { looks } from "../../looks.ts";

const BY = "abc1234abc1234abc1234abc1234abc1234abc12";
const CHANGED: CitationChange = { kind: "changed", commit: BY };
const conversation = conversationOf("c-1", {
  repo: { kind: "url", location: "https://github.com/acme/api.git" },
  base: { commit: "c".repeat(40), ref: "main", cwd: "/work" },
});

const PLATFORMS = [
  ["Discord", discordRenderer(english), discordLimits],
  ["Slack", slackRenderer(english, ""), slackLimits],
] as const;

const cited = (now: CitationChange | null): Citation => ({
  path: "src/a.ts",
  from: 3,
  to: 3,
  status: "found",
  file: "src/a.ts",
  ...(now === null ? {} : { now }),
});

const shown = (
  renderer: Renderer,
  limits: Parameters<Renderer["post"]>[2],
  text: string,
  now: CitationChange | null,
) => {
  const words: StoredContent = {
    kind: "answer",
    blocks: [{ kind: "text", text }],
    citations: [cited(now)],
    links: [],
  };
  const post = { key: "turn/1/1", at: 1, final: true, actions: [], body: turnBody() } as const;
  return renderer.post(
    post,
    { conversation, words: new Map([["m-1", words]]), looks, question: null },
    limits,
  );
};

const MOVED: CitationChange = {
  kind: "moved",
  file: "src/other/longer/name.ts",
  from: 1_000,
  to: 2_000,
  commit: BY,
};

describe.each(PLATFORMS)("on %s", (_, renderer, limits) => {
  it("numbers are corrected with a link to where they stand, and a change has one line with its commit", () => {
    const moved = JSON.stringify(shown(renderer, limits, "See src/a.ts:3.", MOVED));
    expect(moved).toContain("src/other/longer/name.ts:1000-2000");
    expect(moved).toContain(`/blob/${BY}/src/other/longer/name.ts?plain=1#L1000-L2000`);
    const changed = JSON.stringify(shown(renderer, limits, "See src/a.ts:3.", CHANGED));
    expect(changed).toMatch(/src\/a\.ts:3.* changed in .*abc1234/);
    expect(changed).toContain(`https://github.com/acme/api/commit/${BY}`);
    const page = JSON.stringify(
      shown(renderer, limits, "See src/a.ts:3.", { kind: "changed", commit: null }),
    );
    expect(page).toMatch(/src\/a\.ts:3.* changed since/);
  });

  it("takes no other message, and always says so", () => {
    const length = fc.integer({ min: 0, max: 2 * limits.text });
    fc.assert(
      fc.property(length, fc.constantFrom(MOVED, CHANGED), (size, now) => {
        const text = `See src/a.ts:3. ${"word ".repeat(size / 5)}`;
        const before = shown(renderer, limits, text, null);
        const after = shown(renderer, limits, text, now);
        expect(after.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
        if (now === CHANGED) expect(JSON.stringify(after)).toContain("abc1234");
      }),
      { numRuns: 40 },
    );
  });
});
