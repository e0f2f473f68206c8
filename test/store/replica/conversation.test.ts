/** What one host writes is what the others have. */

import { afterAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../fakes/postgres.ts";
import { beginIn, claimOf, commitOf, notice, takeIn } from "../plain.ts";
import { createHost, rowsIn, seqOf } from "./fleet.ts";

const postgres = await startPostgres();
afterAll(() => postgres?.end());

describe.skipIf(postgres === null)("a replica", () => {
  it("has a whole conversation, byte for byte, and goes on from it", async () => {
    const address = (await postgres?.create()) ?? "";
    const [one, two] = [await createHost(address, "one"), await createHost(address, "two")];
    const lease = await one.lead();
    const { store } = one.open(lease);
    const first = await beginIn(store);
    await store.claim(claimOf("first"));
    const words = [{ id: "m-1", words: { kind: "comment", text: 'a\u0000b"\\\ud83d\ude00' } }] as const;
    const state = await takeIn(
      store,
      commitOf(first, { words, posts: [notice("a", 1)], claim: claimOf("first") }),
    );
    await store.setTitle("c-1", "another", null);
    await store.close();
    await two.follow(seqOf(one.file));
    expect(rowsIn(two.file)).toEqual(rowsIn(one.file));
    await lease.release();
    const next = await two.lead();
    expect(next.epoch).toBe(lease.epoch + 1);
    const again = two.open(next);
    await takeIn(again.store, commitOf(state));
    expect(again.store.load("c-1")?.state.seq).toBe(state.seq + 1);
  });
});
