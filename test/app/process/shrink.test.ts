/** What a start and busy times leave in memory is given back once, when there is little to do. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { startShrinking } from "../../../src/app/process/shrink.ts";
import { root } from "../cli/host.ts";

const EVERY = 10_000;

const host = () => {
  let used = 5_000;
  let collected = 0;
  let isAsking = false;
  const timers: (() => void)[] = [];
  const end = startShrinking({
    isAsking: () => isAsking,
    clock: {
      now: () => 0,
      after: (delay, fire) => {
        expect(delay).toBe(EVERY);
        timers.push(fire);
        return () => timers.splice(0);
      },
    },
    used: () => used,
    collect: () => {
      collected += 1;
      used += 400;
    },
  });
  return {
    /** Until the next look, with so much processor time. */
    works: (millis: number): number => {
      used += millis;
      timers.shift()?.();
      return collected;
    },
    asks: (now: boolean) => void (isAsking = now),
    end,
    timers,
  };
};

describe("a host with little to do", () => {
  it("collects once after its start, and not while it goes on doing little", () => {
    const { works } = host();
    expect([works(20), works(30), works(10), works(79)]).toEqual([1, 1, 1, 1]);
  });

  it("collects again when it has not been busy for a minute, and never while it is", () => {
    const { works } = host();
    expect([works(9_000), works(100), works(10), works(5_000)]).toEqual([0, 0, 1, 1]);
    expect([10, 10, 10, 10, 10, 100, 10, 10, 10, 10, 10].map(works)).toEqual(Array(11).fill(1));
    expect([works(10), works(10)]).toEqual([2, 2]);
  });

  it("collects nothing while an answer is written, however little that takes, and does after it", () => {
    const { works, asks } = host();
    asks(true);
    expect([works(60), works(60)]).toEqual([0, 0]);
    asks(false);
    expect(works(60)).toBe(1);
  });

  it("looks no more when it has ended", () => {
    const { end, timers } = host();
    end();
    expect(timers).toEqual([]);
  });

  it("collects for real what nobody holds, and from then on keeps compiled code", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", PROGRAM]);
    expect(JSON.parse(stdout)).toEqual({ held: [true, false], code: [false, true] });
  });
});

/** V8 discards code that did not run between three collections. In a process of its own, whose flags change. */
const PROGRAM = `
  import { getHeapCodeStatistics } from "node:v8";
  import { startShrinking } from "${root}/src/app/process/shrink.ts";
  import { freeMemory } from "${root}/src/store/base/free-memory.ts";
  const turn = () => new Promise((resolve) => setTimeout(resolve));
  const compiled = [];
  const staysCompiled = async () => {
    const lines = Array.from({ length: 5_000 }, (_, line) => "no += " + line + ";").join("");
    compiled.push(new Function("no", lines));
    compiled.at(-1)(compiled.length);
    const before = getHeapCodeStatistics().bytecode_and_metadata_size;
    for (let no = 0; no < 5; no++) {
      await turn();
      freeMemory();
    }
    return before - getHeapCodeStatistics().bytecode_and_metadata_size < 25_000;
  };
  const code = [await staysCompiled()];
  const object = new WeakRef({ of: "nobody" });
  const held = [object.deref() !== undefined];
  const looks = [];
  const clock = { now: () => 0, after: (_, look) => (looks.push(look), () => undefined) };
  startShrinking({ isAsking: () => false, used: () => 0, clock });
  await turn();
  looks.shift()();
  held.push(object.deref() !== undefined);
  code.push(await staysCompiled());
  console.log(JSON.stringify({ held, code }));
`;
