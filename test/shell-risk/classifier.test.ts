/** Classifying without holding up the host: a glance where it is enough, a process beside, and an end to it. */
import { beforeAll, describe, expect, test } from "vitest";
import { type Classifier, createClassifier } from "../../src/shell-risk/classifier.ts";
import type { ClassifiedCall } from "../../src/shell-risk/classify.ts";
import { glance, parse } from "../../src/shell-risk/shell/shell.ts";
import { classifyCommand, FACTS, readRows } from "./rows.ts";
import { growthFault } from "../linear/growth.ts";

const never = new AbortController().signal;

const bash = (command: string) => ({ judge: "script" as const, input: { command } });

const names = (classified: ClassifiedCall | null) => classified?.dangers.map(({ category }) => category);

let classifier: Classifier;
beforeAll(async () => {
  classifier = createClassifier();
  await classifier(bash("echo\n".repeat(500)), FACTS, never);
});

test("a glance is enough for ordinary commands", () => {
  const rows = readRows("heldout.txt");
  const glanced = rows.filter(({ command }) => glance(command) !== null);
  console.info(`classified at a glance: ${glanced.length} of ${rows.length} held-out commands`);
  expect(glanced.length).toBeGreaterThan(rows.length * 0.95);
});

test("the process gives the answer that would be given here, facts included", async () => {
  const facts = {
    ...FACTS,
    standing: new Map([["a", "untracked" as const]]),
  };
  const long = "echo some words\n".repeat(500);
  const classified = await classifier(bash(`${long}rm -r dist; ls > a; ls > b`), facts, never);
  expect(names(classified)).toEqual(["FS_DELETE_OVERWRITE"]);
  expect(classified?.dangers[0]?.changes).toEqual(["deletes or replaces dist", "overwrites the untracked a"]);
  expect(classified?.unsettled).toEqual(["b"]);
  expect(names(await classifier(bash(long), facts, never))).toEqual([]);
});

describe("100,000 characters", () => {
  test.each([
    ["parentheses", "(".repeat(100_000)],
    ["quotes that never end", "\"'(`{$<<".repeat(12_500)],
    ["parts of a pipeline", "a|".repeat(50_000)],
    ["evals in evals", "eval ".repeat(20_000)],
    ["redirections", `x${" >a".repeat(33_000)}`],
  ])("of %s are answered with EXEC_ARBITRARY while the event loop is free", async (_, command) => {
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 10);
    const classified = await classifier(bash(command), FACTS, never);
    clearInterval(ticking);
    expect(names(classified)).toContain("EXEC_ARBITRARY");
    expect(ticks).toBeGreaterThan(0);
  });

  test("hide nothing that stands before them, and take no category away from an ordinary long script", async () => {
    const classified = await classifier(bash(`sudo ls\n${"(".repeat(90_000)}`), FACTS, never);
    expect(names(classified)).toEqual(["SUDO", "EXEC_ARBITRARY"]);
    const plain = await classifier(
      bash(`cat > a.txt <<'E'\n${"some words\n".repeat(9_000)}E\nrm b`),
      FACTS,
      never,
    );
    expect(names(plain)).toEqual(["FS_DELETE_OVERWRITE"]);
  });
});

test("code of other languages that is made to be slow to look at is bounded too", () => {
  for (const unit of ["open(", "'", "/", "\\", "s/", "\n", "__a"]) {
    for (const program of ["python3 -c", "node -e", "perl -e", "ruby -e", "sed -e", "awk"]) {
      const read = (code: string): void => {
        const quoted = code.replaceAll("'", `'\\''`);
        expect(names(classifyCommand(`${program} '${quoted}'; rm x`, parse))).toContain(
          "FS_DELETE_OVERWRITE",
        );
      };
      expect(growthFault(read, unit, [800, 8_000])).toBeNull();
    }
  }
});

test("a process that is ended leaves what a glance saw, and EXEC_ARBITRARY; the next call gets another", async () => {
  const impatient = createClassifier(1);
  const fan = "abcdefgh"
    .split("")
    .map((name, at, all) => `${name}() { ${`${all[at + 1] ?? "true"};`.repeat(8)} }`)
    .join("; ");
  for (const _ of [1, 2]) {
    const classified = await impatient(bash(`${fan}; a`), FACTS, never);
    expect(names(classified)).toEqual(["EXEC_ARBITRARY"]);
    expect(classified?.complete).toBe(false);
  }
  expect(names(await impatient(bash("git push"), FACTS, never))).toEqual(["GIT_PUBLISH"]);
});

test("a call that is stopped gets no answer", async () => {
  const stopped = new AbortController();
  const waiting = classifier(bash("echo\n".repeat(1_000)), FACTS, stopped.signal);
  stopped.abort();
  expect(await waiting).toBeNull();
});
