/** The first look's answer, the words that a reason may have, matters, and limits. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundOf } from "../../../../src/features/watches/people/bounds.ts";
import {
  lookText,
  readLook,
  reasonWithout,
} from "../../../../src/features/watches/people/first-look-prompt.ts";
import { isSameMatter, matterKeys } from "../../../../src/features/watches/people/matter.ts";

const LINK = "https://github.com/acme/api/issues/7";
const matters = [{ kind: "issue or page", title: "Cart", link: LINK, excerpt: "" }] as const;

describe("the answer of a first look", () => {
  it.each([
    ['{"decision":"look","link":null,"reason":"A bug."}', { kind: "look" }],
    ['```json\n{"decision":"nothing","reason":"Chatter."}\n```', { kind: "nothing" }],
    [`{"decision":"duplicate","link":"${LINK}","reason":"Known."}`, { kind: "duplicate", link: LINK }],
  ])("%s is honored", (answer, decision) => {
    expect(readLook(answer, { matters, post: "" })?.decision).toEqual(decision);
  });

  it.each([
    "look",
    '{"decision":"answer","reason":"x"}',
    '{"decision":"look"}',
    '{"decision":"look","reason":"x","run":"rm"}',
    '{"decision":"duplicate","link":"https://evil.example","reason":"x"}',
    '{"decision":"duplicate","reason":"x"}',
    '{"decision":"look","reason":"x"} and more',
    "",
  ])("%s is silence", (answer) => {
    expect(readLook(answer, { matters, post: "" })).toBeNull();
  });

  it("has no word of the post in its reason, except words of general sentences", () => {
    expect(reasonWithout("The canary crashes", "The canary question is a bug")).toBe(
      "The … question is a bug",
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[b-d]{6,12}$/), fc.string(), (word, around) => {
        expect(reasonWithout(`${around} ${word} end`, `It says ${word}.`)).not.toContain(word);
      }),
    );
    expect(reasonWithout("canary", `${"a ".repeat(98)}canary`)).not.toContain("ca");
    expect(reasonWithout("日本語の投稿", "It is about 投稿")).toBe("It is about …");
  });
});

it("a post cannot leave its JSON string in the request", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (post) => {
      const text = lookText({ instructions: "t", post, matters: [], notes: [], corrections: [] });
      const [first = "", ...rest] = text.split("\n");
      expect(first).toBe("First look at a post.");
      expect(JSON.parse(rest.join("\n"))).toMatchObject({
        task: "t",
        post: post.slice(0, 4_000).toWellFormed(),
      });
    }),
  );
});

describe("posts are about one matter", () => {
  it.each([
    ["Build 17 failed!", "build 18 failed", true],
    ["x https://a.example/1?utm_source=2#c", "https://a.example/1/ y", true],
    ["x https://a.example/bug?id=1", "y https://a.example/bug?id=2", false],
    ["hm\nTypeError: a is 1", "ok TypeError: a is 2", true],
    ["The cart is slow", "The search is slow", false],
    ["https://a.example/1", "https://a.example/2", false],
  ])("%j and %j: %s", (a, b, same) => {
    expect(isSameMatter(matterKeys(a), matterKeys(b))).toBe(same);
  });
});

const times = <T>(count: number, one: T): readonly T[] => Array.from({ length: count }, () => one);

describe("limits", () => {
  const HOUR = 3_600_000;
  const look = { at: 10 * HOUR, author: "slack:UA", cost: 100, decision: { kind: "nothing" } } as const;
  const weighed = {
    now: 10 * HOUR + 1,
    today: 0,
    author: "slack:UB",
    looks: [look],
    waiting: { all: 0, author: 0 },
    postsPerHour: 6,
    threadsPerHour: 6,
    begun: [],
    lookBudget: 10_000,
    price: 10,
    answers: { most: 1_000, spent: 0, author: 0 },
  } as const;

  it.each([
    ["none", {}, null],
    ["posts an hour", { looks: times(6, look) }, "posts"],
    ["waiting posts", { waiting: { all: 5, author: 0 } }, "posts"],
    ["posts an hour before", { looks: times(6, { ...look, at: 8 * HOUR }) }, null],
    ["threads an hour", { begun: times(6, 1) }, "threads"],
    ["money of looks", { looks: [{ ...look, at: 8 * HOUR, cost: 9_995 }] }, "looks"],
    ["money of looks, yesterday", { today: 9 * HOUR, looks: [{ ...look, at: 8 * HOUR, cost: 9_995 }] }, null],
    ["money of answers", { answers: { most: 1_000, spent: 1_000, author: 0 } }, "money"],
    ["an author's posts", { author: "slack:UA", looks: times(2, look) }, "author"],
    ["another author's posts", { looks: times(2, look) }, null],
    ["an author's money", { answers: { most: 1_000, spent: 400, author: 400 } }, "author"],
  ] as const)("%s", (_, part, bound) => {
    expect(boundOf({ ...weighed, ...part })).toBe(bound);
  });
});
