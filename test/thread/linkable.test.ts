/** Which addresses of an answer may be links (L15): those that others wrote, letter by letter. */

import fc from "fast-check";
import { expect, it } from "vitest";
import type { Entry } from "../../src/machine/transcript.ts";
import type { QuotedContent, ResultOrigin, Speaker } from "../../src/machine/vocabulary.ts";
import { compose, NOTHING } from "../../src/runtime/chat/compose.ts";
import { createLinkable, linksOfOthers } from "../../src/thread/linkable.ts";
import type { TranscriptMessage } from "../../src/thread/prompt.ts";
import { maintainer, stranger } from "../machine/samples.ts";

const REPO = "github.com/acme/shop";
const PAGE = "https://docs.example/rates?page=2";
const dated = { turn: 1, seq: 1, at: 1 };

const said = (text: string, speaker: Speaker = maintainer, quoted?: QuotedContent): TranscriptMessage => ({
  entry: { ...dated, kind: "said", message: "m-1", speaker, images: 0, ...(quoted && { quoted }) },
  words: { kind: "said", text, images: [] },
});

const answered = (origin: ResultOrigin, text: string): TranscriptMessage => ({
  entry: {
    ...dated,
    kind: "result",
    call: { id: "toolu_1", name: "a_tool", intent: "tool" },
    outcome: { kind: "ran", message: "m-2", isError: false },
    origin,
  } satisfies Entry,
  words: { kind: "result", text, images: [], diff: null },
});

const linked = (told: readonly TranscriptMessage[], text: string): boolean =>
  createLinkable(() => new Set(told.flatMap(linksOfOthers)), REPO)(text).length === 1;

it("what people, events, the forge and servers wrote may be one, and nothing that the model could have written", () => {
  const text = `Look at ${PAGE}, please.`;
  for (const by of [maintainer, stranger, { ...stranger, id: "watch:w1" } as const])
    expect(linked([said(text, by)], PAGE)).toBe(true);
  for (const origin of ["forge", "server"] as const)
    expect(linked([answered(origin, text)], PAGE)).toBe(true);
  for (const origin of ["checkout", "web", "model", "host"] as const)
    expect(linked([answered(origin, text)], PAGE)).toBe(false);
  const summary = { messages: 0, previews: 0, files: 0, pictures: 0, summaries: 1 };
  expect(linked([said(text, maintainer, summary)], PAGE)).toBe(false);
  expect(linked([], PAGE)).toBe(false);
});

it("an address in a page that the message links to may be none; the person's own may be one", () => {
  const message = compose(`Is ${PAGE} right?`, {
    ...NOTHING,
    pages: [
      {
        address: PAGE,
        outcome: { kind: "read", text: "<untrusted-quote>\n| https://evil.example/a\n</untrusted-quote>" },
      },
    ],
  });
  const one = said("");
  const told = [{ ...one, words: { kind: "said", images: [], ...message } } as const];
  expect(linked(told, PAGE)).toBe(true);
  expect(linked(told, "https://evil.example/a")).toBe(false);
});

it("nothing is added to one, and nothing in it is changed", () => {
  const known = [said(`Look at ${PAGE}`)];
  const more = fc.stringMatching(/^[a-z0-9&=/-]{1,20}$/);
  fc.assert(
    fc.property(more, fc.nat(PAGE.length - 9), (added, at) => {
      expect(linked(known, `${PAGE}${added}`)).toBe(false);
      const place = at + 8;
      expect(linked(known, `${PAGE.slice(0, place)}${added}${PAGE.slice(place)}`)).toBe(false);
    }),
  );
  expect(linked(known, `(${PAGE}).`)).toBe(true);
});

it("of the conversation's own repository what is only a number may be one", () => {
  for (const path of ["", "/", "/issues/12", "/pull/12", "/-/merge_requests/3"])
    expect(linked([], `https://github.com/acme/shop${path}`)).toBe(true);
  for (const path of [
    "/issues/new?title=x",
    "/issues/12?x=1",
    "/issues/12#x",
    "/blob/main/x",
    "/issues/12345678",
    "x",
  ])
    expect(linked([], `https://github.com/acme/shop${path}`)).toBe(false);
  expect(linked([], "https://github.com/acme/other/issues/12")).toBe(false);
});

it("where the conversation has several repositories, that holds of each of them and of no other", () => {
  const linkable = createLinkable(() => new Set(), "github.com/acme/shop", "github.com/acme/api");
  const all = ["shop", "api", "other"].map((name) => `https://github.com/acme/${name}/issues/12`);
  expect(linkable(all.join(" "))).toHaveLength(2);
});
