/**
 * Writes to a forge on a day of the crash matrix: the host ends before and after each commit and each request to the forge,
 * and each request to the forge fails in two ways. The forge and the threads end as on a day without
 * trouble, with each write once. The commit of the project chooses a sample of the other requests (`npm run crash`: all). On
 * GitLab the host commits as on GitHub, so the test leaves out commits and plays the worse of the two ways.
 */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FaultName, onGitHub, onGitLab, type Side } from "../../../fakes/side.ts";
import { isInSample } from "../../../sample.ts";
import { testSeed } from "../../../seed.ts";
import { live } from "../../../crash/day.ts";
import { createForgeTown, settled } from "./town.ts";
import { endEverywhere, failEverywhere } from "../../../crash/matrix.ts";
import type { Town } from "../../../crash/platform.ts";

/** Requests and commits; `npm run crash` takes the calls to Slack too, which other days end at. */
const isAboutWrites = (name: string): boolean => /^(before|after) (GET|POST|PUT|commit) ?/.test(name);

/** Every write, and one of three of the rest. */
const isChosen = (name: string): boolean =>
  /\b(POST|PUT|new|edit|create\S*|add-\S*)\b|push|receive-pack/.test(name) || isInSample(name, 3);

const townOf = (createSide: () => Promise<Side>, faults: readonly FaultName[]) => () =>
  createForgeTown(createSide, faults);

/**
 * An operation whose answer is lost, and the one by which the host would look for what it has come to. A pull request is not
 * among them: its branch names it, so that it is there for the next proposal.
 */
type Blind = readonly (readonly [write: string, look: string])[];

const lostAndBlind = (town: Town, blind: Blind): ReturnType<typeof live> => {
  const lost = new Set<string>();
  const stops = blind.flatMap(([write, look]) => [
    town.spoil(
      "a lost acknowledgement",
      (name) => name === write && !lost.has(name) && lost.add(name).has(name),
    ),
    town.spoil(
      "a 502 from a proxy",
      (name) => name === look && lost.has(write) && !lost.has(name) && lost.add(name).has(name),
    ),
  ]);
  return live(town).finally(() => {
    for (const stop of stops) stop();
  });
};

describe.each([
  {
    name: "GitHub",
    createSide: onGitHub,
    left: "forge-left",
    isEnd: (point: string) => isAboutWrites(point) && isChosen(point),
    faults: ["a reset before it was done", "a lost acknowledgement"] satisfies readonly FaultName[],
    blind: [
      ["issues/create", "issues/list-for-repo"],
      ["issues/create-comment", "issues/list-comments"],
    ] satisfies Blind,
  },
  {
    name: "GitLab",
    createSide: onGitLab,
    left: "gitlab-left",
    isEnd: (point: string) => / (GET|POST|PUT) /.test(point) && isChosen(point),
    faults: ["a lost acknowledgement"] satisfies readonly FaultName[],
    blind: [
      ["new issue", "issues"],
      ["new issue note", "issue notes"],
    ] satisfies Blind,
  },
])("on $name", ({ name, createSide, left, isEnd, faults, blind }) => {
  let town: Town;
  beforeAll(async () => {
    town = await createForgeTown(createSide);
  });
  afterAll(() => town.close());

  it("a day without trouble leaves an issue, a comment, a label and a draft", async () => {
    const { threads } = await live(town);
    await expect(threads["forge"]).toMatchFileSnapshot(`threads/${left}.txt`);
    expect(town.violations).toEqual([]);
  });

  it("where an answer is lost and nobody can look, it is on the forge once although it is approved again", async () => {
    const { threads } = await lostAndBlind(town, blind);
    await expect(threads["forge"]).toMatchFileSnapshot(`threads/${left}.txt`);
    expect(
      Object.values(threads)
        .join("\n")
        .match(/approved\*+ by [^\n]* I do not know whether/g),
    ).toHaveLength(blind.length);
  });

  it("where the host ends at any point, everything is on the forge once", async () => {
    const { met, days, failures } = await endEverywhere(town, "many a day", isEnd);
    console.log(`${name}, ends: ${met} points on ${days} days, seed ${testSeed()}`);
    expect(failures).toEqual([]);
    expect(town.violations).toEqual([]);
  });

  it("whichever request fails, everything is on the forge once", async () => {
    const { met, days, failures } = await failEverywhere(
      townOf(createSide, faults),
      "many a day",
      settled,
      isChosen,
    );
    console.log(`${name}, faults: ${met} requests failed on ${days} days, seed ${testSeed()}`);
    expect(failures).toEqual([]);
  });
});
