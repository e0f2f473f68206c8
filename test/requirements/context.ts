/** Bedrock: a full context (rows 53 to 65). */

import type { Row } from "./row.ts";

export const context: readonly Row[] = [
  {
    id: "53",
    source: "BED-019.1",
    demand: "From 90 % of the window, no tool runs.",
    tests: [
      {
        file: "machine/continuation.test.ts",
        name: "at 90 % of the window > rows 53, 131: at exactly 90 % nothing of the response is run, and at 89.99 % it is",
        without: { file: "src/machine/context.ts", change: "90 % is not full" },
      },
      {
        file: "runtime/live/continuation.test.ts",
        name: "the request for a summary > row 53: nothing of the response runs, and every call has a result",
        without: {
          file: "src/machine/transition/answer.ts",
          change: "the calls that are not run get no results",
        },
      },
      {
        file: "machine/laws.test.ts",
        name: "laws of the machine > L9 at or above 90 % of the window no tool runs, and the calls that are not run are named",
        without: { file: "src/machine/context.ts", change: "the limit is 95 %" },
      },
    ],
  },
  {
    id: "54",
    source: "BED-019.2",
    demand: "All tokens of the last response, cached tokens included, count against the model's window.",
    tests: [
      {
        file: "machine/continuation.test.ts",
        name: "at 90 % of the window > row 54: tokens that the cache read and wrote count",
        without: { file: "src/machine/vocabulary.ts", change: "tokens of the cache do not count" },
      },
      {
        file: "machine/context.test.ts",
        name: "row 54: what the cache read and wrote counts",
        without: { file: "src/machine/vocabulary.ts", change: "tokens of the cache do not count" },
      },
    ],
  },
  {
    id: "55",
    source: "BED-020.1",
    demand: "The summary's request has no tools, and names the skipped calls.",
    tests: [
      {
        file: "runtime/live/continuation.test.ts",
        name: "the request for a summary > rows 55, 130: no tools and no blocks of tools, the story in prose, the calls that were not run by name",
        without: { file: "src/runtime/live/summarize.ts", change: "the request carries the tools" },
      },
      {
        file: "model/request.test.ts",
        name: "the summary request carries no tools at all (D15)",
        without: { file: "src/model/request.ts", change: "an empty list of tools is sent" },
      },
    ],
  },
  {
    id: "56",
    source: "BED-020.2",
    demand:
      "The summary is stored and posted; the conversation is exhausted, also after a restart; waiting clients get an answer.",
    tests: [
      {
        file: "runtime/live/continuation.test.ts",
        name: "the request for a summary > row 56: is posted with its buttons, survives a restart, and a message is refused",
        without: { file: "src/machine/continuation.ts", change: "the summary's words are not kept" },
      },
      {
        file: "features/gateway/endings.test.ts",
        name: "%s: a turn that > fills the context with its answer is answered, and says so",
        without: {
          file: "src/features/gateway/turn.ts",
          change: "a request is not answered where the turn ends with a summary",
        },
      },
      {
        file: "features/gateway/endings.test.ts",
        name: "%s: a turn that > fills the context without a word is an error of the context",
        without: {
          file: "src/features/gateway/respond.ts",
          change: "what goes wrong before the first text of a stream is no HTTP error",
        },
      },
      {
        file: "features/gateway/endings.test.ts",
        name: "%s: a turn that > is stopped while it summarises keeps what it has said",
        without: { file: "src/features/gateway/turn.ts", change: "a summary that was stopped is a failure" },
      },
      {
        file: "features/gateway/content.test.ts",
        name: "approve-session makes a session that was not used yet, and its grants hold when it is",
        without: { file: "src/features/gateway/app.ts", change: "nothing is granted" },
      },
      {
        file: "features/gateway/content.test.ts",
        name: "pictures > of data: URLs are taken, made to fit and shown to the model",
        without: { file: "src/features/gateway/complete.ts", change: "pictures are not passed on" },
      },
    ],
  },
  {
    id: "57",
    source: "BED-020.3",
    demand: "Without a summary after three attempts, the conversation ends with a notice.",
    tests: [
      {
        file: "machine/continuation.test.ts",
        name: "the summary > row 57: failures are tried again as any other, and then there is none",
        without: { file: "src/machine/transition/answer.ts", change: "a failed summary fails the turn" },
      },
      {
        file: "runtime/live/continuation.test.ts",
        name: "the request for a summary > rows 57, 127: three failures end it without one; only an empty thread is offered then",
        without: { file: "src/machine/transition/answer.ts", change: "a failed summary fails the turn" },
      },
    ],
  },
  {
    id: "58",
    source: "BED-021.1",
    demand: "An exhausted conversation refuses messages, shows its summary, and offers a new conversation.",
    tests: [
      {
        file: "machine/continuation.test.ts",
        name: "an exhausted conversation > rows 58, 128: takes no message and nothing else, and survives a restart",
        without: { file: "src/machine/refusal.ts", change: "an exhausted conversation takes messages" },
      },
      {
        file: "runtime/live/continuation.test.ts",
        name: "the request for a summary > row 56: is posted with its buttons, survives a restart, and a message is refused",
        without: { file: "src/thread/view.ts", change: "the summary has no buttons" },
      },
    ],
  },
  {
    id: "59",
    source: "BED-021.2",
    demand: "It continues in one other conversation, with the summary or empty, linked both ways.",
    tests: [
      {
        file: "runtime/live/continuation.test.ts",
        name: "the new conversation > row 59: begins with the summary as others' words, Restricted, without grants, linked both ways",
        without: {
          file: "src/thread/summary-prompt.ts",
          change: "the new conversation is not told the summary",
        },
      },
      {
        file: "runtime/live/continuation.test.ts",
        name: "the new conversation > row 59: a second click leads to the same one",
        without: { file: "src/machine/continuation.ts", change: "every click makes a conversation" },
      },
      {
        file: "adapters/slack/continuation.test.ts",
        name: "row 59: whoever clicks second is told where it goes on, and a thread that cannot be opened can be tried again",
        without: { file: "src/machine/transition/branched.ts", change: "where it goes on is not kept" },
      },
    ],
  },
  {
    id: "60",
    source: "BED-022.1",
    demand: "The window is that of the conversation's model.",
    tests: [
      {
        file: "machine/continuation.test.ts",
        name: "at 90 % of the window > row 60: the same usage is nothing in a model with a larger window",
        without: { file: "src/machine/context.ts", change: "the window is the same for all" },
      },
      {
        file: "model/catalogue.test.ts",
        name: "the port tells the window, and with a key for Anthropic that of every model of theirs",
        without: { file: "src/model/router.ts", change: "the window is the same for all" },
      },
    ],
  },
  {
    id: "61",
    source: "BED-022.2",
    demand: "An unknown model has the smallest known window.",
    tests: [
      {
        file: "features/providers/models.test.ts",
        name: "one model > at home is free, and its window is assumed and said to be",
        without: { file: "src/model/models.ts", change: "an unknown model has the largest window" },
      },
    ],
  },
  {
    id: "62",
    source: "BED-023.1",
    demand: "Above 80 %, people are warned once and may continue in a new thread.",
    tests: [
      {
        file: "machine/context.test.ts",
        name: "row 62: 80.0 % warns nobody, 80.1 % once, and 80.2 % not again",
        without: { file: "src/machine/context.ts", change: "80 % warns" },
      },
      {
        file: "machine/continuation.test.ts",
        name: "by hand > row 62: the warning's button is there while nothing goes on, also turns later",
        without: { file: "src/machine/continuation.ts", change: "nobody can go on by hand" },
      },
      {
        file: "adapters/slack/continuation.test.ts",
        name: "rows 62 and 63: the button of the warning at 80 % goes on in a new thread, and nothing is lost",
        without: { file: "src/machine/context.ts", change: "people are warned above 85 %" },
      },
    ],
  },
  {
    id: "63",
    source: "BED-023.2",
    demand: "A continuation by hand works likewise, without rejected calls.",
    tests: [
      {
        file: "machine/continuation.test.ts",
        name: "by hand > row 63: from a quiet conversation the same way, with nothing rejected",
        without: { file: "src/machine/continuation.ts", change: "by hand nothing is asked for" },
      },
      {
        file: "adapters/discord/continuation.test.ts",
        name: "row 63: `/parley continue` ends the thread with a summary, and the new one begins with it",
        without: { file: "src/machine/continuation.ts", change: "by hand nothing is asked for" },
      },
    ],
  },
  {
    id: "64",
    source: "BED-024.1",
    demand: "A sub-agent at the limit fails, without continuation, and informs its parent.",
    tests: [
      {
        file: "machine/agents.test.ts",
        name: "L8 a sub-agent > row 64: at nine tenths of the window, cache included, it fails whatever it says last > %s",
        without: { file: "src/machine/transition/answer.ts", change: "a result that it hands in counts" },
      },
      {
        file: "machine/continuation.test.ts",
        name: "at 90 % of the window > row 64: a sub-agent has failed; nothing goes on from it",
        without: { file: "src/machine/sub-agent.ts", change: "the reason is another one" },
      },
    ],
  },
  {
    id: "65",
    source: "BED-024.2",
    demand: "The parent may start another sub-agent instead.",
    tests: [
      {
        file: "runtime/live/turn.test.ts",
        name: "sub-agents > BED-024.2 that failed may be replaced: the parent starts another",
        without: {
          file: "src/machine/agent.ts",
          change: "every call's sub-agents have the names of the first one's",
        },
      },
    ],
  },
];
