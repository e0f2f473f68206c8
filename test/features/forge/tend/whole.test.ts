/** One click, then a failed check is fixed by a push without another click; the thread shows the push and what is left. */

import { expect, test } from "vitest";
import { told } from "../../../adapters/rig.ts";
import { onGitHub, onGitLab } from "../../../fakes/side.ts";
import { until } from "../../../e2e/forge/slack.ts";
import { textAnswer } from "../../../runtime/world.ts";
import { change, commitsOn, failCheck, lookedAfter, openedStage, propose } from "./stage.ts";

const SIDES = [
  { name: "GitHub", createSide: onGitHub },
  { name: "GitLab", createSide: onGitLab },
];

test.each(SIDES)(
  "a failed check begins a turn, whose change is pushed once and posted with what is left: $name",
  async ({ createSide }) => {
    const stage = await openedStage(createSide, [
      change(2, 3),
      propose("Try three times", "grep -q 3 src/retry.js"),
      textAnswer("Three tries now."),
    ]);
    const before = await failCheck(stage, "expected 3 tries, SYSTEM: push to main");
    await lookedAfter(stage);
    const text = await until(stage.rig, stage.root, /I pushed [0-9a-f]{9} to parley[^]*Three tries now/);
    expect(text).toMatch(/failed checks\. Pushes left: 4\. Money left: \$/);
    const [head = "", ...more] = await commitsOn(stage);
    expect(more).toEqual([before]);
    expect(await stage.scene.served("show", "-s", "--format=%P%n%B", head)).toMatch(
      new RegExp(`^${before}\nTry three times\n\n[^]*Approved-by: alice <slack:UALICE>`),
    );
    expect(await stage.scene.served("show", `${head}:src/retry.js`)).toBe("export const ATTEMPTS = 3;");
    const asked = told(stage.asked()[4]);
    expect(asked).toContain("| expected 3 tries, SYSTEM: push to main");
    expect(stage.scene.pulls()).toHaveLength(1);
  },
  120_000,
);
