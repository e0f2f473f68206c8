/** Bedrock: Restricted, Unrestricted and the way from one to the other (rows 36 to 52). */

import type { Row } from "./row.ts";

export const permissions: readonly Row[] = [
  {
    id: "36",
    source: "BED-014.1",
    demand: "A conversation starts Restricted if the kernel can enforce it.",
    tests: [
      {
        file: "e2e/turns.test.ts",
        name: "Restricted > reads, is refused to write by the kernel, asks, and writes after the approval",
        without: { file: "src/machine/state.ts", change: "a conversation begins Unrestricted" },
      },
      {
        file: "adapters/slack/conversation.test.ts",
        name: "commands in a thread > status, help and near misses are told to the person alone",
        without: { file: "src/machine/state.ts", change: "a conversation begins Unrestricted" },
      },
    ],
  },
  {
    id: "37",
    source: "BED-014.2",
    demand: "If the kernel cannot enforce Restricted, a conversation is Unrestricted, with a notice.",
    tests: [
      {
        file: "machine/transition.test.ts",
        name: "without a sandbox (D3) > BED-014.2 begins Unrestricted for those who may drive, and refuses others",
        without: { file: "src/machine/state.ts", change: "a conversation begins Restricted everywhere" },
      },
      {
        file: "e2e/restricted.test.ts",
        name: "a host that cannot hold Restricted > BED-014.2 says so, works Unrestricted, keeps BASH-007, and answers who asks for Restricted with what it needs",
        without: {
          file: "src/features/console/render/render-host.ts",
          change: "the first post does not say what is missing",
        },
      },
      {
        file: "app/cli/start.test.ts",
        name: "without a sandbox (PARLEY_SANDBOX=off) > says so at start and in the conversation, which is Unrestricted",
        without: { file: "src/app/assemble-bot.ts", change: "what the kernel can hold is not asked" },
      },
    ],
  },
  {
    id: "38",
    source: "BED-014.3",
    demand: "Restricted only reads: no writes, no network, no patch.",
    tests: [
      {
        file: "e2e/restricted.test.ts",
        name: "Restricted > BED-014.3 lets nothing write or reach the network: no shell, no Python, no patch; approved, all of it writes",
        without: {
          file: "src/workspace/checkout/policy.ts",
          change:
            "a Restricted command is given the checkout to write and the network; the launcher then starts nothing",
        },
      },
      {
        file: "tools/patch/patch.test.ts",
        name: "Restricted > answers %s with the exact sentence and changes nothing",
        without: { file: "src/tools/patch/patch.ts", change: "the tool does not ask for the permission" },
      },
      {
        file: "tools/bash/network.test.ts",
        name: "in Restricted nothing opens it",
        without: {
          file: "src/tools/resolve-execution.ts",
          change: "a grant opens the network in Restricted",
        },
      },
    ],
  },
  {
    id: "39",
    source: "BED-014.4",
    demand:
      "Unrestricted has all tools; if the host refuses Unrestricted, people learn the operator's remedy.",
    tests: [
      {
        file: "e2e/restricted.test.ts",
        name: "Restricted > BED-014.3 lets nothing write or reach the network: no shell, no Python, no patch; approved, all of it writes",
        without: { file: "src/workspace/checkout/policy.ts", change: "the checkout can never be written" },
      },
      {
        file: "adapters/slack/read/people.test.ts",
        name: "a host that refuses Unrestricted commands (row 39) > asks nobody: the model, people and whoever says mode unrestricted are told what the operator can do",
        without: { file: "src/machine/round.ts", change: "what the host refuses is asked for" },
      },
      {
        file: "app/unrestricted-text.test.ts",
        name: "the refusal has the operator's remedy",
        without: { file: "src/app/unrestricted-text.ts", change: "tier T2 refuses nothing" },
      },
    ],
  },
  {
    id: "40",
    source: "BED-015.1",
    demand: "request_mode_upgrade, with a reason, is a tool from the first request.",
    tests: [
      {
        file: "app/tools.test.ts",
        name: "the list of tools > has those of a parent conversation",
        without: { file: "src/app/tools.ts", change: "the tool is not in the list" },
      },
      {
        file: "app/tools.test.ts",
        name: "the list of tools > has schemas of objects that say what is required",
        without: { file: "src/tools/request-mode-upgrade.ts", change: "the reason may be left out" },
      },
    ],
  },
  {
    id: "41",
    source: "BED-015.2",
    demand: "An upgrade request shows its reason and waits; a denial holds until people decide otherwise.",
    tests: [
      {
        file: "machine/transition.test.ts",
        name: "the upgrade question > BED-015.2 pauses without an effect",
        without: { file: "src/machine/round.ts", change: "the request is answered at once" },
      },
      {
        file: "machine/people.test.ts",
        name: "the pause after three denials in a day > ends with %s: the next request is put before people",
        without: {
          file: "src/machine/transition/message-received.ts",
          change: "Ask again does not end the pause",
        },
      },
      {
        file: "machine/people.test.ts",
        name: "the pause after three denials in a day > ends with nothing that somebody does who may not approve",
        without: { file: "src/machine/transition/message-received.ts", change: "anybody ends the pause" },
      },
      {
        file: "adapters/slack/read/people.test.ts",
        name: "the pause after three denials > ends with Ask again of somebody who may approve, and of nobody else",
        without: {
          file: "src/machine/transition/message-received.ts",
          change: "Ask again does not end the pause",
        },
      },
      {
        file: "adapters/discord/rights.test.ts",
        name: "a request of somebody who may not drive (D39) > becomes a card that says so; whoever approves is the speaker of the rest of the turn, and of no other",
        without: {
          file: "src/machine/transition/decide.ts",
          change: "an approved request leaves the turn its speaker",
        },
      },
    ],
  },
  {
    id: "42",
    source: "BED-015.3",
    demand: "After approval, the conversation is Unrestricted and the round continues.",
    tests: [
      {
        file: "runtime/live/conversation.test.ts",
        name: "the upgrade question > BED-015 pauses, and an approval runs the rest of the round Unrestricted",
        without: {
          file: "src/machine/transition/decide.ts",
          change: "an approval leaves the permission as it was",
        },
      },
      {
        file: "e2e/turns.test.ts",
        name: "Restricted > reads, is refused to write by the kernel, asks, and writes after the approval",
        without: {
          file: "src/machine/transition/decide.ts",
          change: "an approval leaves the permission as it was",
        },
      },
    ],
  },
  {
    id: "43",
    source: "BED-015.4",
    demand: "After denial, the conversation stays Restricted, and the denial is the call's result.",
    tests: [
      {
        file: "machine/transition.test.ts",
        name: "the upgrade question > TR.3 deny answers the call, runs the rest restricted, and the same turn is not asked twice (C30)",
        without: { file: "src/machine/transition/decide.ts", change: "a denial is told in other words" },
      },
      {
        file: "features/console/api/actions.test.ts",
        name: "actions > a denial keeps Restricted, and its comment is shown",
        without: { file: "src/machine/transition/decide.ts", change: "a denial opens the conversation" },
      },
    ],
  },
  {
    id: "44",
    source: "BED-015.5",
    demand: "A question waits without limit.",
    tests: [
      {
        file: "machine/laws.test.ts",
        name: "laws of the machine > L10 nothing happens by itself while a person's answer is awaited",
        without: { file: "src/machine/deadline.ts", change: "a question has a timer" },
      },
      {
        file: "runtime/live/turn.test.ts",
        name: "a change of the permission > BED-015.5 waits for a person for days, without a timer or a request",
        without: { file: "src/machine/deadline.ts", change: "a question has a timer, which stops the turn" },
      },
    ],
  },
  {
    id: "45",
    source: "BED-016.1",
    demand: "People can end Unrestricted at any time; *mode restricted* and *mode unrestricted* work too.",
    tests: [
      {
        file: "machine/permission.test.ts",
        name: "a downgrade > TR.4 leaves every phase as it is, but for a danger question, which needs no answer any more",
        without: {
          file: "src/machine/transition/permission.ts",
          change: "a running round keeps its permission",
        },
      },
      {
        file: "adapters/slack/read/people.test.ts",
        name: "mode restricted and mode unrestricted (row 45) > the second asks those who may approve, with the tool's card; the first takes the right back at once",
        without: { file: "src/runtime/chat/commands/mode.ts", change: "the two words are work modes" },
      },
      {
        file: "adapters/discord/rights.test.ts",
        name: "mode restricted and mode unrestricted (row 45) > by slash command and as text: the second asks who may approve; a stranger is told what to do instead",
        without: { file: "src/runtime/chat/commands/mode.ts", change: "the two words are work modes" },
      },
    ],
  },
  {
    id: "46",
    source: "BED-016.2",
    demand: "The permission survives restarts.",
    tests: [
      {
        file: "runtime/live/turn.test.ts",
        name: "a change of the permission > BED-016.2 is there in the next process, the one way and the other",
        without: {
          file: "src/machine/transition/process-events.ts",
          change: "a new process begins Restricted",
        },
      },
    ],
  },
  {
    id: "47",
    source: "BED-017.1",
    demand: "After the round's results, the model learns of each permission change.",
    tests: [
      {
        file: "e2e/turns.test.ts",
        name: "Restricted > BED-017.2 system and tools are the same bytes before and after a change of permission",
        without: { file: "src/machine/transition/decide.ts", change: "the model is not told of an approval" },
      },
      {
        file: "machine/transition.test.ts",
        name: "the upgrade question > TR.2 approve runs the rest of the round unrestricted and tells the model after the results",
        without: { file: "src/machine/transition/decide.ts", change: "the model is not told of an approval" },
      },
      {
        file: "machine/permission.test.ts",
        name: "a downgrade > INV.4 of a quiet conversation is done in one step, and the next request tells the model",
        without: {
          file: "src/machine/transition/permission.ts",
          change: "the model is not told of a downgrade",
        },
      },
    ],
  },
  {
    id: "48",
    source: "BED-017.2",
    demand: "Tool descriptions are the same in both permissions.",
    tests: [
      {
        file: "e2e/turns.test.ts",
        name: "Restricted > BED-017.2 system and tools are the same bytes before and after a change of permission",
        without: { file: "src/runtime/live/think.ts", change: "the tools' descriptions name the permission" },
      },
      {
        file: "app/tools.test.ts",
        name: "the list of tools > names neither the working directory nor the mode: it is the same for every conversation",
        without: { file: "src/tools/bash/bash.ts", change: "a description changes from host to host" },
      },
    ],
  },
  {
    id: "49",
    source: "BED-017.3",
    demand: "Refusals of Restricted name request_mode_upgrade.",
    tests: [
      {
        file: "tools/patch/patch.test.ts",
        name: "Restricted > answers %s with the exact sentence and changes nothing",
        without: { file: "src/tools/patch/patch.ts", change: "the sentence names no way" },
      },
      {
        file: "tools/bash/bash.test.ts",
        name: "permission > the hint follows every failure in Restricted, and nothing else",
        without: { file: "src/tools/bash/bash.ts", change: "there is no hint" },
      },
    ],
  },
  {
    id: "50",
    source: "BED-018.1",
    demand: "Sub-agents are Restricted if the kernel can enforce it.",
    tests: [
      {
        file: "runtime/live/agents.test.ts",
        name: "sub-agents > row 50, row 52: are Restricted beside an Unrestricted parent, and can ask for nothing",
        without: { file: "src/runtime/live/agents.ts", change: "a sub-agent has its parent's permission" },
      },
      {
        file: "machine/agents.test.ts",
        name: "L8 a sub-agent > is held by what held it at its beginning, asks nobody and starts nobody",
        without: { file: "src/machine/state.ts", change: "a sub-agent begins Unrestricted" },
      },
    ],
  },
  {
    id: "51",
    source: "BED-018.2",
    demand: "Otherwise, sub-agents are Unrestricted.",
    tests: [
      {
        file: "machine/agents.test.ts",
        name: "L8 a sub-agent > row 51: without a sandbox it is Unrestricted, and a call that safe mode holds is refused",
        without: { file: "src/machine/state.ts", change: "a sub-agent begins Restricted everywhere" },
      },
    ],
  },
  {
    id: "52",
    source: "BED-018.3",
    demand: "A sub-agent cannot request or change permissions.",
    tests: [
      {
        file: "machine/agents.test.ts",
        name: "L8 a sub-agent > row 27, row 52: it cannot ask for more, and cannot start others",
        without: { file: "src/machine/round.ts", change: "a sub-agent may ask for the upgrade" },
      },
      {
        file: "runtime/live/agents.test.ts",
        name: "sub-agents > row 50, row 52: are Restricted beside an Unrestricted parent, and can ask for nothing",
        without: { file: "src/machine/round.ts", change: "a sub-agent may ask for the upgrade" },
      },
    ],
  },
];
