/** Which posts of an app are one matter. Links and texts as the apps post them. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAppPost } from "../../../adapters/post/app-post.ts";

const NONE = { title: null, link: null };
const matter = (words: string, own: { title: string | null; link: string | null } = NONE) =>
  parseAppPost(words, own)?.matter;

const github = (link: string, words = "Issue opened by ana") => matter(words, { title: "#7 Cart", link });

const sentry = (issue: number, query: string) =>
  matter(`:red_circle: TypeError (https://acme.sentry.io/issues/${issue}/?${query})\ncart.total`);

describe("a matter", () => {
  it("of a title with a link of its own is that page, wherever people came from and whatever the text", () => {
    const page = github("https://github.com/acme/api/issues/7");
    expect(github("https://github.com/acme/api/issues/7#issuecomment-1", "New comment by bob")).toBe(page);
    expect(github("https://github.com/acme/api/issues/7?x=1")).toBe(page);
    expect(github("https://github.com/acme/api/issues/8")).not.toBe(page);
  });

  it("of the first line is its words and where they lead: two issues of one name are two matters", () => {
    expect(sentry(7, "referrer=slack")).toBe(sentry(7, "referrer=slack&alert=3"));
    expect(sentry(7, "a")).not.toBe(sentry(8, "a"));
  });

  it("without a link is its first line, but for counts, times and ids", () => {
    const one = matter("[FIRING:3] Disk 91% full on web-12 at 10:31");
    expect(matter("[FIRING:4] Disk 97% full on web-13 at 11:02\nmore")).toBe(one);
    expect(matter("[FIRING:3] Memory 91% full on web-12 at 10:31")).not.toBe(one);
    expect(matter("Deploy 4f2a9c1 failed")).toBe(matter("Deploy 0b77e12 failed"));
  });

  it("does not change with the numbers in it, whatever it says", () => {
    const words = fc.array(fc.constantFrom("disk", "full", "on", "web", "ist", "läuft", ":", "%"), {
      minLength: 1,
    });
    fc.assert(
      fc.property(words, fc.nat(), fc.nat(), (said, a, b) => {
        expect(matter([...said, a].join(" "))).toBe(matter([...said, b].join(" ")));
      }),
    );
  });
});

describe("what is told", () => {
  it("is the title without its address, the rest, and where it leads", () => {
    expect(
      parseAppPost(
        "UploadError (https://acme.sentry.io/issues/7/)\nno answer\n\nsee https://docs.example",
        NONE,
      ),
    ).toEqual({
      title: "UploadError",
      text: "no answer\nsee https://docs.example",
      link: "https://acme.sentry.io/issues/7/",
      matter: "uploaderror acme.sentry.io/issues/7/",
    });
  });

  it("is nothing where nothing is said, and where a Parley wrote it; of a person who names Parley it is", () => {
    const own = "Comment\n---\nWritten by Parley for a (`slack:U1`), approved by b (conversation c-12).";
    expect([parseAppPost("", NONE), parseAppPost(" \n ", NONE), parseAppPost(own, NONE)]).toEqual([
      null,
      null,
      null,
    ]);
    expect(parseAppPost("It was written by Parley, I think", NONE)?.title).toBe(
      "It was written by Parley, I think",
    );
  });
});
