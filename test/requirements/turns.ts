/** Bedrock: the machine, messages and rounds of tools (rows 1 to 12). */

import type { Row } from "./row.ts";

export const turns: readonly Row[] = [
  {
    id: "1",
    source: "BED-001.1",
    demand:
      "A pure function turns each event into the next state and its effects: a stored trace replays to the same states.",
    tests: [
      {
        file: "machine/laws.test.ts",
        name: "laws of the machine > L12 replaying the accepted events reproduces states and effects byte for byte",
        without: {
          file: "src/machine/step.ts",
          change: "a turn's beginning is random instead of the event's time",
        },
      },
      {
        file: "runtime/live/restart.test.ts",
        name: "replay > L12 the stored trace of a real run reproduces every hash",
        without: {
          file: "src/machine/step.ts",
          change: "a turn's beginning is random instead of the event's time",
        },
      },
      {
        file: "floors.test.ts",
        name: "floors > the core knows no clock, chance or promise",
        without: {
          file: "src/machine/step.ts",
          change: "a turn's beginning is the clock's instead of the event's",
        },
      },
      {
        file: "floors.test.ts",
        name: "floors > no import goes up or sideways",
        without: { file: "src/machine/step.ts", change: "the core imports the file system" },
      },
    ],
  },
  {
    id: "2",
    source: "BED-001.2",
    demand: "The same state and event give the same result.",
    tests: [
      {
        file: "machine/laws.test.ts",
        name: "laws of the machine > L1 the same input gives the same output, called twice",
        without: { file: "src/machine/step.ts", change: "the names of effects are random" },
      },
    ],
  },
  {
    id: "3",
    source: "BED-002.1",
    demand:
      "A message to an idle conversation becomes one model request; an expensive request waits for *Go on*.",
    tests: [
      {
        file: "runtime/live/conversation.test.ts",
        name: "a conversation > BED-002.1 a message becomes one request that holds it, and its answer a post",
        without: {
          file: "src/machine/transition/message-received.ts",
          change: "the message is not put into the transcript",
        },
      },
      {
        file: "features/money/budgets.test.ts",
        name: "a turn that costs more than the operator lets pass unasked > is asked about before it begins, and goes on where somebody says so",
        without: { file: "src/features/money/budgets.ts", change: "nobody is asked" },
      },
      {
        file: "features/money/budgets.test.ts",
        name: "a turn that costs more than the operator lets pass unasked > has a button to go on and one to stop, which ends the question",
        without: { file: "src/thread/view.ts", change: "there is no button to stop" },
      },
      {
        file: "features/money/budgets.test.ts",
        name: "a turn that costs more than the operator lets pass unasked > is asked about nowhere where the operator says none, and where the model writes a summary",
        without: { file: "src/features/money/budgets.ts", change: "the amount is fixed" },
      },
    ],
  },
  {
    id: "4",
    source: "BED-002.2",
    demand: "A message during a turn is refused, with a way to stop; the model does not see it.",
    tests: [
      {
        file: "runtime/live/conversation.test.ts",
        name: "a conversation > BED-002.2 a message while busy is refused and never reaches the model",
        without: {
          file: "src/machine/refusal.ts",
          change: "a thinking or running conversation refuses no message",
        },
      },
      {
        file: "adapters/slack/interactive.test.ts",
        name: "while the agent works > a message is refused with Stop and Stop and send, and a double click sends it once",
        without: {
          file: "src/machine/refusal.ts",
          change: "the sentence does not say that the agent is busy",
        },
      },
    ],
  },
  {
    id: "5",
    source: "BED-013.1",
    demand: "Pictures of a message are in the model's request and stay in the history.",
    tests: [
      {
        file: "e2e/turns.test.ts",
        name: "a picture of a person and of the checkout is sent with the request, stored once, and there after a crash",
        without: { file: "src/thread/prompt.ts", change: "a message is told without its pictures" },
      },
    ],
  },
  {
    id: "6",
    source: "BED-013.2",
    demand: "Pictures up to 20 MB and 100 megapixels are scaled; others are refused with the limit.",
    tests: [
      {
        file: "tools/pictures/pictures.test.ts",
        name: "a picture > of 100 megapixels, the most there may be, is made small",
        without: { file: "src/tools/pictures/limits.ts", change: "there may be 50 megapixels" },
      },
      {
        file: "adapters/pictures.test.ts",
        name: "%s: a broken or hostile one is named with its fault, and spoils nothing",
        without: { file: "src/runtime/chat/attach.ts", change: "whoever sent them is not told" },
      },
      {
        file: "features/console/api.test.ts",
        name: "messages > pictures are made anew, no larger than a model looks at, and served back",
        without: {
          file: "src/tools/pictures/limits.ts",
          change: "pictures stay larger than the provider looks at",
        },
      },
      {
        file: "features/console/api.test.ts",
        name: "messages > a picture of 20 MB is taken, and a byte more is refused with the limit",
        without: { file: "src/ports/pictures.ts", change: "a picture may have 10 MB" },
      },
      {
        file: "tools/pictures/read-image.test.ts",
        name: "read_image > scales a large picture down to 1568 pixels",
        without: {
          file: "src/tools/pictures/limits.ts",
          change: "pictures stay larger than the provider looks at",
        },
      },
    ],
  },
  {
    id: "7",
    source: "BED-003.1",
    demand: "Final text is posted and stored; the next message is accepted, also after a restart.",
    tests: [
      {
        file: "machine/transition.test.ts",
        name: "a turn > BED-003.1 ends idle with the answer stored",
        without: {
          file: "src/machine/transition/answer.ts",
          change: "an answer ends its turn without being kept",
        },
      },
      {
        file: "runtime/live/turn.test.ts",
        name: "a turn > BED-003.1 leaves its answer for the next process, which takes the next message with it",
        without: {
          file: "src/machine/transition/answer.ts",
          change: "an answer ends its turn without being kept",
        },
      },
    ],
  },
  {
    id: "8",
    source: "BED-003.2",
    demand: "Tool calls of a response run one at a time, in order.",
    tests: [
      {
        file: "machine/laws.test.ts",
        name: "laws of the machine > L5 the calls of a response run one at a time, in the requested order",
        without: { file: "src/machine/round.ts", change: "the last call of a round goes first" },
      },
    ],
  },
  {
    id: "9",
    source: "BED-003.3",
    demand: "A cut response continues in another request; all parts are posted.",
    tests: [
      {
        file: "machine/transition.test.ts",
        name: "a turn > BED-003.3 continues an unfinished response at most four times",
        without: {
          file: "src/machine/transition/answer.ts",
          change: "a response that reached its greatest length ends the turn",
        },
      },
      {
        file: "e2e/turns.test.ts",
        name: "what a model may do wrong > BED-003.3 an answer that never ends is shown whole as far as five parts, and the thread says that it was cut",
        without: {
          file: "src/machine/transition/answer.ts",
          change: "a response that reached its greatest length ends the turn",
        },
      },
    ],
  },
  {
    id: "10",
    source: "BED-004.1",
    demand: "A tool starts after the previous tool ends.",
    tests: [
      {
        file: "machine/transition.test.ts",
        name: "a turn > BED-004.1 runs the first call alone, the next when it has come back",
        without: { file: "src/machine/round.ts", change: "the next call of the round is started too" },
      },
    ],
  },
  {
    id: "11",
    source: "BED-004.2",
    demand: "After all tools, the next request has every result exactly once.",
    tests: [
      {
        file: "machine/laws.test.ts",
        name: "laws of the machine > L4 every tool use has exactly one result, in order, in the next user message",
        without: {
          file: "src/machine/transition/result.ts",
          change: "what a tool came to is not put into the transcript",
        },
      },
      {
        file: "runtime/live/conversation.test.ts",
        name: "a conversation > BED-004 tools run one by one and all their results go in the next request",
        without: {
          file: "src/machine/transition/result.ts",
          change: "what a tool came to is not put into the transcript",
        },
      },
    ],
  },
  {
    id: "12",
    source: "BED-004.3",
    demand: "A failed tool is an error result; later tools still run.",
    tests: [
      {
        file: "runtime/live/turn.test.ts",
        name: "a turn > BED-004.3 tells the model of a tool that failed, and runs the later ones all the same",
        without: {
          file: "src/machine/transition/result.ts",
          change: "a failure drops the rest of the round",
        },
      },
      {
        file: "tools/bash/bash.test.ts",
        name: "what a command answers > %s",
        without: { file: "src/tools/bash/bash.ts", change: "a non-zero exit is no error" },
      },
    ],
  },
];
