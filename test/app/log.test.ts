/** The log itself: structured, without secrets, and no flood. */

import { expect, it } from "vitest";
import { z } from "zod";
import { createLog } from "../../src/app/log.ts";
import { createManualClock } from "../runtime/world.ts";

const lineSchema = z.looseObject({ level: z.number(), time: z.string(), msg: z.string() });

const open = (level: string, secrets: readonly string[] = []) => {
  const lines: z.infer<typeof lineSchema>[] = [];
  const clock = createManualClock();
  const write = (line: string): void => void lines.push(lineSchema.parse(JSON.parse(line)));
  return { lines, clock, log: createLog(level, secrets, { clock, write }) };
};

it("masks secrets in sentences and fields", () => {
  const { log, lines } = open("info", ["xoxb-secret"]);
  log.warn("Slack refuses xoxb-secret", { why: "xoxb-secret is revoked", count: 2 });
  expect(lines).toMatchObject([{ msg: "Slack refuses ***", why: "*** is revoked", count: 2, level: 40 }]);
});

it("says what repeats twenty times a minute, then counts it, and begins anew", () => {
  const { log, lines, clock } = open("info");
  for (let index = 0; index < 50; index += 1) log.warn("git: command failed", { index });
  log.warn("another thing");
  log.error("git: command failed");
  expect(lines.filter(({ msg, level }) => msg === "git: command failed" && level === 40)).toHaveLength(20);
  expect(lines).toHaveLength(22);
  clock.advance(60_000);
  expect(lines.at(-1)).toMatchObject({ msg: "git: command failed", level: 40, more: 30 });
  expect(lines).toHaveLength(23);
  log.warn("git: command failed", { index: 51 });
  expect(lines.at(-1)).toMatchObject({ index: 51 });
  clock.advance(60_000);
  expect(lines).toHaveLength(24);
});

it("keeps nothing back of what is told in passing, and is quiet below its level", () => {
  const { log, lines } = open("info");
  for (let index = 0; index < 30; index += 1) log.info("model: call answered", { index });
  expect(lines).toHaveLength(30);
  const strict = open("error");
  strict.log.info("passing");
  strict.log.warn("look");
  strict.log.error("act");
  expect(strict.lines.map(({ msg }) => msg)).toEqual(["act"]);
});
