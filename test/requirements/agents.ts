/** Bedrock: sub-agents, the working directory, clients and the count of tokens (rows 23 to 35). */

import type { Row } from "./row.ts";

export const agents: readonly Row[] = [
  {
    id: "23",
    source: "BED-008.1",
    demand: "spawn_agents starts a parallel conversation for each task.",
    tests: [
      {
        file: "runtime/live/agents.test.ts",
        name: "sub-agents > rows 23 to 25: work in parallel, and the parent reads one result of all, in the order of the tasks",
        without: { file: "src/runtime/live/agents.ts", change: "each waits for the one before it" },
      },
      {
        file: "tools/spawn-agents.test.ts",
        name: "spawn_agents > row 23: starts one sub-agent a task, with another model where a known one is named",
        without: { file: "src/tools/spawn-agents.ts", change: "only the first task is started" },
      },
    ],
  },
  {
    id: "24",
    source: "BED-008.2",
    demand: "A sub-agent submits a result, which reaches the parent's next request.",
    tests: [
      {
        file: "runtime/live/agents.test.ts",
        name: "sub-agents > rows 23 to 25: work in parallel, and the parent reads one result of all, in the order of the tasks",
        without: { file: "src/runtime/live/agent-results.ts", change: "the words of a result are left out" },
      },
      {
        file: "e2e/agents.test.ts",
        name: "an investigation > rows 23 to 28, 50: three helpers read a real checkout, write nothing, and return one cited aggregate",
        without: { file: "src/runtime/live/agent-results.ts", change: "the words of a result are left out" },
      },
    ],
  },
  {
    id: "25",
    source: "BED-008.3",
    demand: "After the last sub-agent, the parent has one combined result.",
    tests: [
      {
        file: "machine/agents.test.ts",
        name: "L8 the parent > row 25: the result is one, and takes no earlier place than the last report",
        without: {
          file: "src/machine/transition/agents.ts",
          change: "the result is taken while some still work",
        },
      },
      {
        file: "machine/agents.test.ts",
        name: "L8 the parent > waits with its next call until the last of them has ended",
        without: {
          file: "src/machine/transition/agents.ts",
          change: "the result is taken while some still work",
        },
      },
    ],
  },
  {
    id: "26",
    source: "BED-008.4",
    demand: "The result marks failed and late sub-agents; the parent continues.",
    tests: [
      {
        file: "runtime/live/agents.test.ts",
        name: "sub-agents > row 26: one that fails is marked, and the parent goes on with the others",
        without: { file: "src/runtime/live/agent-results.ts", change: "how each one ended is left out" },
      },
      {
        file: "runtime/live/agents.test.ts",
        name: "sub-agents > when their time is over they are told, and after the grace ended; the parent reads which limit it was",
        without: {
          file: "src/machine/transition/agents.ts",
          change: "they are never told that their time is over",
        },
      },
    ],
  },
  {
    id: "27",
    source: "BED-009.1",
    demand: "A sub-agent has a separate history, and tools without spawn_agents and request_mode_upgrade.",
    tests: [
      {
        file: "runtime/live/agents.test.ts",
        name: "sub-agents > rows 27, 28: have a history and tools of their own, and stand in no list",
        without: {
          file: "src/runtime/bot/bot.ts",
          change: "sub-agents get their parent's system prompt and tools",
        },
      },
      {
        file: "tools/spawn-agents.test.ts",
        name: "sub-agents > row 27: have no other tools; people's conversations do not submit",
        without: { file: "src/app/tools.ts", change: "sub-agents find every tool" },
      },
      {
        file: "machine/agents.test.ts",
        name: "L8 a sub-agent > row 27, row 52: it cannot ask for more, and cannot start others",
        without: { file: "src/machine/round.ts", change: "a sub-agent may start others" },
      },
    ],
  },
  {
    id: "28",
    source: "BED-009.2",
    demand: "Lists of conversations contain no sub-agents.",
    tests: [
      {
        file: "runtime/live/agents.test.ts",
        name: "sub-agents > rows 27, 28: have a history and tools of their own, and stand in no list",
        without: {
          file: "src/store/tables/conversations.ts",
          change: "a sub-agent is kept as a conversation of people",
        },
      },
      {
        file: "store/lists.test.ts",
        name: "lists > show the latest activity first, page by page, sub-agents left out (BED-009)",
        without: {
          file: "src/store/tables/conversations.ts",
          change: "a sub-agent is kept as a conversation of people",
        },
      },
    ],
  },
  {
    id: "29",
    source: "BED-010.1",
    demand: "A conversation always has the same working directory, which is named.",
    tests: [
      {
        file: "e2e/workspace.test.ts",
        name: "the working directory (BED-010) > is named in the first message, is where every command starts, and does not move with cd or with approval",
        without: {
          file: "src/runtime/live/opening-message.ts",
          change: "the first message does not name the working directory",
        },
      },
      {
        file: "workspace/checkout/policy.test.ts",
        name: "with mounts the paths are fixed; without them the conversation's own name stands for the shared tree",
        without: {
          file: "src/workspace/checkout/policy.ts",
          change: "the directory is named by the host's path",
        },
      },
    ],
  },
  {
    id: "30",
    source: "BED-010.2",
    demand: "Every command starts in the working directory.",
    tests: [
      {
        file: "e2e/workspace.test.ts",
        name: "the working directory (BED-010) > is named in the first message, is where every command starts, and does not move with cd or with approval",
        without: { file: "src/workspace/checkout/policy.ts", change: "commands start in another directory" },
      },
    ],
  },
  {
    id: "31",
    source: "BED-011.1",
    demand: "All viewers receive each state change.",
    tests: [
      {
        file: "runtime/live/turn.test.ts",
        name: "a turn > BED-011.1 is heard by everybody who listens, state by state",
        without: { file: "src/runtime/live/conversation.ts", change: "only the first listener hears" },
      },
      {
        file: "features/console/api/events.test.ts",
        name: "a client > hears a snapshot, then states, live text and posts in the order they happened",
        without: { file: "src/features/console/api/feed.ts", change: "states are not sent" },
      },
    ],
  },
  {
    id: "32",
    source: "BED-011.2",
    demand: "A tool's result appears before the next tool ends.",
    tests: [
      {
        file: "runtime/live/turn.test.ts",
        name: "a turn > BED-011.2 shows what a tool came to while the next one runs",
        without: {
          file: "src/machine/transition/result.ts",
          change: "what a tool came to is not put into the transcript",
        },
      },
    ],
  },
  {
    id: "33",
    source: "BED-011.3",
    demand: "New viewers get the current state and all posts.",
    tests: [
      {
        file: "features/console/api/events.test.ts",
        name: "a client > finds everything again after the process was restarted: one snapshot, nothing lost",
        without: { file: "src/features/console/api/feed.ts", change: "the snapshot has no posts" },
      },
      {
        file: "runtime/chat/people/status.test.ts",
        name: "the status of a conversation > BED-011.3 names permission, mode, safe mode, repository and commit, and what it does",
        without: { file: "src/runtime/chat/people/reply-texts.ts", change: "what it does is left out" },
      },
    ],
  },
  {
    id: "34",
    source: "BED-012.1",
    demand: "Each answer's tokens count against the window; the status shows the percentage.",
    tests: [
      {
        file: "machine/context.test.ts",
        name: "row 54: what the cache read and wrote counts",
        without: { file: "src/machine/context.ts", change: "an answer's tokens are not counted" },
      },
      {
        file: "runtime/chat/people/status.test.ts",
        name: "the status of a conversation > BED-012.1 says how full the model's window is",
        without: {
          file: "src/runtime/chat/people/reply-texts.ts",
          change: "the status does not say how full it is",
        },
      },
    ],
  },
  {
    id: "35",
    source: "BED-012.2",
    demand: "Near the limit, people are warned.",
    tests: [
      {
        file: "machine/context.test.ts",
        name: "row 62: 80.0 % warns nobody, 80.1 % once, and 80.2 % not again",
        without: { file: "src/machine/transition/answer.ts", change: "nobody is warned" },
      },
    ],
  },
];
