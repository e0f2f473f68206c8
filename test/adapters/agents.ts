/** Three sub-agents at work and two that have ended, for tests of every surface. */

import type { Agent } from "../../src/machine/agent.ts";
import type { MessageId } from "../../src/machine/id.ts";
import type { Outcome } from "../../src/machine/transcript.ts";
import type { AgentStatus, Post, ThreadStatus } from "../../src/thread/post.ts";
import type { StoredContent } from "../../src/thread/prompt.ts";
import { looks } from "../looks.ts";
import { spawn, usage } from "../machine/samples.ts";
import { conversationOf } from "../store/plain.ts";

export const working: readonly AgentStatus[] = [
  { task: "Find the tests", step: "ended", tool: null, how: "submitted", costMicroUsd: 20_000 },
  { task: "Ask @everyone <!here>", step: "running", tool: "bash", how: null, costMicroUsd: 30_000 },
  { task: "Find the docs", step: "thinking", tool: null, how: null, costMicroUsd: 0 },
];

export const statusWith = (agents: readonly AgentStatus[]): ThreadStatus => ({
  kind: "running",
  tool: "spawn_agents",
  attempt: 1,
  wait: null,
  actions: ["stop"],
  agents,
});

export const agents: readonly Agent[] = [
  { id: "c-1-e2-1", model: "demo", end: { how: "submitted", usage: { ...usage, costMicroUsd: 20_000 } } },
  { id: "c-1-e2-2", model: "demo", end: { how: "time", usage: { ...usage, costMicroUsd: 30_000 } } },
];

const words = new Map<MessageId, StoredContent>([
  [
    "m-a",
    {
      kind: "answer",
      blocks: [
        {
          kind: "toolUse",
          id: spawn.id,
          name: "spawn_agents",
          input: { tasks: [{ task: "Find the tests\nin detail" }, { task: "Ask <!channel> @everyone" }] },
        },
      ],
    },
  ],
  ["m-r", { kind: "result", text: "the aggregate", images: [], diff: null }],
]);

const postOf = (outcome: Outcome | null): Post => ({
  key: "call/m-a/t",
  at: 1,
  final: outcome !== null,
  actions: [],
  body: { kind: "activity", message: "m-a", call: spawn, status: "done", outcome, agents },
});

export const ended = postOf({ kind: "ran", message: "m-r", isError: false });
export const scene = { conversation: conversationOf("c-1"), words, looks, question: null };
