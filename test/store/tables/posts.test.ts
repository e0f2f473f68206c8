/** The ledger: what a thread should show, numbered so that only what changed is told again. */

import { describe, expect, it } from "vitest";
import type { Commit } from "../../../src/ports/store.ts";
import { openWithConnection } from "../kit.ts";
import { begin, commitOf, notice, take } from "../plain.ts";

describe("posts", () => {
  it("that did not change keep row and revision, and only changed ones are answered", () => {
    const { store, db } = openWithConnection(":memory:");
    const posts = [notice("a", 1), notice("b", 1)];
    const first = take(store, commitOf(begin(store), { posts }));
    const total = db.prepare("SELECT total_changes()").pluck();
    const written = (commit: Commit): number => {
      const before = Number(total.get());
      expect(store.commit(commit)).toEqual({ kind: "committed", posts: [] });
      return Number(total.get()) - before;
    };
    const same = commitOf(first, { posts });
    const none = commitOf(same.after);
    expect(written(same)).toBe(written(none));
    const second = commitOf(none.after, { posts: [notice("a", 1), notice("b", 2), notice("c", 1)] });
    const rows = [
      { post: notice("b", 2), ordinal: 2, revision: 3 },
      { post: notice("c", 1), ordinal: 3, revision: 4 },
    ];
    expect(store.commit(second)).toEqual({ kind: "committed", posts: rows });
    expect(store.posts("c-1", 2)).toEqual(rows);
    expect(store.posts("c-1", 0)).toEqual([{ post: notice("a", 1), ordinal: 1, revision: 1 }, ...rows]);
    expect(store.posts("c-1", 4)).toEqual([]);
  });

  it("that left the projection stay as they are (D18)", () => {
    const { store } = openWithConnection(":memory:");
    const first = take(store, commitOf(begin(store), { posts: [notice("a", 1)] }));
    take(store, commitOf(first, { posts: [notice("b", 1)] }));
    expect(store.posts("c-1", 0).map(({ post }) => post.key)).toEqual(["a", "b"]);
  });

  it("are read newest first, from any place on, whatever was changed last", () => {
    const { store, db } = openWithConnection(":memory:");
    const posts = Array.from({ length: 120 }, (_, index) => notice(`n${index + 1}`, 1));
    const first = take(store, commitOf(begin(store), { posts }));
    take(store, commitOf(first, { posts: [notice("n2", 2)] }));
    const ordinals = (before?: number) =>
      Array.from(store.latestPosts("c-1", before), ({ ordinal }) => ordinal);
    expect(ordinals()).toEqual(posts.map((_, index) => 120 - index));
    expect(ordinals(4)).toEqual([3, 2, 1]);
    expect(ordinals(1)).toEqual([]);
    expect([...store.latestPosts("c-1", 3)][0]).toMatchObject({ ordinal: 2, revision: 121 });
    const plan = db.prepare<[], { readonly detail: string }>(
      "EXPLAIN QUERY PLAN SELECT body FROM posts WHERE conversation = '' AND revision > 1 ORDER BY +ordinal",
    );
    expect(plan.all().map(({ detail }) => detail)).toContainEqual(expect.stringContaining("posts_changed"));
  });

  it("of two conversations are numbered apart", () => {
    const { store } = openWithConnection(":memory:");
    take(store, commitOf(begin(store, "c-1"), { posts: [notice("a", 1)] }));
    take(store, commitOf(begin(store, "c-2"), { posts: [notice("a", 2)] }));
    expect(store.posts("c-2", 0)).toEqual([{ post: notice("a", 2), ordinal: 1, revision: 1 }]);
  });
});
