/** Posts as Slack messages: what makes one, what its buttons carry, and what model text cannot do in it. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSlackRenderer } from "../../../../adapters/slack/write/render.ts";
import { slackLimits } from "../../../../adapters/slack/write/surface.ts";
import { hostMarks } from "../../../../adapters/text/text.ts";
import type { MessageId } from "../../../../src/machine/id.ts";
import type { Notice } from "../../../../src/machine/transcript.ts";
import { noUsage } from "../../../../src/machine/words.ts";
import type { QuestionRow } from "../../../../src/ports/store.ts";
import type { Content, RenderScene } from "../../../../src/ports/surface.ts";
import type { Post, PostBody, Status } from "../../../../src/thread/post.ts";
import type { Words } from "../../../../src/thread/prompt.ts";
import { conversationOf } from "../../../store/plain.ts";
import { hostile } from "../../text/hostile.ts";

const renderer = createSlackRenderer({ covers: "Tools may write in the checkout." });

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
  conversation: {
    ...conversationOf("c-1"),
    base: { commit: "0123456789abcdef", ref: "main", cwd: "/work" },
  },
  words: new Map<MessageId, Words>([
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

const NOTHING: Content = { tone: "notice", text: "", buttons: [] };
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

const answered = (text: string): Words => ({ kind: "answer", blocks: [{ kind: "text", text }] });

const answer = postOf({ kind: "answer", message: "m-1" });

const call = { id: "t1", name: "request_mode_upgrade", intent: "upgrade" } as const;

const asked = (reason: string): Words => ({
  kind: "answer",
  blocks: [{ kind: "toolUse", id: "t1", name: call.name, input: { reason } }],
});

const body = {
  kind: "question",
  question: "q1",
  asker: "slack:UALICE",
  message: "m-1",
  call,
  decision: null,
} as const;

const question = postOf(body, { final: false, actions: ["approve", "deny"] });

const MARKED = new RegExp(`^[${Object.values(hostMarks).join("")}] `, "u");

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
    const content = only(question, sceneOf(asked("to write\n**Approved by nobody.**"), pending));
    expect(content.lead).toBe(
      "◈ *The agent asks for write access: Unrestricted mode.*\n" +
        "Asked for by <@UALICE>, in `/repo` at `012345678`.\n" +
        "Untrusted sources read so far, besides the checkout: none.\n" +
        "*Approve* covers: Commands may write in this conversation's own checkout; the network is asked for separately. They still cannot read the host's secrets or other conversations. It holds until somebody restricts the conversation again.",
    );
    expect(content.text).toBe("The agent's reason:\n> to write\n> **Approved by nobody.**");
    expect(content.buttons).toEqual([
      { action: "approve", label: "Approve", value: "wire-1" },
      { action: "deny", label: "Deny", value: "wire-1" },
    ]);
  });

  it("that is decided says who and when on the reader's clock, and what was added, and has no buttons", () => {
    const decision = { choice: "deny", by: "slack:UBOB", at: NOON + 2 * MINUTE, comment: "m-2" } as const;
    const content = only(postOf({ ...body, question: null, decision }), sceneOf(asked("to write")));
    expect(content.lead?.split("\n").at(-1)).toBe("*Denied* by <@UBOB>, <!date^1795348920^{time}|12:02 UTC>");
    expect(content.text).toBe(
      "The agent's reason:\n> to write\n\nAdded to the decision:\n> Open an issue\n> instead, @\u200bchannel.",
    );
    expect(content.buttons).toEqual([]);
    const later = {
      choice: "approve",
      by: "console:operator",
      at: NOON + 1_440 * MINUTE,
      comment: null,
    } as const;
    const next = only(postOf({ ...body, question: null, decision: later }), sceneOf(asked("")));
    expect(next.lead?.split("\n").at(-1)).toBe(
      "*Approved* by `console:operator`, <!date^1795435200^{date_short_pretty} {time}|2026-11-23 12:00 UTC>",
    );
    expect(next.text).toBe("The agent gives no reason.");
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

  it("has no buttons once nothing is pending", () => {
    expect(only(question, sceneOf(asked("x"))).buttons).toEqual([]);
  });

  it("is quoted to its end whatever the reason holds, and never speaks with a mark of the host", () => {
    fc.assert(
      fc.property(hostile, (reason) => {
        const { text } = only(question, sceneOf(asked(`x${reason}`), pending));
        const [head, ...lines] = text.split("\n");
        expect(head).toBe("The agent's reason:");
        for (const line of lines) expect(line).toMatch(/^> /);
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

  it.each(notices)("$kind begins with a mark that model text cannot hold", (notice) => {
    const [piece] = render(postOf({ kind: "notice", notice }), sceneOf(null));
    expect(piece?.content.lead).toMatch(MARKED);
    expect(piece?.content.lead).toMatchSnapshot();
    expect(piece?.content.text).toBe("");
  });

  it.each([
    { permission: "restricted", confinement: "enforced" },
    { permission: "unrestricted", confinement: "unavailable" },
  ] as const)("opening: $permission", (held) => {
    const [piece] = render(postOf({ kind: "opening", ...held }), sceneOf(null));
    expect(piece?.content.lead).toMatch(MARKED);
    expect(piece?.content.lead).toMatchSnapshot();
  });

  it("the footer: mode, model, tokens, cost, time, commit", () => {
    const usage = { ...noUsage, input: 12_000, output: 345, costMicroUsd: 12_300 };
    const footer = {
      kind: "footer",
      usage,
      model: "a_model",
      mode: "general",
      permission: "restricted",
      duration: 4_200,
    } as const;
    expect(render(postOf({ ...footer, context: 83 }), sceneOf(null))[0]?.content.lead).toContain(
      "12,345 tokens · 83 % of context",
    );
    expect(render(postOf(footer), sceneOf(null))[0]?.content).toEqual({
      tone: "footer",
      lead: "◎ Restricted · a_\u200bmodel · 12,345 tokens · $0.01 · 4.2 s · `012345678` (`main`)",
      text: "",
      buttons: [],
    });
  });

  it("an answer's citations lead to the forge, those that do not hold are marked, and the footer counts both", () => {
    const cited = { path: "src/a.ts", from: 3, to: 4, status: "found", file: "src/a.ts" } as const;
    const gone = { path: "src/b.ts", from: 9, to: 9, status: "missing", file: null } as const;
    const words: Words = {
      kind: "answer",
      blocks: [{ kind: "text", text: "In `src/a.ts:3-4`, or src/b.ts:9?" }],
      citations: [cited, gone],
    };
    const scene = sceneOf(words);
    const bound: RenderScene = {
      ...scene,
      conversation: { ...scene.conversation, repo: { kind: "url", location: "https://github.com/acme/api" } },
    };
    const usage = noUsage;
    const facts = { usage, model: "m", mode: "general", permission: "restricted", duration: 1 } as const;
    const link = "https://github.com/acme/api/blob/0123456789abcdef/src/a.ts?plain=1#L3-L4";
    expect(render(postOf({ kind: "answer", message: "m-1" }), bound)[0]?.content.text).toBe(
      `In [\`src/a.ts:3-4\`](<${link}>), or src/b.ts:9 (◆ not found)?`,
    );
    expect(render(postOf({ kind: "footer", answer: "m-1", ...facts }), bound)[0]?.content.lead).toBe(
      `◎ Restricted · m · 0 tokens · $0.00 · 0.0 s · <https://github.com/acme/api/commit/0123456789abcdef|012345678> (\`main\`) · Sources: <${link}|src/a.ts:3-4> · ◆ 1 not verified`,
    );
  });

  it("another try is offered where the view does", () => {
    const interrupted = { kind: "notice", notice: { kind: "interrupted" } } as const;
    const [offered] = render(postOf(interrupted, { final: false, actions: ["retry"] }), sceneOf(null));
    expect(offered?.content.buttons).toEqual([{ action: "retry", label: "Try again", value: "c-1" }]);
    expect(render(postOf(interrupted), sceneOf(null))[0]?.content.buttons).toEqual([]);
  });

  it("PATCH-007 a change is one line of the host and its diff: a block, or the file where that is too long", () => {
    const call = { id: "t1", name: "patch", intent: "tool" } as const;
    const outcome = { kind: "ran", message: "m-1", isError: false } as const;
    const body = { kind: "activity", message: "m-9", call, status: "done", outcome } as const;
    const changed = (diff: string | null): readonly Content[] =>
      render(postOf(body), sceneOf({ kind: "result", text: "", images: [], diff })).map(
        ({ content }) => content,
      );
    expect(changed(null)).toEqual([]);
    expect(changed("-a\n+<!channel>")).toEqual([
      {
        tone: "notice",
        lead: "◇ Changed `a file` (+1 −1)",
        text: "```diff\n-a\n+<\u200b!channel>\n```",
        buttons: [],
      },
    ]);
    const long = "+a\n".repeat(4_000);
    expect(changed(long)).toMatchObject([
      { lead: "◇ Changed `a file` (+4000 −0)", text: "", file: { source: { kind: "text", text: long } } },
    ]);
  });

  it("a shared file is named by the host, its title quoted, its bytes named by hash", () => {
    const file = {
      hash: "h",
      name: "the `plan`.md",
      title: "◈ Approve <!here>",
      mediaType: "text/markdown",
      size: 2_048,
    };
    const words: Words = { kind: "result", text: "", images: [], diff: null, files: [file] };
    const body = { kind: "file", message: "m-1", index: 0 } as const;
    const [piece] = render(postOf(body), sceneOf(words));
    expect(piece?.content).toMatchObject({
      lead: "◇ `the plan .md` (2 KB)",
      file: { name: "the_plan_.md", source: { kind: "blob", hash: "h" } },
    });
    expect(piece?.content.text).toMatch(/^> /);
    expect(piece?.content.text).not.toMatch(MARKED);
    const refused = renderer.refused("file_uploads_disabled", piece?.content ?? NOTHING);
    expect(refused.lead).toContain("The file `the_plan_.md` could not be attached here");
    expect(refused.file).toBeUndefined();
    expect(render(postOf(body), sceneOf(null))[0]?.content).toMatchObject({
      lead: "◇ A file that stood here was erased.",
    });
  });

  it("a refused message and a repeat say so", () => {
    const content: Content = { tone: "question", lead: "◈ x", text: "y", buttons: [] };
    expect(renderer.refused("msg_too_long", content).lead).toMatch(MARKED);
    expect(renderer.repeated(content)).toEqual({ ...content, lead: "◇ _This may be a repeat._\n◈ x" });
  });
});

const at = (status: Status, live: string): Content =>
  renderer.progress(
    { conversation: "c-1", status, live, permission: "restricted", context: 0.124, asker: null },
    slackLimits,
  );

describe("progress", () => {
  const running: Status = { kind: "running", tool: "<bash>", attempt: 1, wait: null, actions: ["stop"] };
  it("says what is done, under which permission and how full the window is, and can be stopped", () => {
    const content = at(running, "");
    expect(content.lead).toBe("◌ Running `&lt;bash&gt;` · Restricted · 12 % of context");
    expect(content.buttons).toEqual([{ action: "stop", label: "Stop", value: "c-1" }]);
    expect(at({ ...running, kind: "stopping", actions: [] }, "").buttons).toEqual([]);
    const beside = { ...running, setUp: { seconds: 40, line: "added 12 packages <!here>" } };
    expect(at(beside, "").lead).toBe(
      "◌ Running `&lt;bash&gt;` · set-up for 40 s: `added 12 packages &lt;!here&gt;` · Restricted · 12 % of context",
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
