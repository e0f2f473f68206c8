/** Posts as Slack messages: what makes one, what its buttons carry, and what model text cannot do in it. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessageId } from "../../../src/core/id.ts";
import type { Words } from "../../../src/core/prompt.ts";
import type { Post, PostBody } from "../../../src/core/view.ts";
import type { QuestionRow } from "../../../src/runtime/ports.ts";
import type { RenderScene } from "../../../src/runtime/ports-surface.ts";
import { slackRenderer } from "../../../adapters/slack/render.ts";
import { slackLimits } from "../../../adapters/slack/surface.ts";
import { conversationOf } from "../../store/plain.ts";

const pending: QuestionRow = {
  wire: "wire-1",
  conversation: "c-1",
  question: "q1",
  type: "upgrade",
  fingerprint: "f",
  askedAt: 1,
  status: "pending",
  by: null,
  at: null,
};

const sceneOf = (words: Words | null, question: QuestionRow | null = null): RenderScene => ({
  conversation: conversationOf("c-1"),
  words: new Map<MessageId, Words>(words === null ? [] : [["m-1", words]]),
  question,
});

const postOf = (body: PostBody, change: Partial<Post> = {}): Post => ({
  key: "k",
  at: 1,
  final: true,
  actions: [],
  body,
  ...change,
});

const render = (post: Post, scene: RenderScene) => slackRenderer.post(post, scene, slackLimits);

const answered = (text: string): Words => ({ kind: "answer", blocks: [{ kind: "text", text }] });

const answer = postOf({ kind: "answer", message: "m-1" });

const call = { id: "t1", name: "request_mode_upgrade", intent: "upgrade" } as const;

const asked = (reason: string): Words => ({
  kind: "answer",
  blocks: [{ kind: "toolUse", id: "t1", name: call.name, input: { reason } }],
});

const question = postOf(
  { kind: "question", question: "q1", message: "m-1", call, decision: null },
  { final: false, actions: ["approve", "deny"] },
);

describe("an answer", () => {
  it("D22 is pieces within the limit, of which all but the last stay when the text grows", () => {
    const text = fc.string({
      unit: fc.constantFrom("word ", "\n\n", "```\n", "- item\n", "é"),
      maxLength: 3_000,
    });
    fc.assert(
      fc.property(text, text, (start, more) => {
        const short = render(answer, sceneOf(answered(start)));
        const long = render(answer, sceneOf(answered(start + more)));
        expect(long.slice(0, Math.max(0, short.length - 1))).toEqual(short.slice(0, -1));
        for (const { content } of long) expect(content.text.length).toBeLessThanOrEqual(slackLimits.text);
        expect(new Set(long.map(({ key }) => key)).size).toBe(long.length);
      }),
      { numRuns: 200 },
    );
  });

  it("that was erased says so", () => {
    expect(render(answer, sceneOf({ kind: "gone" }))[0]?.content.text).toBe("[erased]");
  });
});

describe("a question", () => {
  it("has the host's facts above, the model's reason below and quoted, and the wire id on its buttons", () => {
    const [piece] = render(question, sceneOf(asked("to write\n**Approved by nobody.**"), pending));
    expect(piece?.final).toBe(false);
    expect(piece?.content.text).toBe(
      "**The agent asks for write access: Unrestricted mode.**\n\n`/repo`\n\n> to write\n> **Approved by nobody.**",
    );
    expect(piece?.content.buttons).toEqual([
      { action: "approve", label: "Approve", value: "wire-1" },
      { action: "deny", label: "Deny", value: "wire-1" },
    ]);
  });

  it("has no buttons once nothing is pending", () => {
    expect(render(question, sceneOf(asked("x")))[0]?.content.buttons).toEqual([]);
  });

  it("bounds the reason", () => {
    const [piece] = render(question, sceneOf(asked("long ".repeat(5_000)), pending));
    expect(piece?.content.text.length).toBeLessThan(2_000);
  });
});

describe("what makes no message", () => {
  it("is what people said and what tools did", () => {
    const speaker = { id: "slack:U1", mayDrive: true, mayApprove: false } as const;
    expect(render(postOf({ kind: "user", message: "m-1", speaker, images: 0 }), sceneOf(null))).toEqual([]);
    const activity = { kind: "activity", message: "m-1", call, status: "done", outcome: null } as const;
    expect(render(postOf(activity), sceneOf(null))).toEqual([]);
  });
});

describe("a notice", () => {
  it("offers another try where the view does", () => {
    const body = { kind: "notice", notice: { kind: "interrupted" } } as const;
    const [offered] = render(postOf(body, { final: false, actions: ["retry"] }), sceneOf(null));
    expect(offered?.content.buttons).toEqual([{ action: "retry", label: "Try again", value: "c-1" }]);
    expect(render(postOf(body), sceneOf(null))[0]?.content.buttons).toEqual([]);
  });
});

describe("progress", () => {
  it("is bounded, escaped, and can be stopped while the state allows it", () => {
    const status = { kind: "running", tool: "<bash>", attempt: 1, wait: null, actions: ["stop"] } as const;
    const content = slackRenderer.status(status, `<!channel>${"x".repeat(10_000)}<@U1>`, "c-1", slackLimits);
    expect(content.text).not.toMatch(/<[!@]/);
    expect(content.text.length).toBeLessThan(3_000);
    expect(content.buttons).toEqual([{ action: "stop", label: "Stop", value: "c-1" }]);
    const stopping = slackRenderer.status(
      { ...status, kind: "stopping", actions: [] },
      "",
      "c-1",
      slackLimits,
    );
    expect(stopping.buttons).toEqual([]);
  });
});
