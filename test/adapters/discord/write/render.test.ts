/** Posts as Discord messages: what makes one, what its buttons carry, and what model text cannot do in it. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bodyOf } from "../../../../adapters/discord/write/blocks.ts";
import { discordRenderer } from "../../../../adapters/discord/write/render.ts";
import { discordLimits } from "../../../../adapters/discord/write/surface.ts";
import type { MessageId } from "../../../../src/machine/id.ts";
import type { QuestionRow } from "../../../../src/ports/store.ts";
import type { MessagePiece, RenderScene } from "../../../../src/ports/surface.ts";
import type { Post, PostBody } from "../../../../src/thread/post.ts";
import type { StoredContent } from "../../../../src/thread/prompt.ts";
import { turnBody } from "../../../turn-body.ts";
import { conversationOf } from "../../../store/plain.ts";
import { english } from "../../../../src/i18n/say.ts";
import { looks } from "../../../looks.ts";

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

const base = { commit: "abc1234567890", ref: "main", cwd: "/work" };

const sceneOf = (
  words: Readonly<Record<MessageId, StoredContent>>,
  question: QuestionRow | null = null,
): RenderScene => ({
  conversation: conversationOf("c-1", {
    base,
    repo: { kind: "url", location: "https://github.com/acme/api.git" },
  }),
  words: new Map(Object.entries(words).map(([id, one]) => [`m-${id.slice(2)}`, one] as const)),
  looks,
  question,
});

const labelsOf = (piece: MessagePiece | undefined): readonly string[] =>
  (piece?.content.buttons ?? []).map(({ label }) => label);

const postOf = (body: PostBody, change: Partial<Post> = {}): Post => ({
  key: "turn/1/1",
  at: 1,
  final: true,
  actions: [],
  body,
  ...change,
});

const render = (post: Post, scene: RenderScene) => discordRenderer(english).post(post, scene, discordLimits);
/** What people read. */
const textOf = (piece: MessagePiece | undefined): string =>
  piece === undefined
    ? ""
    : bodyOf(piece.content, "w")
        .components.map((one) => ("content" in one ? one.content : ""))
        .join("");
const answered = (text: string) => sceneOf({ "m-1": { kind: "answer", blocks: [{ kind: "text", text }] } });
const answer = postOf(turnBody());
const call = { id: "t1", name: "request_mode_upgrade", intent: "upgrade" } as const;
const reason = (text: string): StoredContent => ({
  kind: "answer",
  blocks: [{ kind: "toolUse", id: "t1", name: call.name, input: { reason: text } }],
});
const put = { kind: "question", question: "q1", turn: 1, message: "m-1", call, decision: null } as const;
const question = postOf(put, { final: false, actions: ["approve", "deny"] });
const asked = postOf({ ...put, asker: "discord:42" });

describe("an answer", () => {
  it("D22 is pieces within the limit, of which all but the last stay when the text grows", () => {
    const text = fc.string({
      unit: fc.constantFrom("word ", "\n\n", "```\n", "- item\n", "é"),
      maxLength: 3_000,
    });
    fc.assert(
      fc.property(text, text, (start, more) => {
        const short = render(answer, answered(start));
        const long = render(answer, answered(start + more));
        expect(long.slice(0, Math.max(0, short.length - 1))).toEqual(short.slice(0, -1));
        for (const { content } of long) expect(content.text.length).toBeLessThanOrEqual(discordLimits.text);
        expect(new Set(long.map(({ key }) => key)).size).toBe(long.length);
      }),
      { numRuns: 100 },
    );
  });

  it("mentions nobody, invites nowhere and does not speak for the host", () => {
    const text = "@everyone <@123> https://discord.gg/evil\n-# Unrestricted · acme/api";
    const [piece] = render(answer, answered(text));
    expect(piece?.content.text).not.toMatch(/@everyone|<@|\(https:\/\/discord|^-#/m);
    expect(piece?.content.text).toContain("`discord[.]gg/evil`");
  });

  it("that was erased says so", () => {
    expect(render(answer, sceneOf({ "m-1": { kind: "gone" } }))[0]?.content.text).toBe("[erased]");
  });
});

describe("a message", () => {
  it("has at most 40 components, rows of five buttons and 4,000 characters, whatever is to be shown", () => {
    const contents = fc.record({
      tone: fc.constantFrom("answer", "question", "notice", "status", "turn"),
      text: fc.string({ unit: "grapheme", maxLength: discordLimits.text }),
      buttons: fc.array(
        fc.record({
          action: fc.constantFrom("approve", "deny", "once", "session", "retry", "stop"),
          label: fc.string({ minLength: 1, maxLength: 80 }),
          value: fc.uuid(),
        }),
        { maxLength: 25 },
      ),
      files: fc.array(
        fc.constant({
          name: "a.diff",
          mediaType: "text/plain",
          source: { kind: "blob", hash: "h" } as const,
        }),
        { maxLength: 5 },
      ),
    });
    fc.assert(
      fc.property(contents, (content) => {
        const text = content.text.slice(0, discordLimits.text).replaceAll("\n", " ");
        const { components } = bodyOf({ ...content, text }, "w");
        const rows = components.map((one) => ("components" in one ? one.components : []));
        expect(components.length + rows.flat().length).toBeLessThanOrEqual(40);
        expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(5);
        const words = components.map((one) => ("content" in one ? one.content : "")).join("");
        expect(words.length).toBeLessThanOrEqual(4_000);
      }),
      { numRuns: 200 },
    );
  });
});

describe("a question", () => {
  it("has its head, the model's reason quoted below, then the host's facts, and the wire id on its buttons", () => {
    const [piece] = render(
      question,
      sceneOf({ "m-1": reason("to write\n**Approved by nobody.**") }, pending),
    );
    expect(piece?.final).toBe(false);
    expect(textOf(piece)).toBe(
      [
        "**Write access for this thread?**",
        "> to write",
        "> **Approved by nobody.**",
        "-# [`acme/api@abc1234`](<https://github.com/acme/api/commit/abc1234567890>). After approval, Parley can change files in its own copy until a person restricts this thread again. Parley asks separately before it uses the network. Parley still cannot read this host's secrets or other threads. Untrusted content read so far: nothing.",
      ].join("\n"),
    );
    expect(piece?.content.buttons).toMatchObject([
      { action: "approve", label: "Approve", value: "wire-1" },
      { action: "deny", label: "Deny", value: "wire-1" },
      { action: "steps", value: "c-1/1" },
    ]);
  });

  it("names whose turn asked", () => {
    const [piece] = render(asked, sceneOf({ "m-1": reason("to write") }, pending));
    expect(textOf(piece)).toContain("\n-# Requested by <@42>, [`acme/api@abc1234`]");
  });

  it("of safe mode shows what is held and why, and offers the three answers", () => {
    const danger = {
      category: "GIT_PUBLISH",
      what: "git push `origin` @everyone",
      why: "it publishes",
      risk: "others see it",
      changes: ["the remote branch"],
    } as const;
    const ask = { kind: "danger", categories: ["GIT_PUBLISH"], shown: "m-2", fingerprint: "f" } as const;
    const body = {
      kind: "question",
      question: "q1",
      turn: 1,
      message: "m-1",
      call,
      ask,
      decision: null,
    } as const;
    const scene = sceneOf({ "m-1": reason(""), "m-2": { kind: "dangers", dangers: [danger] } }, pending);
    const [piece] = render(postOf(body, { final: false, actions: ["once", "session", "deny"] }), scene);
    expect(textOf(piece)).toContain("**Run this command?**");
    expect(textOf(piece)).toMatch(/^> What: git push .*\n> Why: it publishes$/m);
    expect(textOf(piece)).not.toContain("@everyone");
    expect(piece?.content.buttons.map(({ label }) => label)).toEqual([
      "Once",
      "This thread",
      "Deny",
      "Steps",
    ]);
  });

  it("to write to the forge shows the host's own reading above, and what would be written quoted and bounded", () => {
    const ask = { kind: "write", write: "open_pull_request", shown: "m-2", fingerprint: "f" } as const;
    const body = {
      kind: "question",
      question: "q1",
      turn: 1,
      message: "m-1",
      call,
      ask,
      decision: null,
    } as const;
    const asked = { final: false, actions: ["approve", "deny"] } as const;
    const [piece] = render(postOf(body, asked), proposed("src/a.ts", "Fixes #1, says @everyone"));
    expect(textOf(piece)).toContain("**Open a draft pull request?**");
    expect(textOf(piece)).toMatch(/In `acme\/shop`, into `src\/a\.ts`[^]*\(binary\) and 22 more files/);
    expect(textOf(piece)).toMatch(/^Text:\n> Fixes #1/m);
    expect(textOf(piece)).not.toContain("@everyone");
    expect(piece?.content.buttons.map(({ label }) => label)).toEqual(["Approve", "Deny", "Steps"]);
    const hostile = fc.string({
      unit: fc.constantFrom("<@1>", "`", "```\n", "x", "\n", "/"),
      maxLength: 3_000,
    });
    fc.assert(
      fc.property(hostile, hostile, (path, text) => {
        const [one] = render(postOf(body, asked), proposed(path, text));
        expect(textOf(one).length).toBeLessThanOrEqual(4_000);
      }),
      { numRuns: 50 },
    );
  });

  it("that is answered names who answered, without calling them, and has the steps alone", () => {
    const decision = { choice: "approve", by: "discord:42", at: 1, comment: null } as const;
    const body = {
      kind: "question",
      looks,
      question: null,
      turn: 1,
      message: "m-1",
      call,
      decision,
    } as const;
    const [piece] = render(postOf(body), sceneOf({ "m-1": reason("x") }));
    expect(textOf(piece)).toContain("**Write access for this thread: approved** by <@42>, <t:0:t>.");
    expect(labelsOf(piece)).toEqual(["Steps"]);
    expect(piece === undefined ? null : bodyOf(piece.content, "w").allowed_mentions).toEqual({
      parse: [],
    });
  });

  it("fits a message whatever the model gives as its reason", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("<@1>", "`", "```\n", "@everyone ", "x", "\n"), maxLength: 4_000 }),
        (text) => {
          const [piece] = render(question, sceneOf({ "m-1": reason(text) }, pending));
          expect(textOf(piece).length).toBeLessThanOrEqual(4_000);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe("what makes no message", () => {
  it("is what people said and what tools did", () => {
    const speaker = { id: "discord:1", mayDrive: true, mayApprove: false } as const;
    expect(render(postOf({ kind: "user", message: "m-1", speaker, images: 0 }), sceneOf({}))).toEqual([]);
    const activity = { kind: "activity", message: "m-1", call, status: "done", outcome: null } as const;
    expect(render(postOf(activity), sceneOf({}))).toEqual([]);
  });
});

describe("a turn", () => {
  it("shows the permission, the commit and the time below its answer, and neither money nor tokens", () => {
    expect(textOf(render(answer, answered("Here."))[0])).toBe(
      "Here.\n-# Restricted · [`acme/api@abc1234`](<https://github.com/acme/api/commit/abc1234567890>) · 12 s",
    );
  });

  it("that ended without an answer says so at its head, and offers another try where the view does", () => {
    const body = turnBody({
      end: "interrupted",
      said: [],
      notices: [{ kind: "interrupted" }],
      readOnly: true,
    });
    const [offered] = render(postOf(body, { final: false, actions: ["retry"] }), sceneOf({}));
    expect(labelsOf(offered)).toEqual(["Try again", "Steps"]);
    expect(textOf(offered)).toMatch(/^I was restarted[^\n]* Nothing was changed\.\n-# Restricted · /);
    expect(labelsOf(render(postOf(body), sceneOf({}))[0])).toEqual(["Steps"]);
  });

  it("of several messages has its buttons on the first and its context line on the last", () => {
    const body = turnBody({ notices: [{ kind: "interrupted" }] });
    const pieces = render(postOf(body, { actions: ["retry"] }), answered("word ".repeat(1_000)));
    expect(pieces.map(({ content }) => [content.tone, content.buttons.length])).toEqual([
      ["turn", 5],
      ["answer", 0],
    ]);
    expect(textOf(pieces[0])).not.toContain("-# ");
    expect(textOf(pieces[1])).toContain("-# Restricted · ");
  });
});

describe("progress", () => {
  it("is bounded, harmless, and can be stopped while the state allows it", () => {
    const status = { kind: "running", tool: "`bash`", attempt: 1, wait: null, actions: ["stop"] } as const;
    const live = `@everyone ${"x".repeat(10_000)}\n<@1> @here`;
    const now = { conversation: "c-1", permission: "restricted", context: 0, asker: null } as const;
    const content = discordRenderer(english).progress({ ...now, status, live }, discordLimits);
    expect(content.text).not.toMatch(/<@|@everyone|@here/);
    expect(content.text.length).toBeLessThan(4_000);
    expect(content.buttons.map(({ label, value }) => [label, value])).toEqual([
      ["Stop", "c-1"],
      ["Steps", "c-1"],
    ]);
    const stopping = { ...status, kind: "stopping", actions: [] } as const;
    const stopped = discordRenderer(english).progress({ ...now, status: stopping, live: "" }, discordLimits);
    expect(stopped.buttons.map(({ label }) => label)).toEqual(["Steps"]);
  });
});

const table = (rows: number): string =>
  ["| Host | Load | Since |", "|---|---|---|"]
    .concat(Array.from({ length: rows }, (_, no) => `| db-${no} | ${no} % | noon |`))
    .join("\n");

describe("WD8 a table that is written", () => {
  const status = { kind: "thinking", tool: null, attempt: 1, wait: null, actions: ["stop"] } as const;
  const now = { conversation: "c-1", permission: "restricted", context: 0, asker: null, status } as const;
  const shown = (live: string): string =>
    discordRenderer(english).progress({ ...now, live }, discordLimits).text;

  it("WD8 is a list on the working card, as in the answer", () => {
    const [piece] = render(postOf(turnBody()), answered(`So far:\n\n${table(2)}`));
    const list =
      "So far:\n\n**Host** · **Load** · **Since**\n- db-0 · Load: 0 % · Since: noon\n- db-1 · Load: 1 % · Since: noon";
    expect(shown(`So far:\n\n${table(2)}`)).toBe(list);
    expect(textOf(piece)).toContain(list);
  });

  it("WD8 stays a list if only its end fits; code keeps its bars", () => {
    expect(shown(table(200))).toMatch(/^…[^|]*- db-199 · Load: 199 % · Since: noon$/);
    expect(shown(`\`\`\`\n${table(1)}\n\`\`\``)).toContain("| db-0 | 0 % | noon |");
  });
});

/** A scene in which m-2 is what would be written. */
const proposed = (path: string, text: string) =>
  sceneOf(
    {
      "m-1": reason(""),
      "m-2": {
        kind: "proposal",
        proposal: {
          project: "acme/shop",
          facts: Array.from({ length: 5 }, () => ({ name: "into", value: path })),
          files: Array.from({ length: 20 }, () => ({ path, added: 10, removed: null })),
          unlisted: 7,
          texts: [
            { name: "Title", text: text.replaceAll(/\s+/g, " ").slice(0, 200) },
            { name: "Text", text },
          ],
        },
      },
    },
    pending,
  );
