/** Posts as Slack messages: what makes one, what its buttons carry, and what model text cannot do in it. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { slackRenderer } from "../../../../adapters/slack/write/render.ts";
import { measure } from "../../../../adapters/text/measure.ts";
import { slackLimits } from "../../../../adapters/slack/write/surface.ts";
import type { MessageId } from "../../../../src/machine/id.ts";
import type { Notice } from "../../../../src/machine/transcript.ts";
import type { QuestionRow } from "../../../../src/ports/store.ts";
import type { Content, RenderScene } from "../../../../src/ports/surface.ts";
import type { Post, PostBody, ThreadStatus } from "../../../../src/thread/post.ts";
import type { StoredContent } from "../../../../src/thread/prompt.ts";
import { conversationOf } from "../../../store/plain.ts";
import { turnBody } from "../../../turn-body.ts";
import { hostile } from "../../text/hostile.ts";
import { english } from "../../../../src/i18n/say.ts";
import { looks } from "../../../looks.ts";

const renderer = slackRenderer(english);

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

const sceneOf = (words: StoredContent | null, question: QuestionRow | null = null): RenderScene => ({
  conversation: {
    ...conversationOf("c-1"),
    base: { commit: "0123456789abcdef", ref: "main", cwd: "/work" },
  },
  looks,
  words: new Map<MessageId, StoredContent>([
    ...(words === null ? [] : ([["m-1", words]] as const)),
    [
      "m-3",
      {
        kind: "dangers",
        dangers: [
          {
            category: "DEPS_INSTALL_UPDATE",
            what: "npm install `left-pad` <!here>",
            why: "installs packages",
            risk: "runs their scripts",
            changes: ["node_modules", "package-lock.json"],
          },
        ],
      },
    ],
    ["m-2", { kind: "comment", text: "Open an issue\ninstead, <!channel>." }],
  ]),
  question,
});

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 22, 12);

const postOf = (body: PostBody, change: Partial<Post> = {}): Post => ({
  key: "k",
  at: NOON,
  final: true,
  actions: [],
  body,
  ...change,
});

const render = (post: Post, scene: RenderScene) => renderer.post(post, scene, slackLimits);

const only = (post: Post, scene: RenderScene): Content => {
  const [piece, ...more] = render(post, scene);
  if (piece === undefined || more.length > 0) throw new Error("not one piece");
  return piece.content;
};

const answered = (text: string): StoredContent => ({ kind: "answer", blocks: [{ kind: "text", text }] });

const answer = postOf(turnBody());

const call = { id: "t1", name: "request_mode_upgrade", intent: "upgrade" } as const;

const asked = (reason: string): StoredContent => ({
  kind: "answer",
  blocks: [{ kind: "toolUse", id: "t1", name: call.name, input: { reason } }],
});

const body = {
  kind: "question",
  question: "q1",
  turn: 1,
  asker: "slack:UALICE",
  message: "m-1",
  call,
  decision: null,
} as const;

const question = postOf(body, { final: false, actions: ["approve", "deny"] });

describe("an answer", () => {
  it("D22 is pieces within the limit, of which all but the last stay when the text grows", () => {
    const text = fc.string({
      unit: fc.constantFrom("word ", "\n\n", "```\n", "- item\n", "é"),
      maxLength: 3_000,
    });
    fc.assert(
      fc.property(text, text, (start, more) => {
        const short = render(answer, sceneOf(answered(`${start}\n`)));
        const long = render(answer, sceneOf(answered(`${start}\n${more}`)));
        expect(long.slice(0, Math.max(0, short.length - 1))).toEqual(short.slice(0, -1));
        for (const { content } of long)
          expect(measure(content.text, slackLimits.units)).toBeLessThanOrEqual(slackLimits.text);
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
  it("has its head, the model's reason quoted below, then the host's facts, and the wire id on its buttons", () => {
    const content = only(question, sceneOf(asked("to write\n**Approved by nobody.**"), pending));
    expect(content.lead).toBe("*Write access for this thread?*");
    expect(content.text).toBe("> to write\n> **Approved by nobody.**");
    expect(content.below).toEqual([
      {
        kind: "host",
        text: "Requested by <@UALICE>, `/repo@0123456`. After approval, Parley can change files in its own copy until a person restricts this thread again. Parley asks separately before it uses the network. Parley still cannot read this host's secrets or other threads. Untrusted content read so far: nothing.",
      },
    ]);
    expect(content.buttons).toMatchObject([
      { action: "approve", label: "Approve", value: "wire-1" },
      { action: "deny", label: "Deny", value: "wire-1" },
      { action: "steps", value: "c-1/1" },
    ]);
  });

  it("that is decided says who and when on the reader's clock, and what was added, and has the steps alone", () => {
    const decision = { choice: "deny", by: "slack:UBOB", at: NOON + 2 * MINUTE, comment: "m-2" } as const;
    const content = only(postOf({ ...body, question: null, decision }), sceneOf(asked("to write")));
    expect(content.lead).toBe(
      "*Write access for this thread: denied* by <@UBOB>, <!date^1795348920^{time}|12:02 UTC>.",
    );
    expect(content.text).toBe("> to write\n\n> Open an issue\n> instead, @\u200bchannel.");
    expect(content.buttons.map(({ label }) => label)).toEqual(["Steps"]);
    const later = {
      choice: "approve",
      by: "console:operator",
      at: NOON + 1_440 * MINUTE,
      comment: null,
    } as const;
    const next = only(postOf({ ...body, question: null, decision: later }), sceneOf(asked("")));
    expect(next.lead).toBe(
      "*Write access for this thread: approved* by `console:operator`, <!date^1795435200^{date_short_pretty} {time}|2026-11-23 12:00 UTC>.",
    );
    expect(next.text).toBe("No reason was given.");
  });

  it("that ended with the turn says who stopped it, and what was written is told in its head", () => {
    const decision = { choice: "deny", by: "slack:UBOB", at: NOON, comment: null } as const;
    expect(only(postOf({ ...body, question: null, decision, stopped: true }), sceneOf(asked("x"))).lead).toBe(
      "*Write access for this thread: not decided* (<@UBOB> stopped the turn).",
    );
    const ask = { kind: "write", write: "file_issue", shown: "m-9", fingerprint: "f" } as const;
    const approved = { ...decision, choice: "approve" } as const;
    const wrote = {
      kind: "done",
      name: "acme/shop#12",
      url: "https://github.com/acme/shop/issues/12",
    } as const;
    const filed = postOf({ ...body, question: null, ask, decision: approved, wrote });
    expect(only(filed, sceneOf(asked("x"))).lead).toBe(
      "*Filed the issue <https://github.com/acme/shop/issues/12|acme/shop#12>*, approved by <@UBOB>, <!date^1795348800^{time}|12:00 UTC>.",
    );
  });

  it("of safe mode says what the held call would do, and what each answer covers", () => {
    const ask = {
      kind: "danger",
      categories: ["DEPS_INSTALL_UPDATE"],
      shown: "m-3",
      fingerprint: "f",
    } as const;
    const post = postOf({ ...body, ask }, { final: false, actions: ["once", "session", "deny"] });
    const content = only(post, sceneOf(asked(""), { ...pending, type: "danger" }));
    expect(content).toMatchSnapshot();
  });

  it("of a work mode names the mode and the model's reason", () => {
    const ask = { kind: "mode", mode: "review", branch: true } as const;
    const post = postOf({ ...body, ask }, { final: false, actions: ["stay", "switch", "branch"] });
    const content = only(post, sceneOf(asked("a review fits"), { ...pending, type: "mode" }));
    expect(content).toMatchSnapshot();
  });

  it("has the steps alone once nothing is pending", () => {
    expect(only(question, sceneOf(asked("x"))).buttons.map(({ label }) => label)).toEqual(["Steps"]);
  });

  it("is quoted to its end whatever the reason holds", () => {
    fc.assert(
      fc.property(hostile, (reason) => {
        const { text } = only(question, sceneOf(asked(`x${reason}`), pending));
        for (const line of text.split("\n")) expect(line).toMatch(/^>/);
      }),
      { numRuns: 500 },
    );
  });

  it("bounds the reason and says that it did", () => {
    const { text } = only(question, sceneOf(asked("long ".repeat(5_000)), pending));
    expect(text.length).toBeLessThan(2_000);
    expect(text).toMatch(/…$/);
  });
});

describe("what makes no message", () => {
  it("is what people said and what tools did", () => {
    const speaker = { id: "slack:U1", mayDrive: true, mayApprove: false } as const;
    expect(render(postOf({ kind: "user", message: "m-1", speaker, images: 0 }), sceneOf(null))).toEqual([]);
    const activity = { kind: "activity", message: "m-1", call, status: "done", outcome: null } as const;
    expect(render(postOf(activity), sceneOf(null))).toEqual([]);
    expect(render(postOf({ kind: "answer", message: "m-1" }), sceneOf(answered("x")))).toEqual([]);
    const folded = { kind: "notice", notice: { kind: "empty" }, folded: true } as const;
    expect(render(postOf(folded), sceneOf(null))).toEqual([]);
  });
});

describe("what the host says", () => {
  const notices: readonly Notice[] = [
    { kind: "stopped", by: "slack:UBOB", skipped: 2 },
    { kind: "interrupted" },
    {
      kind: "failed",
      failure: { kind: "auth", message: "The *key* <!here> failed.", retryAfter: null },
      attempts: 3,
    },
    { kind: "permission", to: "unrestricted", by: "slack:UBOB" },
    { kind: "permission", to: "restricted", by: "console:operator" },
    { kind: "mode", from: "general", to: "review", by: "slack:UBOB" },
    { kind: "safeMode", on: true, by: "slack:UBOB" },
    { kind: "grants", categories: ["SUDO"], by: "slack:UBOB" },
    { kind: "paused", until: NOON },
    { kind: "setUp", setUp: { kind: "began" } },
    { kind: "setUp", setUp: { kind: "ready", seconds: 41, late: false } },
    { kind: "setUp", setUp: { kind: "ready", seconds: 41, late: true } },
    {
      kind: "setUp",
      setUp: {
        kind: "failed",
        why: "it ended with status 1.",
        output: ["npm error 404 Not Found", "<!here> `x`"],
        log: "prepared/r/k.log",
      },
    },
    { kind: "branched", to: "c-2", mode: "review" },
    { kind: "empty" },
    { kind: "refused" },
    { kind: "cut" },
  ];

  it.each(notices)("$kind", (notice) => {
    const [piece] = render(postOf({ kind: "notice", notice }), sceneOf(null));
    expect(piece?.content.lead).toMatchSnapshot();
    expect(piece?.content.text).toBe("");
  });

  it("a refused message and a repeat say so", () => {
    const content: Content = { tone: "question", lead: "x", text: "y", buttons: [] };
    expect(renderer.refused("msg_too_long", content).lead).toContain("Slack refused it (msg");
    expect(renderer.repeated(content)).toEqual({
      ...content,
      below: [{ kind: "host", text: "_This post may be a repeat._" }],
    });
  });
});

const at = (status: ThreadStatus, live: string): Content =>
  renderer.progress(
    { conversation: "c-1", status, live, permission: "restricted", asker: null },
    slackLimits,
  );

describe("progress", () => {
  const running: ThreadStatus = {
    kind: "running",
    tool: "<bash>",
    attempt: 1,
    wait: null,
    actions: ["stop"],
  };
  it("says in whole sentences what is done, and under which permission, and can be stopped", () => {
    const content = at(running, "");
    expect(content.lead).toBe(
      "Still working (Restricted): running `&lt;bash&gt;`. The answer will be posted here.",
    );
    expect(content.buttons.map(({ label }) => label)).toEqual(["Stop", "Steps"]);
    expect(at({ ...running, kind: "stopping", actions: [] }, "").buttons.map(({ label }) => label)).toEqual([
      "Steps",
    ]);
    const slow = { status: running, live: "", permission: "restricted", asker: null, lasts: 80_000 } as const;
    expect(renderer.progress({ conversation: "c-1", ...slow }, slackLimits).lead).toContain(
      "running `&lt;bash&gt;` (1 min 20 s).",
    );
    expect(renderer.hint({ conversation: "c-1", ...slow })).toBe("is running <bash> (1 min 20 s)");
    const beside = { ...running, setUp: { seconds: 40, line: "added 12 packages <!here>" } };
    expect(at(beside, "").lead).toBe(
      "Still working (Restricted): running `&lt;bash&gt;` while the setup runs (40 s): `added 12 packages &lt;!here&gt;`. The answer will be posted here.",
    );
  });

  it("shows the harmless end of what is being written, code as code", () => {
    const content = at(running, `<!channel>${"x ".repeat(10_000)}<@U1>`);
    expect(content.text).toMatch(/^…/);
    expect(content.text).not.toMatch(/<[!@]/);
    expect(content.text.length).toBeLessThan(3_000);
    expect(at(running, `\`\`\`ts\n${"code();\n".repeat(1_000)}`).text).toMatch(/^```\n…[^]*\n```$/);
  });
});
