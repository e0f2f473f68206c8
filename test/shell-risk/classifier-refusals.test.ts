/** What is refused, without holding up the host: a glance where it is enough, a process beside where it is not. */
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { createClassifier, type ClassifierQuestion } from "../../src/shell-risk/classifier.ts";
import { createProcess } from "../../src/shell-risk/process.ts";
import { BLIND_ADD, CRITICAL_RM, FORCE_PUSH, refuse } from "../../src/shell-risk/refusals.ts";
import { glance, parse } from "../../src/shell-risk/shell/shell.ts";
import { stallsWhile } from "../stalls.ts";
import { ADDS, BROKEN, DELETIONS, PUSHES } from "./refusals-corpus.ts";
import { FACTS } from "./rows.ts";

type Judge = (command: string, signal: AbortSignal) => Promise<Verdict | null>;

interface Verdict {
  readonly refusal: string | null;
  readonly complete: boolean;
}

const bash = (command: string) => ({ judge: "script" as const, input: { command } });

const createJudge = (limitMs?: number): Judge => {
  const classify = createClassifier(limitMs);
  return async (command, signal) => {
    const classified = await classify(bash(command), FACTS, signal);
    if (classified === null) return null;
    const { refusal, complete } = classified;
    return { refusal, complete };
  };
};

const never = new AbortController().signal;

/** More than a glance, and plain. */
const LONG = "echo some words\n".repeat(500);

/** Eight functions, each of which calls the next eight times. */
const FAN = `${"abcdefgh"
  .split("")
  .map((name, at, all) => `${name}() { ${`${all[at + 1] ?? "true"};`.repeat(8)} }`)
  .join("; ")}; a`;

const HOSTILE: readonly (readonly [string, string])[] = [
  ["functions that fan out", FAN],
  ["quotes that never end", "\"'(`{$<<".repeat(1_500)],
  ["open substitutions", "$(".repeat(10_000)],
  ["braces in braces", `echo ${"{a,".repeat(10_000)}${"}".repeat(10_000)}`],
  ["tests that never close", `[[ ${" / ".repeat(15_000)}`],
];

let judge: Judge;
beforeAll(async () => {
  judge = createJudge();
  await judge(LONG, never);
});

describe("a glance", () => {
  test("is enough for ordinary commands, and sees what reading sees", () => {
    const rows = [...ADDS, ...PUSHES, ...DELETIONS];
    const glanced = rows.flatMap(({ command }) => {
      const parsed = glance(command);
      if (parsed !== null) expect(parsed).toEqual(parse(command));
      return parsed === null ? [] : [command];
    });
    console.info(`judged at a glance: ${glanced.length} of ${rows.length} commands of the corpus`);
    expect(glanced.length).toBeGreaterThan(rows.length * 0.9);
  });

  test("of any text is nothing, or what reading sees", () => {
    const part = fc.constantFrom(
      ..."rm,-rf,/, ,;,|,&&,(,),{,},$(,`,\",',[ ,[[ , ]],<<E\n,E\n,\n,if ,then ,fi,x=,$x,${x:-,*,eval ,bash -c ".split(
        ",",
      ),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const text = parts.join("");
        const parsed = glance(text);
        if (parsed !== null) expect(parsed).toEqual(parse(text));
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([...HOSTILE, ["a plain script that is long", LONG], ["a syntax error", "if foo"]] as const)(
    "is not spent on %s",
    (_, script) => {
      expect(glance(script)).toBeNull();
    },
  );

  test("does not depend on the clock: the same commands are glanced at by a process that has no time", () => {
    const rows = [...ADDS, ...PUSHES, ...DELETIONS].map(({ command }) => command);
    const before = rows.map((command) => glance(command) !== null);
    const real = { now: performance.now, cpu: process.threadCpuUsage };
    let time = 0;
    const late = (): number => (time += 10_000_000);
    performance.now = late;
    process.threadCpuUsage = () => ({ user: late(), system: 0 });
    const after = rows.map((command) => glance(command) !== null);
    performance.now = real.now;
    process.threadCpuUsage = real.cpu;
    expect(after).toEqual(before);
  });

  test.each(HOSTILE)("holds the loop no longer than the law allows for %s", async (_, script) => {
    expect(await stallsWhile(() => Promise.resolve(glance(script.slice(0, 2_000))))).toBe(0);
  });
});

describe("a verdict", () => {
  test("that a glance refuses stays, whatever becomes of the rest", async () => {
    const late = createJudge(1);
    expect(await late("${x:-rm} -rf /; echo 'if (' > a.sh; sh a.sh", never)).toMatchObject({
      refusal: CRITICAL_RM,
    });
    expect(await late("${x:-ls} /; echo 'if (' > a.sh; sh a.sh", never)).toMatchObject({ refusal: null });
  });

  test.each<[string, string | null]>([
    ["git add -A", BLIND_ADD],
    ["git add a.ts", null],
    [`${LONG}git push --force`, FORCE_PUSH],
    [`${LONG}git push`, null],
    ["if rm -rf /", CRITICAL_RM],
    ["if rm -rf build", null],
  ])("is the same here and in the process: %j", async (script, refusal) => {
    expect(await judge(script, never)).toEqual({ refusal, complete: true });
  });

  test("on the broken rows of the corpus is the same in the process", async () => {
    const verdicts = await Promise.all(BROKEN.map(({ command }) => judge(command, never)));
    expect(verdicts).toEqual(
      BROKEN.map(({ command }) => ({ refusal: refuse(parse(command)), complete: true })),
    );
  });

  test.each(HOSTILE)("leaves the event loop free for %s", async (_, script) => {
    let verdict: Awaited<ReturnType<typeof judge>> | undefined;
    const stalls = await stallsWhile(async () => {
      verdict = await judge(script, never);
    });
    expect(verdict?.refusal).toBeNull();
    expect(stalls).toBe(0);
  });

  test("says when the command was not read to its end, and is of what was read", async () => {
    const deep = "eval ".repeat(400);
    expect(await judge(`${deep}ls`, never)).toEqual({ refusal: null, complete: false });
    expect(await judge(`rm -rf /\n${deep}ls`, never)).toEqual({ refusal: CRITICAL_RM, complete: false });
  });

  test("is none once the call is stopped, waiting or at work, and the next goes on", async () => {
    const stopped = new AbortController();
    const [working, waiting] = [judge(FAN, stopped.signal), judge(LONG, stopped.signal)];
    stopped.abort();
    expect([await working, await waiting, await judge(LONG, stopped.signal)]).toEqual([null, null, null]);
    expect(await judge(`${LONG}git add .`, never)).toEqual({ refusal: BLIND_ADD, complete: true });
  });
});

test("a process that takes too long is ended, and slips are looked for without it; the next script gets another", async () => {
  const impatient = createJudge(1);
  const unread = { refusal: null, complete: false };
  expect(await impatient(FAN, never)).toEqual(unread);
  expect(await impatient(`${FAN}\ncd /\ngit push --force`, never)).toEqual({
    refusal: FORCE_PUSH,
    complete: false,
  });
  expect(await judge(`${LONG}git add .`, never)).toEqual({ refusal: BLIND_ADD, complete: true });
});

describe("a script over all bounds", () => {
  const PARTS = "a|".repeat(10_000);

  test.each<readonly [string, string]>([
    ["of 10,000 parts, and a syntax error", PARTS],
    ["of 10,000 parts", `${PARTS}a`],
    ["of 10,000 commands", "true; ".repeat(10_000)],
    ["of 400,000 characters", `echo ${"word ".repeat(80_000)}`],
  ])("%s, takes no memory of the host, and none is left when it is done", async (_, script) => {
    const memory = process.memoryUsage().rss;
    const cpu = process.threadCpuUsage();
    const start = performance.now();
    const verdict = await judge(`${script}\ngit push --force`, never);
    const millis = performance.now() - start;
    const { user, system } = process.threadCpuUsage(cpu);
    const grown = (process.memoryUsage().rss - memory) / 1e6;
    console.info(
      `judged in ${millis.toFixed(0)} ms, ${((user + system) / 1_000).toFixed(0)} ms of them here; the host grew by ${grown.toFixed(0)} MB`,
    );
    expect(verdict).toEqual({ refusal: FORCE_PUSH, complete: false });
    expect(grown).toBeLessThan(64);
  });

  test("is read by a process that ends by itself, and its memory with it", async () => {
    const alive = childrenOf(process.pid);
    const brief = createProcess<ClassifierQuestion, Verdict>({
      file: new URL("../../src/shell-risk/classifier-process.ts", import.meta.url),
      answer: z.object({ refusal: z.string().nullable(), complete: z.boolean() }),
      limitMs: 20_000,
      idleMs: 50,
    });
    expect(await brief.ask({ call: bash(PARTS), facts: FACTS }, never)).toMatchObject({
      kind: "answer",
      answer: { complete: false },
    });
    const [reading] = childrenOf(process.pid).filter((id) => !alive.includes(id));
    const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${reading}/status`, "utf8"))?.[1]) / 1_000;
    console.info(`the process took ${peak.toFixed(0)} MB at most`);
    // Its bounds are 192 MB of heap, 24 of young objects, and Node.
    expect(peak).toBeLessThan(400);
    await vi.waitFor(() => expect(childrenOf(process.pid).filter((id) => !alive.includes(id))).toEqual([]));
    expect(await brief.ask({ call: bash("git add ."), facts: FACTS }, never)).toMatchObject({
      answer: { refusal: BLIND_ADD },
    });
  });
});

const childrenOf = (id: number): readonly number[] =>
  readdirSync(`/proc/${id}/task`).flatMap((task) =>
    readFileSync(`/proc/${id}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
