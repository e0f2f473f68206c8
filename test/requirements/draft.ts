/** What only the draft of the conversation modes has (rows 66 to 79). */

import type { Row } from "./row.ts";

export const draft: readonly Row[] = [
  {
    id: "66",
    source: "D-018.1",
    demand: "The permission is state; its changes are separate events in the trace.",
    tests: [
      {
        file: "machine/permission.test.ts",
        name: "the trace > D-018.1 names the request, the approval, the denial and the downgrade as the source does",
        without: { file: "src/thread/labels.ts", change: "a downgrade has no name" },
      },
      {
        file: "runtime/live/labels.test.ts",
        name: "row 66: the trace has > ModeUpgradeRequested where the agent asks, and nothing else yet",
        without: { file: "src/thread/labels.ts", change: "a request has another name" },
      },
      {
        file: "runtime/live/labels.test.ts",
        name: "row 66: the trace has > UserApproveUpgrade where a person approves",
        without: { file: "src/thread/labels.ts", change: "an approval has another name" },
      },
      {
        file: "runtime/live/labels.test.ts",
        name: "row 66: the trace has > UserDenyUpgrade where a person denies",
        without: { file: "src/thread/labels.ts", change: "a denial has another name" },
      },
      {
        file: "runtime/live/labels.test.ts",
        name: "row 66: the trace has > UserRequestDowngrade where a person tightens",
        without: { file: "src/thread/labels.ts", change: "a downgrade has no name" },
      },
      {
        file: "runtime/live/labels.test.ts",
        name: "row 66: the trace has > C7: UserDenyUpgrade and then the cancel where a person stops the question; each call has its result",
        without: { file: "src/thread/labels.ts", change: "a stop is no denial" },
      },
    ],
  },
  {
    id: "67",
    source: "D-018.2",
    demand: "A permission change is stored, then posted, and the model learns of it.",
    tests: [
      {
        file: "runtime/live/turn.test.ts",
        name: "a change of the permission > D-018.2 is stored before anybody hears of it, and comes with its notice and its note",
        without: {
          file: "src/runtime/live/conversation.ts",
          change: "listeners hear of a step before its commit",
        },
      },
      {
        file: "runtime/live/labels.test.ts",
        name: "row 67: a change of the permission is stored before > %s is told to anybody, runs anything or reaches the model",
        without: {
          file: "src/runtime/live/conversation.ts",
          change: "listeners hear of a step before its commit",
        },
      },
    ],
  },
  {
    id: "68",
    source: "BASH-008.1",
    demand: "A Restricted command writes nothing, has no network, and has limits of memory and processes.",
    tests: [
      {
        file: "sandbox/limits.test.ts",
        name: "a fork bomb is stopped by its limit, the host forks on, and nothing of it remains",
        without: { file: "sandbox/server.ts", change: "a command may have 100,000 processes" },
      },
      {
        file: "sandbox/limits.test.ts",
        name: "memory of one process, size of a file and number of open files are bounded",
        without: { file: "sandbox/launcher/limits/limits.c", change: "the data of a process has no bound" },
      },
      {
        file: "e2e/restricted.test.ts",
        name: "Restricted > BED-014.3 lets nothing write or reach the network: no shell, no Python, no patch; approved, all of it writes",
        without: {
          file: "src/workspace/checkout/policy.ts",
          change:
            "a Restricted command is given the checkout to write and the network; the launcher then starts nothing",
        },
      },
    ],
  },
  {
    id: "69",
    source: "BASH-008.2",
    demand: "Refusals of the kernel have the kernel's error; the tool's description names the limits.",
    tests: [
      {
        file: "tools/bash/bash.test.ts",
        name: "permission > Restricted cannot write in the working directory, Unrestricted can",
        without: { file: "src/tools/bash/bash.ts", change: "a failure's output is left out" },
      },
      {
        file: "app/tools.test.ts",
        name: "the list of tools > tells what Restricted means and where to ask",
        without: { file: "src/tools/bash/bash.ts", change: "the description names no way out of Restricted" },
      },
    ],
  },
  {
    id: "70",
    source: "BASH-008.3",
    demand: "A refused command runs once and is not tried otherwise.",
    tests: [
      {
        file: "tools/bash/bash.test.ts",
        name: "permission > a blocked command runs once, and nothing is tried in its place",
        without: { file: "src/tools/bash/bash.ts", change: "a failed command is run again" },
      },
    ],
  },
  {
    id: "71",
    source: "BASH-009.1",
    demand:
      "The start tests the kernel; if it cannot enforce Restricted, Restricted is off and the log warns.",
    tests: [
      {
        file: "app/cli/start.test.ts",
        name: "without a sandbox (PARLEY_SANDBOX=off) > says so at start and in the conversation, which is Unrestricted",
        without: { file: "src/app/cli/start.ts", change: "the start does not say it" },
      },
      {
        file: "sandbox/probe.test.ts",
        name: "the tier > a failed self-test refuses Restricted whatever the tier",
        without: { file: "sandbox/probe.ts", change: "a failed self-test refuses nothing" },
      },
    ],
  },
  {
    id: "72",
    source: "BASH-009.2",
    demand: "Without a sandbox, the checks of BASH-007 remain, and a notice says so.",
    tests: [
      {
        file: "e2e/restricted.test.ts",
        name: "a host that cannot hold Restricted > BED-014.2 says so, works Unrestricted, keeps BASH-007, and answers who asks for Restricted with what it needs",
        without: { file: "src/tools/bash/bash.ts", change: "nothing is refused before it runs" },
      },
    ],
  },
  {
    id: "73",
    source: "BASH-009.3",
    demand: "Requests for Restricted then name the required kernels.",
    tests: [
      {
        file: "machine/transition.test.ts",
        name: "without a sandbox (D3) > BASH-009.3 Restrict is refused with the kernel's needs; with a sandbox it is taken",
        without: {
          file: "src/machine/transition/permission.ts",
          change: "Restricted is taken where nothing holds it",
        },
      },
      {
        file: "e2e/restricted.test.ts",
        name: "a host that cannot hold Restricted > BED-014.2 says so, works Unrestricted, keeps BASH-007, and answers who asks for Restricted with what it needs",
        without: { file: "src/machine/refusal.ts", change: "no kernel is named" },
      },
    ],
  },
  {
    id: "74",
    source: "PATCH-009.1",
    demand: "In Restricted, patch returns its exact sentence and changes nothing.",
    tests: [
      {
        file: "tools/patch/patch.test.ts",
        name: "Restricted > answers %s with the exact sentence and changes nothing",
        without: { file: "src/tools/patch/patch.ts", change: "the sentence is another one" },
      },
    ],
  },
  {
    id: "75",
    source: "PATCH-009.2",
    demand: "In Unrestricted, patch changes the file and shows the diff.",
    tests: [
      {
        file: "tools/patch/patch.test.ts",
        name: "patch > changes the file, says so and shows the diff",
        without: { file: "src/tools/patch/patch.ts", change: "the result has no diff" },
      },
      {
        file: "e2e/turns.test.ts",
        name: "Restricted > reads, is refused to write by the kernel, asks, and writes after the approval",
        without: { file: "src/tools/patch/patch.ts", change: "the result has no diff" },
      },
    ],
  },
  {
    id: "76",
    source: "PATCH-009.3",
    demand: "A downgrade turns patch off at once; a running call continues.",
    tests: [
      {
        file: "machine/permission.test.ts",
        name: "what comes back after a downgrade > PATCH-009.3 starts nothing Unrestricted, wherever the conversation was",
        without: {
          file: "src/machine/transition/permission.ts",
          change: "a running round keeps its permission",
        },
      },
      {
        file: "e2e/downgrade.test.ts",
        name: "row 76: a call that runs when a person tightens writes on to its end; the next ones cannot, by patch or by command",
        without: { file: "src/machine/transition/permission.ts", change: "the call that runs is killed" },
      },
      {
        file: "e2e/downgrade.test.ts",
        name: "row 76: a call that runs when a person tightens writes on to its end; the next ones cannot, by patch or by command",
        without: {
          file: "src/machine/transition/permission.ts",
          change: "a running round keeps its permission",
        },
      },
      {
        file: "e2e/downgrade.test.ts",
        name: "what was begun in the background while Restricted is read there, goes on in Unrestricted, and ends with a downgrade",
        without: {
          file: "src/machine/transition/permission.ts",
          change: "a downgrade leaves the background alone",
        },
      },
      {
        file: "e2e/downgrade.test.ts",
        name: "what was begun in the background while Restricted ends with Stop, and with the host",
        without: {
          file: "src/machine/transition/stop.ts",
          change: "Stop of an idle conversation leaves the background alone",
        },
      },
    ],
  },
  {
    id: "77",
    source: "TOOL.1",
    demand: "request_mode_upgrade without a reason is an error; nobody is asked.",
    tests: [
      {
        file: "app/tools.test.ts",
        name: "a request to be allowed more > %j means %s",
        without: { file: "src/tools/request-mode-upgrade.ts", change: "an empty reason is one" },
      },
      {
        file: "app/tools.test.ts",
        name: "a request to be allowed more > that is not valid says why",
        without: { file: "src/tools/request-mode-upgrade.ts", change: "what is wrong is not said" },
      },
      {
        file: "e2e/turns.test.ts",
        name: "what a model may do wrong > an unknown tool, invalid input and a missing reason are answered as results and ask nobody",
        without: {
          file: "src/tools/request-mode-upgrade.ts",
          change: "every call of the tool is a question",
        },
      },
    ],
  },
  {
    id: "78",
    source: "TOOL.2",
    demand: "In Unrestricted, the call returns *Already in Unrestricted mode*.",
    tests: [
      {
        file: "machine/transition.test.ts",
        name: "the upgrade question > two requests in one response: the second learns that the first was approved",
        without: { file: "src/machine/round.ts", change: "the text is another one" },
      },
    ],
  },
  {
    id: "79",
    source: "TOOL.3",
    demand: "In Restricted, the call pauses the turn until the answer, which is its result.",
    tests: [
      {
        file: "machine/transition.test.ts",
        name: "the upgrade question > BED-015.2 pauses without an effect",
        without: { file: "src/machine/round.ts", change: "the next call runs meanwhile" },
      },
      {
        file: "machine/laws.test.ts",
        name: "laws of the machine > L10 nothing happens by itself while a person's answer is awaited",
        without: { file: "src/machine/deadline.ts", change: "a question has a timer" },
      },
    ],
  },
];
