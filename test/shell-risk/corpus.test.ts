/** The labelled commands: none missed and none for nothing where the classifier was built, and how often elsewhere. */
import { expect, test } from "vitest";
import { DANGER_CATEGORIES } from "../../src/shell-risk/danger/danger.ts";
import { parse } from "../../src/shell-risk/shell/shell.ts";
import { categoriesOf, readRows, type Row } from "./rows.ts";

const BUILT_ON = readRows("corpus.txt");
const UNREAD = readRows("unread.txt");
const HELD_OUT = readRows("heldout.txt");
const AGENT = readRows("agent.txt");

interface Wrong {
  readonly command: string;
  readonly missed: readonly string[];
  readonly alarms: readonly string[];
}

const wrong = (rows: readonly Row[]): readonly Wrong[] =>
  rows.flatMap(({ command, categories }) => {
    const found = categoriesOf(command, parse);
    const missed = categories.filter((each) => !found.includes(each));
    const alarms = found.filter((each) => !categories.includes(each));
    return missed.length + alarms.length === 0 ? [] : [{ command, missed, alarms }];
  });

test("the corpus is what the issue asks for: 300 commands, each once, every category and none", () => {
  expect(BUILT_ON.length).toBeGreaterThanOrEqual(300);
  expect(HELD_OUT.length).toBeGreaterThanOrEqual(150);
  expect(AGENT.length).toBeGreaterThanOrEqual(300);
  const commands = [...BUILT_ON, ...UNREAD, ...HELD_OUT, ...AGENT].map(({ command }) => command);
  expect(new Set(commands).size).toBe(commands.length);
  for (const category of DANGER_CATEGORIES) {
    expect(BUILT_ON.filter(({ categories }) => categories.includes(category)).length).toBeGreaterThanOrEqual(
      25,
    );
  }
  expect(BUILT_ON.filter(({ categories }) => categories.length === 0).length).toBeGreaterThanOrEqual(200);
});

test("0 misses and 0 false alarms on the corpus", () => {
  expect(wrong(BUILT_ON)).toEqual([]);
});

test("a command that is known to be read wrongly is still read wrongly", () => {
  const right = new Set(UNREAD.map(({ command }) => command));
  for (const { command } of wrong(UNREAD)) right.delete(command);
  expect([...right]).toEqual([]);
});

/** When it was first run on these rows, it was wrong in five: two missed, three for nothing. */
const HELD_OUT_BOUND = { missed: 0, alarms: 1 } as const;

test("what is wrong on the held-out commands is told, and does not get more", () => {
  const found = wrong(HELD_OUT);
  const missed = found.filter((each) => each.missed.length > 0);
  const alarms = found.filter((each) => each.alarms.length > 0);
  console.info(
    `held out: ${missed.length} missed and ${alarms.length} for nothing of ${HELD_OUT.length} commands`,
  );
  expect(missed.length).toBeLessThanOrEqual(HELD_OUT_BOUND.missed);
  expect(alarms.length).toBeLessThanOrEqual(HELD_OUT_BOUND.alarms);
});

/** When it was first run on the first 382 of these rows (0.1), it missed 30 and spoke for nothing in 45. */
const AGENT_BOUND = { missed: 0, alarms: 3 } as const;

test("of what coding agents run, what is wrong is told, and does not get more", () => {
  const found = wrong(AGENT);
  const missed = found.filter((each) => each.missed.length > 0);
  const alarms = found.filter((each) => each.alarms.length > 0);
  console.info(
    `agents: ${missed.length} missed and ${alarms.length} for nothing of ${AGENT.length} commands`,
  );
  expect(missed.length).toBeLessThanOrEqual(AGENT_BOUND.missed);
  expect(alarms.length).toBeLessThanOrEqual(AGENT_BOUND.alarms);
});
