/** Bedrock: stop, failures, and the end of the process (rows 13 to 22). */

import type { Row } from "./row.ts";

export const ends: readonly Row[] = [
  {
    id: "13",
    source: "BED-005.1",
    demand: "A stop during a model request ends the request at once and drops the answer.",
    tests: [
      {
        file: "runtime/live/conversation.test.ts",
        name: "a conversation > BED-005.1 a stop while thinking aborts the request and a new message is taken at once",
        without: { file: "src/machine/transition/stop.ts", change: "a stop lets the request run on" },
      },
      {
        file: "model/anthropic.test.ts",
        name: "an abort before the first byte and one in the middle are seen by the server at once",
        without: { file: "src/model/watchdog.ts", change: "the request does not hear the caller's stop" },
      },
      {
        file: "runtime/live/turn.test.ts",
        name: "a turn > BED-005.1 that is stopped while it thinks leaves nothing of what was streamed or comes late",
        without: {
          file: "src/machine/transition/answer.ts",
          change: "a late answer is taken, and the runtime passes it on",
        },
      },
    ],
  },
  {
    id: "14",
    source: "BED-005.2",
    demand:
      "A stop during a tool ends its processes, gives every call a result, and leaves the conversation idle.",
    tests: [
      {
        file: "e2e/turns.test.ts",
        name: "stop > kills the tool, answers every call and takes a new message at once",
        without: { file: "src/machine/round.ts", change: "the calls behind a stopped one get no answer" },
      },
      {
        file: "machine/transition.test.ts",
        name: "stop > BED-005.2 kills the tool, then answers it and skips the rest",
        without: { file: "src/machine/transition/stop.ts", change: "the tool is not killed" },
      },
      {
        file: "tools/bash/bash.test.ts",
        name: "cancelling > ends the command and says so",
        without: { file: "sandbox/server.ts", change: "a stop does not reach the sandbox" },
      },
      {
        file: "runtime/live/safe-mode.test.ts",
        name: "row 14: Stop ends a look that safe mode still takes; the call does not run, and the rest is skipped",
        without: { file: "src/runtime/live/run.ts", change: "the look does not hear the stop" },
      },
      {
        file: "tools/bash/dangers.test.ts",
        name: "the look at the checkout > row 14: ends when the call is stopped, and what it runs with it",
        without: { file: "src/tools/bash/dangers.ts", change: "the look does not hear the stop" },
      },
    ],
  },
  {
    id: "15",
    source: "BED-005.3",
    demand: "A stop wins over a simultaneous completion.",
    tests: [
      {
        file: "runtime/live/turn.test.ts",
        name: "a turn > BED-005.3 that is stopped while its answer waits to be taken ends stopped, without it",
        without: { file: "src/runtime/live/mailbox.ts", change: "a stop waits in its turn" },
      },
    ],
  },
  {
    id: "16",
    source: "BED-005.4",
    demand: "After a stop, the history is complete and the next request valid.",
    tests: [
      {
        file: "runtime/live/conversation.test.ts",
        name: "a conversation > BED-005.2 a stop while a tool runs kills it and answers every call",
        without: { file: "src/machine/round.ts", change: "the calls behind a stopped one get no answer" },
      },
    ],
  },
  {
    id: "17",
    source: "BED-006.1",
    demand: "A transient failure gets three attempts, one and two seconds apart; people see the number.",
    tests: [
      {
        file: "machine/transition.test.ts",
        name: "retry > C8 makes three attempts, one second and two seconds apart, then fails with the reason",
        without: { file: "src/machine/retry.ts", change: "both waits are a second" },
      },
      {
        file: "adapters/attempts.test.ts",
        name: "%s > says of %s which attempt comes, and which one is under way",
        without: { file: "src/machine/retry.ts", change: "people are not told of how many" },
      },
      {
        file: "runtime/live/conversation.test.ts",
        name: "a conversation > rows 17 and 18: the log says which attempt it was, which one follows, and after how many it failed",
        without: {
          file: "src/runtime/live/attempts.ts",
          change: "the log does not say which attempt it was",
        },
      },
      {
        file: "e2e/turns.test.ts",
        name: "failures of the model > row 17: two failures and an answer; row 19: a refused key fails at once with what to do",
        without: { file: "src/machine/retry.ts", change: "there are two attempts" },
      },
    ],
  },
  {
    id: "18",
    source: "BED-006.2",
    demand: "After the last attempt, the turn fails; the post names the attempts and the remedy.",
    tests: [
      {
        file: "machine/transition.test.ts",
        name: "retry > C8 makes three attempts, one second and two seconds apart, then fails with the reason",
        without: { file: "src/machine/retry.ts", change: "there is a fourth attempt" },
      },
      {
        file: "adapters/attempts.test.ts",
        name: "the end > on %s says after how many attempts, and why; one that is not tried again says only why",
        without: { file: "src/machine/retry.ts", change: "the number of attempts is left out" },
      },
      {
        file: "features/gateway/attempts.test.ts",
        name: "the gateway's error says it too",
        without: { file: "src/machine/retry.ts", change: "the number of attempts is left out" },
      },
    ],
  },
  {
    id: "19",
    source: "BED-006.3",
    demand: "A permanent failure fails the turn at once, with a specific text.",
    tests: [
      {
        file: "runtime/live/turn.test.ts",
        name: "a turn > BED-006.4 that failed goes on with the next message and all that was said",
        without: { file: "src/machine/retry.ts", change: "a refused key is tried again" },
      },
      {
        file: "e2e/turns.test.ts",
        name: "failures of the model > row 17: two failures and an answer; row 19: a refused key fails at once with what to do",
        without: { file: "src/model/failure.ts", change: "a refused key is called an unknown failure" },
      },
    ],
  },
  {
    id: "20",
    source: "BED-006.4",
    demand: "A message to a failed conversation continues with the full history.",
    tests: [
      {
        file: "runtime/live/turn.test.ts",
        name: "a turn > BED-006.4 that failed goes on with the next message and all that was said",
        without: { file: "src/machine/refusal.ts", change: "a failed conversation takes no message" },
      },
    ],
  },
  {
    id: "21",
    source: "BED-007.1",
    demand: "A state change is stored before its effects run.",
    tests: [
      {
        file: "runtime/live/turn.test.ts",
        name: "a turn > BED-007.1 is stored before the model is asked: no disk, no request",
        without: {
          file: "src/runtime/live/conversation.ts",
          change: "effects are performed before the commit",
        },
      },
      {
        file: "e2e/turns.test.ts",
        name: "a process that dies > in a model call: the turn says so, Try again goes on, and the same message id is not a second turn",
        without: {
          file: "src/machine/transition/process-events.ts",
          change: "a new process takes an interrupted request for quiet",
        },
      },
    ],
  },
  {
    id: "22",
    source: "BED-007.2",
    demand:
      "After a restart, the conversation is idle with a valid full history, and a notice names the interruption.",
    tests: [
      {
        file: "runtime/live/restart.test.ts",
        name: "a new process on the same database > BED-007.2 an interrupted request becomes idle with a notice that offers another try",
        without: {
          file: "src/machine/transition/process-events.ts",
          change: "a new process leaves the phase as it was",
        },
      },
      {
        file: "runtime/live/restart.test.ts",
        name: "a new process on the same database > a command in flight is never run again, and the chain stays valid",
        without: {
          file: "src/machine/transition/process-events.ts",
          change: "the calls of an interrupted round get no results",
        },
      },
    ],
  },
];
