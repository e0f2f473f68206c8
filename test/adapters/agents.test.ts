/** Sub-agents as people see them: one line each while they work, one post when they have ended, on every surface. */

import { describe, expect, it } from "vitest";
import { render } from "../../adapters/console/render/render.ts";
import { stateNews } from "../../adapters/console/render/summary.ts";
import { discordRenderer } from "../../adapters/discord/write/render.ts";
import { slackRenderer } from "../../adapters/slack/write/render.ts";
import { blocksOf } from "../../adapters/slack/write/blocks.ts";
import { createChunks } from "../../adapters/slack/write/stream-chunks.ts";
import { slackLimits } from "../../adapters/slack/write/surface.ts";
import { agentLines } from "../../adapters/text/agents.ts";
import type { Agent } from "../../src/machine/agent.ts";
import type { MessageId } from "../../src/machine/id.ts";
import type { Outcome } from "../../src/machine/transcript.ts";
import type { Progress } from "../../src/ports/surface.ts";
import type { AgentStatus, Post, ThreadStatus } from "../../src/thread/post.ts";
import type { Words } from "../../src/thread/prompt.ts";
import { fresh, spawn, usage } from "../machine/samples.ts";
import { turnBody } from "../turn-body.ts";
import { conversationOf } from "../store/plain.ts";
import { english } from "../../src/i18n/say.ts";
import { looks } from "../looks.ts";

const slack = slackRenderer(english);

const working: readonly AgentStatus[] = [
  { task: "Find the tests", step: "ended", tool: null, how: "submitted", costMicroUsd: 20_000 },
  { task: "Ask @everyone <!here>", step: "running", tool: "bash", how: null, costMicroUsd: 30_000 },
  { task: "Find the docs", step: "thinking", tool: null, how: null, costMicroUsd: 0 },
];

const statusWith = (agents: readonly AgentStatus[]): ThreadStatus => ({
  kind: "running",
  tool: "spawn_agents",
  attempt: 1,
  wait: null,
  actions: ["stop"],
  agents,
});

const progress = (agents: readonly AgentStatus[]): Progress => ({
  conversation: "c-1",
  status: statusWith(agents),
  live: "",
  permission: "restricted",
  asker: null,
});

const agents: readonly Agent[] = [
  { id: "c-1-e2-1", model: "demo", end: { how: "submitted", usage: { ...usage, costMicroUsd: 20_000 } } },
  { id: "c-1-e2-2", model: "demo", end: { how: "time", usage: { ...usage, costMicroUsd: 30_000 } } },
];

const words = new Map<MessageId, Words>([
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

const ended = postOf({ kind: "ran", message: "m-r", isError: false });
const turn: Post = {
  key: "turn/1/1",
  at: 1,
  final: true,
  actions: [],
  body: turnBody({
    said: [],
    notices: [{ kind: "empty" }],
    steps: {
      count: 2,
      rows: [
        {
          message: "m-a",
          call: spawn,
          outcome: { kind: "ran", message: "m-r", isError: false, agents },
          took: 5,
        },
        {
          message: "m-a",
          call: { id: "t2", name: "think", intent: "tool" },
          outcome: { kind: "ran", message: "m-r", isError: false },
          took: 5,
        },
      ],
    },
  }),
};
const scene = { conversation: conversationOf("c-1"), words, looks, question: null };

describe("while they work", () => {
  it("the status says how many are done and what each does", () => {
    expect(agentLines(working)).toBe(
      "1. Find the tests: finished\n2. Ask @everyone <!here>: running bash\n3. Find the docs: thinking",
    );
    for (const { lead = "", text } of [slack.progress(progress(working), slackLimits)]) {
      expect(lead).toContain("waiting for 3 helpers, 1 done.");
      expect(text).toContain("Find the tests: finished");
      expect(text).not.toContain("<!here>");
    }
    const { lead, text, buttons } = discordRenderer(english).progress(progress(working), slackLimits);
    expect(lead).toContain("waiting for 3 helpers, 1 done.");
    expect(lead).not.toContain("$");
    expect(text).toContain("Find the docs: thinking");
    expect(text).not.toMatch(/@everyone/);
    expect(buttons).toMatchObject([{ action: "stop" }, { action: "steps" }]);
  });

  it("the console's status carries the same", () => {
    const news = stateNews(
      { conversation: conversationOf("c-1"), state: fresh() },
      statusWith(working),
      english,
    );
    expect(news.status?.agents).toMatchObject({ head: "1 of 3 sub-agents done · $0.05" });
    expect(news.status?.agents?.lines).toHaveLength(3);
  });

  it("a Slack stream has a card for each, which changes with what it does and is sent once", () => {
    const chunks = createChunks(progress(working));
    const first = chunks.next(progress(working)) ?? [];
    expect(first.filter(({ type }) => type === "task_update")).toMatchObject([
      { title: "spawn_agents" },
      { id: "tool1.1", status: "complete" },
      { id: "tool1.2", status: "in_progress", title: "Ask @everyone !here: running bash" },
      { id: "tool1.3", status: "in_progress" },
    ]);
    chunks.arrived();
    const [one, , three] = working;
    if (one === undefined || three === undefined) throw new Error("unreachable");
    const stopped: AgentStatus = { ...three, step: "ended", how: "stopped" };
    const second = chunks.next(progress([one, { ...three, step: "waiting" }, stopped])) ?? [];
    expect(second.filter(({ type }) => type === "task_update")).toMatchObject([
      { id: "tool1.2", status: "pending" },
      { id: "tool1.3", status: "error", title: "Find the docs: stopped" },
    ]);
  });
});

const NOTHING = { tone: "turn", text: "", buttons: [] } as const;

describe("when they have ended", () => {
  it("the steps of their turn say what each came to, on Slack", () => {
    const [piece] = slack.post(turn, scene, slackLimits);
    const steps = piece?.content.below?.find(({ kind }) => kind === "steps");
    const titles = steps?.kind === "steps" ? steps.rows.map(({ title }) => title) : [];
    expect(titles).toEqual([
      "Asked helpers",
      "Find the tests: finished",
      expect.stringMatching(/: time limit reached before/),
      "Thought",
    ]);
    expect(JSON.stringify(blocksOf(piece?.content ?? NOTHING))).not.toContain("<!channel>");
  });

  it("the console lists them with the way to each, beside what the model read", () => {
    const notices = { say: english, covers: "", sandboxNotice: null, modelNotice: null };
    const shown = render({ post: ended, ordinal: 1, revision: 1 }, { ...scene, ...notices });
    expect(shown).toMatchObject({
      title: "2 tasks",
      output: "the aggregate",
      agents: [
        { id: "c-1-e2-1", task: "Find the tests", outcome: "finished", finished: true, costUsd: 0.02 },
        { id: "c-1-e2-2", finished: false },
      ],
    });
  });
});
