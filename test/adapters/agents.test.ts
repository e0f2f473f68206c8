/** Sub-agents as people see them: one line each while they work, one post when they have ended, on every surface. */

import { describe, expect, it } from "vitest";
import { discordRenderer } from "../../adapters/discord/write/render.ts";
import { slackRenderer } from "../../adapters/slack/write/render.ts";
import { blocksOf } from "../../adapters/slack/write/blocks.ts";
import { createChunks } from "../../adapters/slack/write/stream-chunks.ts";
import { slackLimits } from "../../adapters/slack/write/surface.ts";
import { agentLines } from "../../adapters/text/agents.ts";
import type { Progress } from "../../src/ports/surface.ts";
import type { AgentStatus, Post } from "../../src/thread/post.ts";
import { spawn } from "../machine/samples.ts";
import { turnBody } from "../turn-body.ts";
import { english } from "../../src/i18n/say.ts";
import { agents, scene, statusWith, working } from "./agents.ts";

const slack = slackRenderer(english);

const progress = (agents: readonly AgentStatus[]): Progress => ({
  conversation: "c-1",
  status: statusWith(agents),
  live: "",
  permission: "restricted",
  asker: null,
});

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
describe("while they work", () => {
  it("the status says how many are done and what each does", () => {
    expect(agentLines(working)).toBe(
      "1. Find the tests: finished\n2. Ask @everyone <!here>: running bash\n3. Find the docs: thinking",
    );
    for (const { lead = "", text } of [slack.progress(progress(working), slackLimits)]) {
      expect(lead).toContain("waiting for 3 sub-agents, 1 done.");
      expect(text).toContain("Find the tests: finished");
      expect(text).not.toContain("<!here>");
    }
    const { lead, text, buttons } = discordRenderer(english).progress(progress(working), slackLimits);
    expect(lead).toContain("waiting for 3 sub-agents, 1 done.");
    expect(lead).not.toContain("$");
    expect(text).toContain("Find the docs: thinking");
    expect(text).not.toMatch(/@everyone/);
    expect(buttons).toMatchObject([{ action: "stop" }, { action: "steps" }]);
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
      "Started sub-agents",
      "Find the tests: finished",
      expect.stringMatching(/: time limit reached before/),
      "Thought",
    ]);
    expect(JSON.stringify(blocksOf(piece?.content ?? NOTHING))).not.toContain("<!channel>");
  });
});
