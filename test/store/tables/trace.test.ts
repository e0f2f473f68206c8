/** The trace is read while conversations go on. */

import { describe, expect, it } from "vitest";
import { openWithConnection } from "../kit.ts";
import { begin, commitOf, take } from "../plain.ts";

describe("a trace", () => {
  it("is whole and in order at any length, and a slow reader keeps nobody from writing", () => {
    const store = openWithConnection().store;
    let state = begin(store);
    begin(store, "c-2");
    while (state.seq < 600) state = take(store, commitOf(state));
    const seen: number[] = [];
    for (const row of store.trace("c-1")) {
      seen.push(row.seq);
      if (row.seq % 200 === 0 && state.seq < 603) state = take(store, commitOf(state));
    }
    expect(seen).toEqual(Array.from({ length: 603 }, (_, index) => index + 1));
    expect([...store.trace("c-2")]).toEqual([]);
    store.close();
  });

  it("can be read again from its beginning", () => {
    const store = openWithConnection().store;
    take(store, commitOf(begin(store)));
    expect([...store.trace("c-1")]).toEqual([...store.trace("c-1")]);
    expect([...store.trace("c-1")]).toHaveLength(1);
    store.close();
  });
});
