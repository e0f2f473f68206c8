import fc from "fast-check";
import { expect, test } from "vitest";
import {
  DETACHED,
  defaultTip,
  movedFrom,
  packedRefs,
  type Ref,
  readListing,
  readRefs,
  sameRefs,
} from "../../../src/workspace/mirror/refs.ts";

const id = (digit: string): string => digit.repeat(40);
const ref = (name: string, digit: string): Ref => ({ name, id: id(digit) });

test("a listing keeps branches and tags and nothing else that a server offers", () => {
  const text = [
    "warning: redirecting to https://elsewhere.example/",
    "ref: refs/heads/main\tHEAD",
    `${id("a")}\tHEAD`,
    `${id("a")}\trefs/heads/main`,
    `${id("b")}\trefs/pull/1/head`,
    `${id("c")}\trefs/tags/v1`,
    `${id("d")}\trefs/tags/v1^{}`,
    `${id("e")}\trefs/notes/commits`,
    `${id("f")} trailing words here`,
  ].join("\n");
  expect(readListing(text)).toEqual({
    head: { branch: "refs/heads/main", id: id("a") },
    refs: [ref("refs/heads/main", "a"), ref("refs/tags/v1", "c")],
  });
  expect(readListing("")).toEqual({ head: null, refs: [] });
});

test.each([
  ["the branch that HEAD names", { branch: "refs/heads/dev", id: id("a") }, { commit: id("b"), ref: "dev" }],
  [
    "main among the branches at HEAD's commit",
    { branch: null, id: id("a") },
    { commit: id("a"), ref: "main" },
  ],
  ["any branch at HEAD's commit", { branch: null, id: id("b") }, { commit: id("b"), ref: "dev" }],
  ["nothing where HEAD is on no branch", { branch: null, id: id("f") }, null],
  ["nothing where HEAD names a branch without commits", { branch: "refs/heads/none", id: null }, null],
  ["nothing without HEAD", null, null],
])("the default is %s", (_, head, tip) => {
  const refs = [
    ref("refs/heads/another", "a"),
    ref("refs/heads/main", "a"),
    ref("refs/heads/dev", "b"),
    ref("refs/tags/x", "f"),
  ];
  expect(defaultTip(head, refs)).toEqual(tip);
});

test("a detached HEAD that was fetched is the default", () => {
  const refs = [ref(DETACHED, "c"), ref("refs/heads/main", "c")];
  expect(defaultTip({ branch: null, id: id("c") }, refs)).toEqual({ commit: id("c"), ref: "HEAD" });
});

const anyRefs = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom("refs/heads/a", "refs/heads/b", "refs/heads/c/d", "refs/tags/t", "refs/tags/u"),
    id: fc.constantFrom(id("1"), id("2"), id("3")),
  }),
  { selector: (r) => r.name },
);

test("what moved is exactly what the new refs no longer say", () => {
  fc.assert(
    fc.property(anyRefs, anyRefs, (before, after) => {
      const moved = movedFrom(before, after);
      for (const each of before) {
        const kept = after.some((now) => now.name === each.name && now.id === each.id);
        expect(moved.includes(each)).toBe(!kept);
      }
      expect(sameRefs(before, after)).toBe(moved.length === 0 && before.length === after.length);
      expect(sameRefs(before, before.toReversed())).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("a checkout's refs are the mirror's, its branches as a remote's, and one branch of its own", () => {
  fc.assert(
    fc.property(anyRefs, fc.option(fc.constantFrom("main", "parley/c-1")), (refs, branch) => {
      const written = readRefs(packedRefs(refs, branch, id("9")));
      expect(written.filter((r) => r.name.startsWith("refs/heads/"))).toEqual(
        branch === null ? [] : [ref(`refs/heads/${branch}`, "9")],
      );
      const back = written
        .filter((r) => !r.name.startsWith("refs/heads/"))
        .map((r) => ({ ...r, name: r.name.replace("refs/remotes/origin/", "refs/heads/") }));
      expect(sameRefs(back, refs)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
