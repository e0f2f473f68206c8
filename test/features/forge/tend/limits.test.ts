/** A limit of the forge moves the due time of a pull request as far as the forge says: 403 and 429, in each form. */

import { expect, test, vi } from "vitest";
import { onGitHub, onGitLab } from "../../../fakes/side.ts";
import { textAnswer } from "../../../runtime/world.ts";
import { failCheck, lookedAfter, openedStage, passing, quiet } from "./stage.ts";

const MINUTE = 60_000;
/** The forge names fifty minutes. */
const STILL_LIMITED = 45;

test.each([
  { name: "403 with x-ratelimit-reset", createSide: onGitHub, limit: "a used-up allowance" },
  { name: "403 with retry-after", createSide: onGitHub, limit: "a long limit" },
  { name: "429 with retry-after", createSide: onGitLab, limit: "a long limit" },
] as const)(
  "$name: nothing is asked before, and the work begins afterwards",
  async ({ createSide, limit }) => {
    const stage = await openedStage(createSide, [textAnswer("Nothing is to be changed.")]);
    const { forge } = stage.scene;
    await lookedAfter(stage);
    await quiet(stage);
    const calm = forge.spoil(limit, () => true);
    stage.pass(MINUTE);
    await vi.waitFor(() => expect(stage.rig.logged.join("\n")).toContain("pull request not read"));
    calm();
    await failCheck(stage);
    await quiet(stage);
    const asked = forge.reads();
    for (let minutes = 0; minutes < STILL_LIMITED; minutes += 1) stage.pass(MINUTE);
    await quiet(stage);
    expect(forge.reads()).toBe(asked);
    await passing(stage, /Checks of [^ ]*acme\/api[#!]1 failed[^]*Nothing is to be changed/);
  },
);
