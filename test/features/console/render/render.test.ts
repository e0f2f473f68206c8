/** Posts as the API shows them: one of each kind, and the laws of bounding and quoting. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerpt, firstLine } from "../../../../src/features/console/render/excerpt.ts";
import { noticeBody, openingText } from "../../../../src/features/console/render/render-host.ts";
import { render } from "../../../../src/features/console/render/render.ts";
import type { PageScene } from "../../../../src/features/console/render/scene.ts";
import { costText } from "../../../../adapters/post/phrases.ts";
import type { MessageId } from "../../../../src/machine/id.ts";
import type { Action, PostBody } from "../../../../src/thread/post.ts";
import { postTextsOf } from "../../../../src/thread/post-words.ts";
import type { StoredContent } from "../../../../src/thread/prompt.ts";
import { visibleCode } from "../../../../src/text/invisible.ts";
import { english } from "../../../../src/i18n/say.ts";
import { looks } from "../../../looks.ts";

const anyText = fc.string({ unit: "binary", maxLength: 400 });
const runs = { numRuns: 500 };

/** The post of an approved write. */
const decidedWrite = (write: "open_pull_request" | "file_issue", wrote: "done" | "failed") =>
  shown({
    kind: "question",
    question: null,
    turn: 1,
    asker: "console:operator",
    message: "m-answer",
    call: { id: "u2", name: write, intent: "tool" },
    ask: { kind: "write", write, shown: "m-answer", fingerprint: "f" },
    decision: { choice: "approve", by: "console:operator", at: 8, comment: null },
    wrote: wrote === "done" ? { kind: "done", name: "acme/api#1" } : { kind: "failed", why: "no" },
  });

describe("an excerpt", () => {
  it("is bounded, keeps both ends and never halves a character", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 80, max: 300 }), (text, max) => {
        const cut = excerpt(text, max);
        expect(cut.length).toBeLessThanOrEqual(max);
        expect(cut.isWellFormed()).toBe(true);
        if (text.length <= max) expect(cut).toBe(text);
        else expect(text.startsWith(cut.split("\n… ")[0] ?? "?")).toBe(true);
      }),
      runs,
    );
  });

  it("a first line is one line, bounded", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 60 }), (text, max) => {
        const line = firstLine(text, max);
        expect(line.length).toBeLessThanOrEqual(max);
        expect(line).not.toContain("\n");
        expect(line.isWellFormed()).toBe(true);
      }),
      runs,
    );
  });
});

const base = { commit: "0123456789abcdef", ref: "main", cwd: "/work" };

const conversation: PageScene["conversation"] = {
  id: "c-1",
  surface: "console",
  title: "T",
  repo: { kind: "path", location: "/srv/a" },
  createdBy: "console:operator",
  createdAt: 1,
  updatedAt: 2,
  prefix: "p",
  base,
  origin: null,
};

const call = { id: "u1", name: "bash", intent: "tool" } as const;
const speaker = { id: "console:operator", mayDrive: true, mayApprove: true } as const;

const words: ReadonlyMap<MessageId, StoredContent> = new Map<MessageId, StoredContent>([
  ["m-said", { kind: "said", text: "Hi", images: [{ hash: "ab", mediaType: "image/png" }] }],
  [
    "m-answer",
    {
      kind: "answer",
      blocks: [
        { kind: "text", text: "**A**" },
        { kind: "toolUse", id: "u1", name: "bash", input: { command: "ls\nwc", mode: "slow" } },
        { kind: "toolUse", id: "u2", name: "request_mode_upgrade", input: { reason: " why " } },
      ],
    },
  ],
  ["m-result", { kind: "result", text: "out", images: [], diff: "+x" }],
  ["m-note", { kind: "comment", text: "no, because" }],
]);

const scene: PageScene = {
  say: english,
  conversation,
  words,
  looks,
  question: {
    wire: "w1",
    conversation: "c-1",
    question: "q1",
    type: "upgrade",
    fingerprint: "f",
    askedAt: 5,
    status: "pending",
    by: null,
    at: null,
  },
  covers: "It may write.",
  sandboxNotice: null,
  modelNotice: null,
};

const shown = (body: PostBody, actions: readonly Action[] = [], light: PageScene = scene) =>
  render({ post: { key: "k", at: 3, final: true, actions, body }, ordinal: 7, revision: 9 }, light);

const litBy = (answer: StoredContent): PageScene => ({ ...scene, words: new Map([["m-answer", answer]]) });

const frame = { key: "k", at: 3, final: true, ordinal: 7, actions: [] };
const usage = { input: 1_000, output: 200, cacheRead: 30, cacheWrite: 4, costMicroUsd: 2_500 };

describe("a post", () => {
  it("of a person keeps the words as they are, with pictures by address", () => {
    expect(shown({ kind: "user", message: "m-said", speaker, images: 1 })).toEqual({
      ...frame,
      kind: "user",
      markdown: "Hi",
      by: "console:operator",
      images: [{ url: "/api/images/ab", mediaType: "image/png" }],
    });
  });

  it("of an answer has what the model thought beside it, with keys masked", () => {
    const key = `ghp_${"a1B2".repeat(9)}`;
    const blocks = [
      { kind: "opaque", raw: { type: "thinking", thinking: `Is ${key} one?`, signature: "s" } },
      { kind: "opaque", raw: { type: "redacted_thinking", data: "x" } },
      { kind: "opaque", raw: { type: "kept_part", by: "openai/gpt-5", thinking: "It is." } },
      { kind: "toolUse", id: "u1", name: "bash", input: {} },
      { kind: "toolUse", id: "u2", name: "bash", input: {} },
    ] as const;
    const silent = litBy({ kind: "answer", blocks });
    const spoken = litBy({ kind: "answer", blocks: [...blocks, { kind: "text", text: "So." }] });
    const activity = {
      kind: "activity",
      message: "m-answer",
      call,
      status: "running",
      outcome: null,
    } as const;
    const answer = { kind: "answer", message: "m-answer" } as const;
    const thought = expect.stringMatching(/^Is (?!ghp_)[^]*one\?\n\nIt is\.$/);
    expect(shown(answer, [], spoken)).toMatchObject({ markdown: "So.", thought });
    expect(shown(activity, [], silent)).toMatchObject({ thought });
    expect(shown({ ...activity, call: { ...call, id: "u2" } }, [], silent)).not.toHaveProperty("thought");
    expect(shown(activity, [], spoken)).not.toHaveProperty("thought");
    expect(shown(answer)).not.toHaveProperty("thought");
  });

  it("of a call has its command as title, its input whole, its output and its diff", () => {
    const outcome = { kind: "ran", message: "m-result", isError: false, exit: 0 } as const;
    const activity = { kind: "activity", message: "m-answer", call, status: "done", outcome } as const;
    expect(shown({ ...activity, took: 4_000 })).toEqual({
      ...frame,
      kind: "activity",
      tool: "bash",
      before: "Ran",
      title: "ls",
      after: "",
      icon: "terminal",
      face: "code",
      input: JSON.stringify({ command: "ls\nwc", mode: "slow" }, null, 2),
      output: "out",
      diff: "+x",
      images: [],
      status: "done",
      ended: "exit 0 · 4 s",
    });
  });

  it("of an open question has the wire id on its buttons, of a decided one who decided and why", () => {
    const upgrade = { id: "u2", name: "request_mode_upgrade", intent: "upgrade" } as const;
    const open = {
      kind: "question",
      question: "q1",
      turn: 1,
      asker: "console:operator",
      message: "m-answer",
      call: upgrade,
      decision: null,
    } as const;
    expect(shown(open, ["approve", "deny"])).toMatchObject({
      reason: "why",
      decision: null,
      actions: [
        { action: "decide", choice: "approve", question: "w1", label: "Approve" },
        { action: "decide", choice: "deny", question: "w1", label: "Deny" },
      ],
    });
    const decision = { choice: "deny", by: "console:operator", at: 8, comment: "m-note" } as const;
    const decided = { ...open, question: null, decision };
    expect(postTextsOf({ key: "k", at: 3, final: true, actions: [], body: decided })).toEqual([
      "m-answer",
      "m-note",
    ]);
    expect(shown(decided)).toMatchObject({
      markdown: "Denied by the operator.",
      decision: { choice: "deny", verdict: "Denied", by: "console:operator", at: 8, comment: "no, because" },
    });
  });

  it("of a decision that opened a pull request names the pull request, for the button Merge; others name none", () => {
    expect(decidedWrite("open_pull_request", "done")).toHaveProperty("opened", "acme/api#1");
    expect(decidedWrite("open_pull_request", "failed")).not.toHaveProperty("opened");
    expect(decidedWrite("file_issue", "done")).not.toHaveProperty("opened");
  });

  it("whose words were erased says so, and invents nothing", () => {
    const erased: PageScene = { ...scene, words: new Map() };
    const outcome = { kind: "ran", message: "m-result", isError: false } as const;
    expect(shown({ kind: "answer", message: "m-answer" }, [], erased)).toMatchObject({
      markdown: "[erased]",
    });
    expect(
      shown({ kind: "activity", message: "m-answer", call, status: "done", outcome }, [], erased),
    ).toMatchObject({ title: "", output: "[erased]", diff: null });
  });

  it("at the foot of a turn has mode, model, tokens, cost, time, commit and the version that named it", () => {
    const body = {
      kind: "footer",
      usage,
      model: "m_1",
      mode: "general",
      permission: "restricted",
      duration: 1_234,
    } as const;
    expect(shown(body)).toMatchObject({
      markdown: "Restricted · m\\_1 · 1,234 tokens · $0.0025 · 1.2 s · 012345678 (`main`)",
      durationMs: 1_234,
      commit: base.commit,
      usage: { inputTokens: 1_000, costUsd: 0.0025 },
      earlier: null,
    });
    expect(shown({ ...body, notes: 2 })).toMatchObject({
      markdown: expect.stringContaining("1,234 tokens · 2 notes used"),
      notes: 2,
    });
    const earlier = [
      { conversation: "c-2", at: 0, link: "https://chat.example/2" },
      { conversation: "c-3", at: 0, link: "https://chat.example/3" },
    ] as const;
    expect(shown({ ...body, earlier })).toMatchObject({
      markdown: expect.stringMatching(/`main`\) · Asked before: \[/),
      earlier: "Asked before: [just now](<https://chat.example/2>), [just now](<https://chat.example/3>)",
    });
  });
});

describe("the host's sentences", () => {
  it("hold what they quote: no name, path or message becomes Markdown of its own", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("`", "*", "a", " ", "<", "[", "\n"), maxLength: 20 }),
        (text) => {
          const repo = { kind: "path", location: `/${text}x` } as const;
          const light = { ...scene, conversation: { ...conversation, repo } };
          const opening = openingText(
            { kind: "opening", mode: "general", permission: "restricted", confinement: "enforced" },
            light,
          );
          const [, fence = "", quoted = ""] = /^Working on (`+)(.*?[^`])\1\.\n/.exec(opening) ?? [];
          expect(fence.length).toBeGreaterThan(0);
          expect(quoted).not.toContain(` ${fence} `);
          expect(quoted).toBe(visibleCode(`/${text}x`));
          const failure = { kind: "unknown", message: text, retryAfter: null } as const;
          const { markdown } = noticeBody({ kind: "failed", failure, attempts: 1 }, english);
          expect(markdown.replaceAll(/\\(.)/g, "")).not.toMatch(/[`*<[]/);
        },
      ),
      runs,
    );
  });

  it("a cost under a cent keeps its figures, a larger one is in cents", () => {
    expect([0, 400, 1_239_000].map(costText)).toEqual(["$0.00", "$0.0004", "$1.24"]);
  });

  it("without a sandbox say so, and what is therefore not held", () => {
    const text = openingText(
      { kind: "opening", mode: "general", permission: "unrestricted", confinement: "unavailable" },
      { ...scene, sandboxNotice: "No sandbox: needs Linux 5.13.", modelNotice: "The demo model." },
    );
    expect(text).toContain("No sandbox: needs Linux 5.13.");
    expect(text).toContain("**Unrestricted**: It may write.");
    expect(text).toContain("The demo model.");
  });
});
