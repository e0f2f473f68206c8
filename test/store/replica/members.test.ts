/** Every host writes, and all of them have one history. */

import { describe, expect, it, onTestFinished } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import { startCutting } from "../../fakes/cutting.ts";
import { addressOf, sharedPostgres } from "../../fakes/postgres.ts";
import { beginIn, commitOf, takeIn } from "../plain.ts";
import { asked, createHost, even, rowsIn } from "./fleet.ts";

const postgres = await sharedPostgres();

const create = async (): Promise<string> => (await postgres?.create()) ?? "";

const pair = async () => {
  const address = await create();
  const [one, two] = [await createHost(address, "one"), await createHost(address, "two")];
  return { address, one, two, a: await one.member(), b: await two.member() };
};

const IDS = ["c-1", "c-2", "c-3", "c-4"] as const;

describe.skipIf(postgres === null)("two members", () => {
  it("write at the same time, and nothing is lost or doubled", async () => {
    const { address, one, two, a, b } = await pair();
    await even(address, one.file, two.file);
    expect([a.fleet.members(), b.fleet.members()]).toEqual([
      ["one", "two"],
      ["one", "two"],
    ]);
    const write = async (on: typeof a, id: ConversationId): Promise<void> => {
      let state = await beginIn(on.store, id);
      for (let n = 0; n < 20; n += 1) state = await takeIn(on.store, commitOf(state));
    };
    const from = performance.now();
    await Promise.all(IDS.map((id, n) => write(n % 2 === 0 ? a : b, id)));
    process.stderr.write(`ms ${performance.now() - from}\n`);
    await even(address, one.file, two.file);
    expect(rowsIn(one.file)).toEqual(rowsIn(two.file));
    for (const id of IDS) expect(a.store.load(id)?.state.seq).toBe(20);
  });

  it("own a home once, and both say the same", async () => {
    const { a, b } = await pair();
    for (let n = 0; n < 10; n += 1) {
      const both = await Promise.all([
        a.fleet.own([`slack/C${n}`], "one"),
        b.fleet.own([`slack/C${n}`], "two"),
      ]);
      const said = both.map((one) => (one.kind === "owned" ? one.by[0] : one.message));
      expect(new Set(said).size).toBe(1);
    }
  });

  it("hear what the other wrote within moments, and errands are answered", async () => {
    const { a, b } = await pair();
    const heard: string[] = [];
    b.others.heard((changed) => heard.push(...changed.map(({ table }) => table)));
    const from = performance.now();
    await beginIn(a.store, "c-1");
    process.stderr.write(`begun ms ${performance.now() - from}\n`);
    while (b.store.load("c-1") === null) await new Promise((resolve) => setTimeout(resolve, 2));
    process.stderr.write(`tail ms ${performance.now() - from}\n`);
    b.others.serve((errand) => Promise.resolve({ heard: errand }));
    for (let n = 0; n < 5; n += 1) {
      const began = performance.now();
      expect(await a.others.ask("two", { n })).toEqual({ kind: "told", answer: { heard: { n } } });
      process.stderr.write(`errand ms ${performance.now() - began}\n`);
    }
    expect(await a.others.ask("three", 1)).toEqual({ kind: "gone" });
    expect(heard).toContain("conversations");
  });

  it("one that leaves is a member no more, and what it had is free", async () => {
    const { address, one, two, a, b } = await pair();
    await b.fleet.own(["slack/C1"], "two");
    await even(address, one.file, two.file);
    await b.store.close();
    await b.lease.release();
    const from = performance.now();
    while (a.fleet.members().length === 2) await new Promise((resolve) => setTimeout(resolve, 5));
    process.stderr.write(`left ms ${performance.now() - from}\n`);
    expect([a.fleet.ownerOf("slack/C1"), a.fleet.homesOf("two")]).toEqual([null, ["slack/C1"]]);
    expect(
      await asked(address, "SELECT count(*)::int AS n FROM parley.hosts WHERE joined IS NOT NULL"),
    ).toEqual([{ n: 1 }]);
  });

  it("one that is cut off is ended by the other, and its errands are over", async () => {
    if (postgres === null) return;
    const address = await create();
    const cutting = await startCutting(postgres.directory);
    onTestFinished(() => cutting.end());
    const one = await createHost(address, "one");
    const two = await createHost(addressOf(cutting.directory, new URL(address).pathname.slice(1)), "two");
    const [a, b] = [await one.member(), await two.member()];
    const state = await beginIn(b.store, "c-1");
    while (a.fleet.members().length === 1) await new Promise((resolve) => setTimeout(resolve, 5));
    const told = a.others.ask("two", "are you there?");
    const from = performance.now();
    cutting.shut();
    while (a.fleet.members().length === 2) await new Promise((resolve) => setTimeout(resolve, 5));
    process.stderr.write(`ended ms ${performance.now() - from}\n`);
    expect(await told).toEqual({ kind: "gone" });
    expect(b.lease.isHeld()).toBe(true);
    cutting.open();
    expect(await b.lease.over).toBe("lost");
    expect(await b.store.commit(commitOf(state))).toMatchObject({ kind: "failed", code: "io" });
    expect(a.store.load("c-1")?.state.seq).toBe(0);
  });
});
