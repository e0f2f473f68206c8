/**
 * A merge on a day of the crash matrix: the host ends before and after each commit and each write to the forge, and each
 * write fails in two ways. The pull request is merged once, with the head that the card showed, and the thread reads as
 * on a day without trouble.
 */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FaultName, onGitHub, onGitLab } from "../../../fakes/side.ts";
import { testSeed } from "../../../seed.ts";
import { live } from "../../../crash/day.ts";
import { endEverywhere, failEverywhere } from "../../../crash/matrix.ts";
import type { Town } from "../../../crash/platform.ts";
import { createForgeTown, mergeDay, settled } from "./town.ts";

const FAULTS: readonly FaultName[] = ["a reset before it was done", "a lost acknowledgement"];

/** Writes, and the reads by which the host looks for what an earlier process has done. */
const isEnd = (name: string): boolean => /^(before|after) (POST|PUT|commit) ?|pulls\/\d+$/.test(name);
const WRITES: readonly string[] = ["pulls/merge", "graphql", "accept merge request", "edit merge request"];

/** The matrix counts the calls of an operation: `pulls/merge 1`. */
const isWrite = (call: string): boolean => WRITES.includes(call.replace(/ \d+$/, ""));

describe.each([
  { name: "GitHub", createSide: onGitHub, number: 2, left: "forge-merged" },
  { name: "GitLab", createSide: onGitLab, number: 1, left: "gitlab-merged" },
])("on $name", ({ name, createSide, number, left }) => {
  const create = () => createForgeTown(createSide, FAULTS, mergeDay(number));
  let town: Town;
  beforeAll(async () => {
    town = await create();
  });
  afterAll(() => town.close());

  it("a day without trouble leaves one merge commit of what was shown", async () => {
    const { threads } = await live(town);
    await expect(threads["forge"]).toMatchFileSnapshot(`threads/${left}.txt`);
    expect(town.violations).toEqual([]);
  });

  it("where the host ends at any point, it is merged once", async () => {
    const { met, days, failures } = await endEverywhere(town, "many a day", isEnd);
    console.log(`${name}, ends: ${met} points on ${days} days, seed ${testSeed()}`);
    expect(failures).toEqual([]);
    expect(town.violations).toEqual([]);
  });

  it("whichever write fails, it is merged once", async () => {
    const { met, days, failures } = await failEverywhere(create, "many a day", settled, isWrite);
    console.log(`${name}, faults: ${met} requests failed on ${days} days, seed ${testSeed()}`);
    expect(failures).toEqual([]);
  });
});
