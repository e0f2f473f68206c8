/** Invariants, transitions and open questions of the draft (rows 80a to 81d). */

import type { Row } from "./row.ts";

export const invariants: readonly Row[] = [
  {
    id: "80a",
    source: "INV.1",
    demand:
      "Approve, Deny, Stop (a denial) or a changed request ends the upgrade question; words never answer it.",
    tests: [
      {
        file: "machine/permission.test.ts",
        name: "a question > INV.1 of an upgrade ends by a person's answer, by Stop, or by a message that changes its request",
        without: { file: "src/machine/transition/process-events.ts", change: "a restart ends it" },
      },
      {
        file: "machine/permission.test.ts",
        name: "a question > INV.1 is not answered by words: a message meanwhile changes nothing and points to the buttons",
        without: { file: "src/machine/refusal.ts", change: "a message is taken while a question waits" },
      },
      {
        file: "e2e/turns.test.ts",
        name: "what a model may do wrong > text that says approved approves nothing, neither the model's nor a person's",
        without: {
          file: "src/machine/transition/message-received.ts",
          change: "a message to a question is an approval",
        },
      },
      {
        file: "machine/transition.test.ts",
        name: "the upgrade question > C7 a stop denies and skips",
        without: { file: "src/machine/transition/stop.ts", change: "a stop does not deny" },
      },
    ],
  },
  {
    id: "80b",
    source: "INV.2",
    demand: "A sub-agent is Restricted if possible, whatever its parent (C1).",
    tests: [
      {
        file: "runtime/live/agents.test.ts",
        name: "sub-agents > row 50, row 52: are Restricted beside an Unrestricted parent, and can ask for nothing",
        without: { file: "src/runtime/live/agents.ts", change: "a sub-agent has its parent's permission" },
      },
    ],
  },
  {
    id: "80c",
    source: "INV.3",
    demand: "In Restricted, patch returns the mode's error before it reads its input.",
    tests: [
      {
        file: "tools/patch/patch.test.ts",
        name: "Restricted > answers %s with the exact sentence and changes nothing",
        without: { file: "src/tools/tool.ts", change: "the input is looked at first" },
      },
    ],
  },
  {
    id: "80d",
    source: "INV.4",
    demand: "A downgrade of an idle conversation happens at once.",
    tests: [
      {
        file: "machine/permission.test.ts",
        name: "a downgrade > INV.4 of a quiet conversation is done in one step, and the next request tells the model",
        without: {
          file: "src/machine/transition/permission.ts",
          change: "a quiet conversation has nothing to tighten",
        },
      },
      {
        file: "features/console/api/actions.test.ts",
        name: "actions > two clicks at once: one decides, the other is told who did",
        without: {
          file: "src/machine/transition/permission.ts",
          change: "a quiet conversation has nothing to tighten",
        },
      },
    ],
  },
  {
    id: "80e",
    source: "INV.5",
    demand: "Only a person's approval of the pending question leads to Unrestricted.",
    tests: [
      {
        file: "machine/laws.test.ts",
        name: "laws of the machine > L3 nothing becomes unrestricted but by an approval that names the pending question",
        without: { file: "src/machine/transition/decide.ts", change: "anybody's click counts" },
      },
      {
        file: "runtime/live/conversation.test.ts",
        name: "the upgrade question > unknown, foreign and withdrawn questions are expired and change nothing",
        without: { file: "src/runtime/bot/bot.ts", change: "a question that nobody asked is not noticed" },
      },
      {
        file: "machine/transition.test.ts",
        name: "the upgrade question > a click of someone who may not approve changes nothing; of someone who may, it counts",
        without: { file: "src/machine/transition/decide.ts", change: "anybody's click counts" },
      },
      {
        file: "modes/catalogue.test.ts",
        name: "the catalogue > with %s is refused whole, and says why",
        without: { file: "src/modes/catalogue.ts", change: "a work mode may have a permission's name" },
      },
    ],
  },
  {
    id: "80f",
    source: "INV.6",
    demand: "If nothing enforces Restricted, a conversation starts Unrestricted.",
    tests: [
      {
        file: "machine/transition.test.ts",
        name: "without a sandbox (D3) > BED-014.2 begins Unrestricted for those who may drive, and refuses others",
        without: { file: "src/machine/state.ts", change: "a conversation begins Restricted everywhere" },
      },
    ],
  },
  {
    id: "80g",
    source: "TR.1",
    demand: "An upgrade request is stored as the phase and posted.",
    tests: [
      {
        file: "runtime/live/turn.test.ts",
        name: "a change of the permission > TR.1 a question is stored and shown with its reason, and nothing goes on meanwhile",
        without: { file: "src/thread/view.ts", change: "a question has no buttons" },
      },
    ],
  },
  {
    id: "80h",
    source: "TR.2",
    demand: "After approval, the rest of the round has the new permission; model and people are informed.",
    tests: [
      {
        file: "machine/transition.test.ts",
        name: "the upgrade question > TR.2 approve runs the rest of the round unrestricted and tells the model after the results",
        without: {
          file: "src/machine/transition/decide.ts",
          change: "an approval leaves the permission as it was",
        },
      },
    ],
  },
  {
    id: "80i",
    source: "TR.3",
    demand: "After denial, the denial is the result; the rest of the round is Restricted.",
    tests: [
      {
        file: "machine/transition.test.ts",
        name: "the upgrade question > TR.3 deny answers the call, runs the rest restricted, and the same turn is not asked twice (C30)",
        without: { file: "src/machine/transition/decide.ts", change: "a denial has no result" },
      },
    ],
  },
  {
    id: "80j",
    source: "TR.4",
    demand: "A downgrade keeps the phase; people and model are informed.",
    tests: [
      {
        file: "machine/permission.test.ts",
        name: "a downgrade > TR.4 leaves every phase as it is, but for a danger question, which needs no answer any more",
        without: {
          file: "src/machine/transition/permission.ts",
          change: "a running round is not told of it",
        },
      },
    ],
  },
  {
    id: "81a",
    source: "OQ.1",
    demand: "Every surface shows the permission.",
    tests: [
      {
        file: "adapters/slack/write/render.test.ts",
        name: "progress > says in whole sentences what is done, and under which permission, and can be stopped",
        without: { file: "adapters/post/phrases.ts", change: "the permission has no name" },
      },
      {
        file: "adapters/discord/rights.test.ts",
        name: "progress > shows whether the conversation is Restricted or Unrestricted (row 81a)",
        without: { file: "adapters/discord/write/render.ts", change: "the permission has no name" },
      },
    ],
  },
  {
    id: "81b",
    source: "OQ.2",
    demand: "A question has no timer.",
    tests: [
      {
        file: "runtime/live/turn.test.ts",
        name: "a change of the permission > BED-015.5 waits for a person for days, without a timer or a request",
        without: { file: "src/machine/deadline.ts", change: "a question has a timer, which stops the turn" },
      },
    ],
  },
  {
    id: "81c",
    source: "OQ.3",
    demand: "An approval lasts until a person ends it.",
    tests: [
      {
        file: "machine/permission.test.ts",
        name: "Unrestricted > OQ.3 lasts over any number of tools, answers and turns, until a person tightens it",
        without: { file: "src/machine/transition/result.ts", change: "an approval is for one call" },
      },
    ],
  },
  {
    id: "81d",
    source: "OQ.4",
    demand: "A question survives restarts; the first click on its button decides, at any age.",
    tests: [
      {
        file: "e2e/turns.test.ts",
        name: "a process that dies > while a person is asked: the old button works in the new process",
        without: { file: "src/machine/transition/process-events.ts", change: "a restart ends the question" },
      },
      {
        file: "runtime/live/safe-mode.test.ts",
        name: "row 81d: a yes to a question of weeks ago counts at the first click, in another process too",
        without: { file: "src/machine/transition/process-events.ts", change: "a restart ends the question" },
      },
      {
        file: "adapters/slack/read/people.test.ts",
        name: "a question of last week (row 81d) > is decided at the first click, by who may, after a restart; the other is told that it is decided",
        without: { file: "src/runtime/bot/bot.ts", change: "an old question is not decided" },
      },
      {
        file: "adapters/discord/rights.test.ts",
        name: "a question of last week (row 81d) > is decided at the first click, by who may, in a thread that was archived and after a restart",
        without: { file: "src/runtime/bot/bot.ts", change: "an old question is not decided" },
      },
    ],
  },
];
