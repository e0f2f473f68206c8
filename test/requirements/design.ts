/** Bedrock's design, where the rows above do not have it (rows 118 to 132). */

import type { Row } from "./row.ts";

export const design: readonly Row[] = [
  {
    id: "118",
    source: "DS-err",
    demand: "Each kind of failure has its own text.",
    tests: [
      {
        file: "model/failure.test.ts",
        name: "%o is %s",
        without: { file: "src/model/failure.ts", change: "a rate limit is called an overload" },
      },
    ],
  },
  {
    id: "119",
    source: "DS-retry",
    demand: "After the wait, the same attempt asks the model; a late timer does nothing.",
    tests: [
      {
        file: "machine/transition.test.ts",
        name: "retry > DS-retry a stop during the wait leaves no later request",
        without: { file: "src/machine/transition/stop.ts", change: "a timer asks whatever the state is" },
      },
      {
        file: "runtime/live/conversation.test.ts",
        name: "a conversation > DS-retry waits the delay, whatever the wall clock does meanwhile (D11)",
        without: { file: "src/runtime/live/conversation.ts", change: "the wait is over at once" },
      },
    ],
  },
  {
    id: "120",
    source: "DS-synth",
    demand: "Cancelled and skipped calls have texts, and the chain stays valid.",
    tests: [
      {
        file: "machine/transition.test.ts",
        name: "stop > BED-005.2 kills the tool, then answers it and skips the rest",
        without: { file: "src/machine/round.ts", change: "the text is another one" },
      },
      {
        file: "runtime/live/conversation.test.ts",
        name: "a conversation > BED-005.2 a stop while a tool runs kills it and answers every call",
        without: { file: "src/machine/round.ts", change: "the text is another one" },
      },
    ],
  },
  {
    id: "121",
    source: "DS-canc",
    demand: "A message during a stop learns of the cancellation.",
    tests: [
      {
        file: "machine/permission.test.ts",
        name: "a message meanwhile > DS-canc while a stop goes on is told that the cancellation is in progress",
        without: { file: "src/machine/refusal.ts", change: "it is told that the agent is busy" },
      },
    ],
  },
  {
    id: "122",
    source: "DS-sub",
    demand: "A message during sub-agents' work is refused as busy.",
    tests: [
      {
        file: "machine/permission.test.ts",
        name: "a message meanwhile > DS-sub while sub-agents work is told that the agent is busy, and how to stop it",
        without: { file: "src/machine/refusal.ts", change: "the message is taken" },
      },
    ],
  },
  {
    id: "123",
    source: "DS-submit",
    demand: "submit_result, successful by default, ends the sub-agent.",
    tests: [
      {
        file: "machine/agents.test.ts",
        name: "L8 a sub-agent > row 123: submit_result alone ends it; beside other calls it is answered as an error",
        without: { file: "src/machine/sub-agent.ts", change: "it goes on" },
      },
      {
        file: "tools/spawn-agents.test.ts",
        name: "sub-agents > C20: hand in a result or an error; what is neither is answered with what is wrong",
        without: { file: "src/tools/submit.ts", change: "a result that does not say so is no success" },
      },
    ],
  },
  {
    id: "124",
    source: "DS-subtools",
    demand: "A sub-agent has bash, patch, think, keyword_search and submission tools.",
    tests: [
      {
        file: "app/tools.test.ts",
        name: "the list of tools > row 124: sub-agents have those that read, and two to hand in a result",
        without: { file: "src/app/tools.ts", change: "it has the parent's tools too" },
      },
    ],
  },
  {
    id: "125",
    source: "DS-schema",
    demand: "The database stores conversations and messages with the source's fields.",
    tests: [
      {
        file: "store/contract.test.ts",
        name: "a store %s > gives back any step that was committed",
        without: { file: "src/store/tables/commit.ts", change: "the trace is not written" },
      },
      {
        file: "store/contract.test.ts",
        name: "a store %s > gives back any transcript in order, from any position on",
        without: {
          file: "src/store/tables/commit.ts",
          change: "every step's entries begin at the first place",
        },
      },
      {
        file: "store/contract.test.ts",
        name: "a store %s > takes a title at any time and a base once",
        without: { file: "src/store/tables/conversations.ts", change: "a title is never changed" },
      },
    ],
  },
  {
    id: "126",
    source: "DS-loop",
    demand: "Every active conversation has one loop; loops run in parallel and end completely.",
    tests: [
      {
        file: "runtime/live/live-conversations.test.ts",
        name: "live conversations > B4 there is one loop per conversation, and none for what is not stored",
        without: { file: "src/runtime/live/live-conversations.ts", change: "every look makes a loop" },
      },
      {
        file: "runtime/live/live-conversations.test.ts",
        name: "live conversations > an idle one is forgotten; one that somebody listens to stays",
        without: { file: "src/runtime/live/live-conversations.ts", change: "a quiet one stays in memory" },
      },
      {
        file: "runtime/live/turn.test.ts",
        name: "sub-agents > DS-loop leave no loop behind, and two threads work side by side",
        without: {
          file: "src/machine/sub-agent.ts",
          change: "a sub-agent that handed in its result goes on",
        },
      },
    ],
  },
  {
    id: "127",
    source: "DS-cont",
    demand: "A summary, its failure and its cancellation each end the conversation, with a notice.",
    tests: [
      {
        file: "machine/continuation.test.ts",
        name: "the summary > row 56: what came is kept, and the last response is what the context counts (C17)",
        without: { file: "src/machine/continuation.ts", change: "the summary's words are not kept" },
      },
      {
        file: "runtime/live/continuation.test.ts",
        name: "the request for a summary > rows 57, 127: three failures end it without one; only an empty thread is offered then",
        without: { file: "src/machine/transition/answer.ts", change: "a failed summary fails the turn" },
      },
      {
        file: "machine/continuation.test.ts",
        name: "the summary > row 127: whoever stops it ends the conversation without one, and what comes late is stale",
        without: { file: "src/machine/transition/stop.ts", change: "a stop only ends the turn" },
      },
    ],
  },
  {
    id: "128",
    source: "DS-exh",
    demand: "An exhausted conversation accepts no message or other event.",
    tests: [
      {
        file: "machine/continuation.test.ts",
        name: "an exhausted conversation > rows 58, 128: takes no message and nothing else, and survives a restart",
        without: { file: "src/machine/transition/stop.ts", change: "a stop makes it quiet" },
      },
    ],
  },
  {
    id: "129",
    source: "DS-man",
    demand: "People can request the continuation of an idle conversation by button and command.",
    tests: [
      {
        file: "machine/continuation.test.ts",
        name: "by hand > row 63: from a quiet conversation the same way, with nothing rejected",
        without: { file: "src/machine/continuation.ts", change: "by hand nothing is asked for" },
      },
      {
        file: "adapters/discord/continuation.test.ts",
        name: "rows 62 and 63: the button of the warning at 80 % goes on in a new thread, and nothing is lost",
        without: { file: "src/machine/continuation.ts", change: "nobody can go on by hand" },
      },
      {
        file: "adapters/discord/continuation.test.ts",
        name: "row 63: `/parley continue` ends the thread with a summary, and the new one begins with it",
        without: { file: "src/runtime/chat/commands/turn.ts", change: "the command is not known" },
      },
    ],
  },
  {
    id: "130",
    source: "DS-prompt",
    demand:
      "The summary's prompt asks briefly for work state, key files and next steps, and lists skipped calls.",
    tests: [
      {
        file: "thread/summary-prompt.test.ts",
        name: "asks for what was wanted and done, the key files, what was decided, and the next steps, in few words",
        without: { file: "src/thread/summary-prompt.ts", change: "the next steps are not asked for" },
      },
      {
        file: "runtime/live/continuation.test.ts",
        name: "the request for a summary > rows 55, 130: no tools and no blocks of tools, the story in prose, the calls that were not run by name",
        without: { file: "src/thread/summary-prompt.ts", change: "what was not run is not listed" },
      },
    ],
  },
  {
    id: "131",
    source: "DS-90/80",
    demand: "The limits are 90 % and 80 %.",
    tests: [
      {
        file: "machine/continuation.test.ts",
        name: "at 90 % of the window > rows 53, 131: at exactly 90 % nothing of the response is run, and at 89.99 % it is",
        without: { file: "src/machine/context.ts", change: "the limit is 89.9 %" },
      },
      {
        file: "machine/context.test.ts",
        name: "row 62: 80.0 % warns nobody, 80.1 % once, and 80.2 % not again",
        without: { file: "src/machine/context.ts", change: "people are warned above 85 %" },
      },
    ],
  },
  {
    id: "132",
    source: "DS-test",
    demand: "Generated sequences test the machine in every phase, and the whole product.",
    tests: [
      {
        file: "machine/laws.test.ts",
        name: "laws of the machine > the walks of all laws together reach every phase often enough to mean something",
        without: { file: "src/machine/continuation.ts", change: "no conversation is ever exhausted" },
      },
      {
        file: "machine/laws.test.ts",
        name: "laws of the machine > L2 every state handles every event, and a refusal carries nothing but its reason",
        without: { file: "src/machine/transition/transition.ts", change: "events are not counted" },
      },
      {
        file: "machine/transition.test.ts",
        name: "the matrix > says for every phase and event what becomes of it",
        without: { file: "src/machine/refusal.ts", change: "a message is taken while a stop goes on" },
      },
    ],
  },
];
