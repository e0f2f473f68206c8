import { describe, expect, it } from "vitest";
import { createLanes, type LaneLease } from "../../sandbox/lanes.ts";

const never = new AbortController().signal;

/** Takers in the order in which they were served. */
const line = (count: number) => {
  const lanes = createLanes(count);
  const served: string[] = [];
  const held = new Map<string, LaneLease>();
  const take = async (name: string, key: string, signal = never): Promise<boolean> => {
    const lane = await lanes.take([key], signal);
    if (lane === null) return false;
    served.push(name);
    held.set(name, lane);
    return true;
  };
  return { take, served, held, release: (name: string) => held.get(name)?.release() };
};

describe("lanes", () => {
  it("hold as many as there are, with different numbers, one for each key, first come first served", async () => {
    const { take, served, held, release } = line(2);
    const all = [take("a1", "a"), take("a2", "a"), take("b1", "b"), take("c1", "c")];
    await Promise.all([all[0], all[2]]);
    expect(served).toEqual(["a1", "b1"]);
    expect(new Set([held.get("a1")?.number, held.get("b1")?.number]).size).toBe(2);
    release("b1");
    await all[3];
    expect(served).toEqual(["a1", "b1", "c1"]);
    release("a1");
    expect(await all[1]).toBe(true);
    expect(served).toEqual(["a1", "b1", "c1", "a2"]);
  });

  it("forget who gave up, and let the next one in", async () => {
    const { take, served, release } = line(1);
    const ended = new AbortController();
    await take("a", "a");
    const [b, c] = [take("b", "b", ended.signal), take("c", "c")];
    ended.abort();
    expect(await b).toBe(false);
    release("a");
    expect(await c).toBe(true);
    expect(served).toEqual(["a", "c"]);
    expect(await take("d", "d", ended.signal)).toBe(false);
  });
});
