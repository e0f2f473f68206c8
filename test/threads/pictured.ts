/** The threads that the pages show as pictures. Their payloads are recorded, and `npm run reference` draws them. */

import { expect } from "vitest";
import { textAnswer, toolAnswer } from "../runtime/world.ts";
import { calling, inTurn, READ, type Scenario, scenarioOf, tools } from "./scenarios.ts";

const REASON = "Raise `ATTEMPTS` from 5 to 7 in `src/retry.ts`, and run the tests.";
const DIFF = [
  "--- a/src/retry.ts",
  "+++ b/src/retry.ts",
  "@@ -5,1 +5,1 @@",
  "-export const ATTEMPTS = 5;",
  "+export const ATTEMPTS = 7;",
  "",
].join("\n");
const upgrade = (reason: string) => ({ name: "request_mode_upgrade", input: { reason } });
const UPGRADE = upgrade(REASON);

export const pictured: readonly Scenario[] = [
  {
    name: "ask",
    options: {
      tools,
      answer: inTurn(
        toolAnswer(READ),
        textAnswer("In src/retry.ts:5: five tries. The first pause is 200 ms, and each pause doubles."),
        toolAnswer(UPGRADE),
      ),
    },
    play: async (stage) => {
      stage.say("bob", "@parley Where is the retry policy?");
      await stage.until(/each pause doubles\.[^]*Restricted/);
      stage.say("bob", "Please make it seven tries.");
      await stage.until(/\[Approve\] \[Deny\]/);
    },
  },
  {
    name: "change",
    options: {
      tools: {
        ...tools,
        run: async (call, ...more) => {
          const result = await tools.run?.(call, ...more);
          if (result === undefined) throw new Error("no tool ran");
          return call.name === "patch" ? { ...result, diff: DIFF } : result;
        },
      },
      answer: calling(
        "`ATTEMPTS` is 7 now, and `npm test` passes.",
        UPGRADE,
        { name: "patch", input: { path: "src/retry.ts" } },
        { name: "bash", input: { command: "npm test" } },
      ),
    },
    play: async (stage) => {
      stage.say("bob", "@parley Please make it seven tries.");
      await stage.click(stage.approver, "Approve");
      await stage.until(/passes\.[^]*Unrestricted/);
    },
  },
  {
    ...scenarioOf("16-applied"),
    name: "result",
    only: "slack",
    play: async (stage) => {
      stage.say("bob", "@parley The upload gives up too early. Try three times.");
      await stage.until(/\[Apply\][^]*\[Discard\]/);
    },
  },
  {
    name: "held",
    only: "slack",
    options: {
      ...scenarioOf("05-held-command").options,
      answer: calling("The build is clean.", upgrade("Delete `build/`, then build again."), {
        name: "bash",
        input: { command: "rm -rf build" },
      }),
    },
    play: async (stage) => {
      stage.say(stage.approver, "@parley Build it from scratch");
      await stage.click(stage.approver, "Approve");
      await stage.until(/\[Once\][^]*\[Deny\]/);
      expect(stage.posts()).toHaveLength(2);
    },
  },
];
