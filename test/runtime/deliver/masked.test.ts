/** Nothing that a repository should not hold reaches a chat platform, wherever a message ends and however it comes. */

import { describe, expect, it } from "vitest";
import { discordRenderer } from "../../../adapters/discord/write/render.ts";
import { discordLimits } from "../../../adapters/discord/write/surface.ts";
import { slackRenderer } from "../../../adapters/slack/write/render.ts";
import { createChunks } from "../../../adapters/slack/write/stream-chunks.ts";
import { slackLimits } from "../../../adapters/slack/write/surface.ts";
import type { MessageId } from "../../../src/machine/id.ts";
import type { MessagePiece, Progress } from "../../../src/ports/surface.ts";
import { createProgressMask, withMaskedSecrets } from "../../../src/runtime/deliver/masked.ts";
import { MASK } from "../../../src/text/secrets/known-forms.ts";
import type { Post, PostBody } from "../../../src/thread/post.ts";
import type { AnswerBlock, StoredContent } from "../../../src/thread/prompt.ts";
import { conversationOf } from "../../store/plain.ts";
import { turnBody } from "../../turn-body.ts";
import { keyBlock, whole } from "../../text/secrets/secret-samples.ts";
import { createBoard, createDesk, file, thinking } from "./board.ts";
import { english } from "../../../src/i18n/say.ts";
import { looks } from "../../looks.ts";

const SECRET = whole["GitHub personal token"] ?? "";
const surfaces = [
  ["Slack", withMaskedSecrets(slackRenderer(english)), slackLimits],
  ["Discord", withMaskedSecrets(discordRenderer(english)), discordLimits],
] as const;

const postOf = (body: PostBody, change: Partial<Post> = {}): Post => ({
  key: "k",
  at: 1,
  final: true,
  actions: [],
  body,
  ...change,
});

const answered = (...blocks: readonly AnswerBlock[]): StoredContent => ({ kind: "answer", blocks });
const textBlock = (text: string): AnswerBlock => ({ kind: "text", text });
const toolUse = (input: unknown): AnswerBlock => ({ kind: "toolUse", id: "t1", name: "patch", input });

const answer = postOf(turnBody());
const patched = {
  message: "m-1",
  call: { id: "t1", name: "patch", intent: "tool" },
  outcome: { kind: "ran", message: "m-2", isError: false, changed: true },
  took: 1,
} as const;
const changed = postOf(turnBody({ said: [], changes: [patched] }));
const asked = postOf(
  {
    kind: "question",
    question: "q1",
    turn: 1,
    message: "m-1",
    call: { id: "t1", name: "request_mode_upgrade", intent: "upgrade" },
    decision: null,
  },
  { final: false, actions: ["approve", "deny"] },
);
const diffOf = (line: string): StoredContent => ({
  kind: "result",
  text: SECRET,
  images: [],
  diff: `--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-TOKEN=\n+TOKEN=${line}\n`,
});

/** A secret that is shown in parts is shown. */
const holdsPartOf = (shown: string, secret: string): boolean =>
  Array.from({ length: secret.length - 12 }, (_, at) => secret.slice(at, at + 12)).some((part) =>
    shown.includes(part),
  );

const shownIn = (pieces: readonly MessagePiece[]): string =>
  pieces
    .map(({ content: { lead = "", text, below = [], files = [] } }) =>
      [
        lead,
        text,
        ...below.map((one) =>
          one.kind === "steps" ? one.rows.map(({ title }) => title).join("\n") : one.text,
        ),
        ...files.map(({ source }) => (source.kind === "text" ? source.text : "")),
      ].join("\n"),
    )
    .join("\n");

const progressOf = (live: string): Progress => ({
  conversation: "c-1",
  status: thinking,
  live,
  permission: "restricted",
  asker: null,
});
const share = async (bytes: Buffer) => {
  const board = createBoard();
  board.blobs.bytes.set("h", bytes);
  const desk = createDesk(board);
  desk.thread("c-1");
  desk.post("c-1", file("f"));
  await desk.still();
  return { held: board.held, calls: board.calls, below: board.messages[0]?.content.below };
};

describe.each(surfaces)("%s", (_, renderer, limits) => {
  const pieces = (post: Post, ...words: readonly StoredContent[]): readonly MessagePiece[] =>
    renderer.post(
      post,
      {
        conversation: conversationOf("c-1"),
        words: new Map<MessageId, StoredContent>(words.map((one, index) => [`m-${index + 1}`, one])),
        looks,
        question: null,
      },
      limits,
    );

  it("an answer without secrets has no word more than before, the host's notice included", () => {
    const [only, ...more] = pieces(answer, answered(textBlock("All is well.")));
    expect([only?.content.text, more]).toEqual(["All is well.", []]);
    expect(only?.content.below).toHaveLength(1);
  });

  it("an answer says below how many values are masked", () => {
    const text = `One is ${SECRET} and the other ${whole["AWS access key"]}.`;
    const all = pieces(answer, answered(textBlock(text)));
    expect(all.map(({ key }) => key)).toEqual(["k#0"]);
    expect(all[0]?.content.text).toBe(`One is ${MASK} and the other ${MASK}.`);
    expect(all[0]?.content.below?.at(-1)).toMatchObject({ text: expect.stringMatching(/^2 secrets masked/) });
    expect(pieces(answer, answered(textBlock(text)))).toEqual(all);
  });

  it("a secret that would lie across two messages is in neither, wherever it lies", () => {
    const before = "word ".repeat(Math.floor(limits.text / 5));
    for (let shift = 0; shift <= SECRET.length; shift += 5) {
      const text = `${before.slice(shift)}${SECRET} ${before}`;
      const all = pieces(answer, answered(textBlock(text)));
      expect(all.length).toBeGreaterThan(1);
      expect(holdsPartOf(shownIn(all), SECRET)).toBe(false);
    }
  });

  it("nor one that lies across two blocks of an answer", () => {
    const all = pieces(
      answer,
      answered(textBlock(`It is ${SECRET.slice(0, 20)}`), toolUse({}), textBlock(SECRET.slice(20))),
    );
    expect(all[0]?.content.text).toBe(`It is ${MASK}`);
  });

  it("a private key in an answer, whole", () => {
    const all = pieces(answer, answered(textBlock(`Here:\n\n\`\`\`\n${keyBlock("RSA ", 60)}\n\`\`\`\n`)));
    expect(shownIn(all)).toContain(MASK);
    expect(holdsPartOf(shownIn(all), keyBlock("RSA ", 60).split("\n").slice(1, -1).join("\n"))).toBe(false);
  });

  it("a diff, in a message and as a file", () => {
    for (const line of [SECRET, `${SECRET}\n+${"long line\n+".repeat(1_000)}`]) {
      const all = pieces(changed, answered(toolUse({ path: ".env" })), diffOf(line));
      expect(shownIn(all)).toContain(`+TOKEN=${MASK}`);
      expect(shownIn(all)).toContain("1 secret masked");
      expect(holdsPartOf(shownIn(all), SECRET)).toBe(false);
    }
  });

  it("the reason of a question, whose buttons stay where they are", () => {
    const all = pieces(asked, answered(toolUse({ reason: `to use ${SECRET}` })));
    expect(shownIn(all)).toContain(MASK);
    expect(holdsPartOf(shownIn(all), SECRET)).toBe(false);
  });
});

describe("progress", () => {
  const text = `The token in .env is ${SECRET}\nand another one is ${whole["Stripe secret key"]} there.\n`;

  it.each([1, 7, 30])(
    "that is edited shows no part of a secret that comes %i characters at a time",
    (step) => {
      const mask = createProgressMask();
      for (let end = 0; end <= text.length; end += step) {
        const { live } = mask(progressOf(text.slice(0, end)));
        expect(
          holdsPartOf(discordRenderer(english).progress(progressOf(live), discordLimits).text, SECRET),
        ).toBe(false);
      }
      expect(mask(progressOf(text)).live).toBe(
        `The token in .env is ${MASK}\nand another one is ${MASK} there.\n`,
      );
    },
  );

  it("that is a stream, where nothing is ever taken back, neither", () => {
    const mask = createProgressMask();
    const chunks = createChunks(mask(progressOf("")));
    let streamed = "";
    for (let end = 0; end <= text.length; end += 3) {
      const next = chunks.next(mask(progressOf(text.slice(0, end))));
      expect(next).not.toBeNull();
      chunks.arrived();
      streamed += (next ?? []).map((one) => (one.type === "markdown_text" ? one.text : "")).join("");
    }
    expect(streamed).toContain(`The token in .env is ${MASK}\n`);
    expect(holdsPartOf(streamed, SECRET)).toBe(false);
  });

  it("tells the tasks of sub-agents without theirs", () => {
    const agent = {
      task: `try ${SECRET}`,
      step: "thinking",
      tool: null,
      how: null,
      costMicroUsd: 0,
    } as const;
    const { status } = createProgressMask()({
      ...progressOf(""),
      status: { ...thinking, agents: [agent] },
    });
    expect(status.agents?.[0]?.task).toBe(`try ${MASK}`);
  });
});

describe("a file that is shared", () => {
  it("loses its secrets where it is text, and the message says so", async () => {
    const { held, calls, below } = await share(Buffer.from(`# ümlaut\nTOKEN=${SECRET}\n`));
    expect(held).toEqual([{ name: "a.txt", text: `# ümlaut\nTOKEN=${MASK}\n` }]);
    expect(calls).toEqual(["upload f"]);
    expect(below).toEqual([{ kind: "host", text: "masked: 1" }]);
  });

  it("is shared byte for byte where it holds none, or is no text", async () => {
    const binary = Buffer.concat([Buffer.from([0, 255]), Buffer.from(SECRET)]);
    expect((await share(Buffer.from("\uFEFFplain\r\n"))).held).toEqual([
      { name: "a.txt", text: "\uFEFFplain\r\n" },
    ]);
    expect((await share(binary)).held[0]?.text).toContain(SECRET);
  });
});
