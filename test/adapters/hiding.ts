/**
 * Posts of every kind with text of others in each of their fields, twice: with hostile text, and with plain words that mark where
 * such text is. So a test knows the host's own words on a platform without a copy of them.
 */

import fc from "fast-check";
import { originLine } from "../../adapters/post/phrases.ts";
import type { createRenderer } from "../../adapters/post/render.ts";
import type { Dialect } from "../../adapters/post/dialect.ts";
import type { MessageId, PersonId } from "../../src/machine/id.ts";
import type { QuestionSpec, Call } from "../../src/machine/vocabulary.ts";
import type { Content, Limits, RenderScene } from "../../src/ports/surface.ts";
import type { Post, PostBody, TurnBody } from "../../src/thread/post.ts";
import type { Proposal, StoredContent } from "../../src/thread/prompt.ts";
import { unspelled } from "../text/unspelled.ts";
import { conversationOf } from "../store/plain.ts";
import { turnBody } from "../turn-body.ts";
import { looks } from "../looks.ts";

/** Tokens of both platforms' markup, and what closes or opens a line. */
const TOKENS: readonly string[] = [
  "||,||,~~,~~,**,*,_,__,***,~,`,`,``,```,````,~~~,\\,\\\\,>,>>>,-#,#,<,|,[,](,(,),&gt;,&amp;".split(","),
  "\n,\n,\n\n,\n> ,\n>>> ,\n-# ,\n# ,\n- ,\n1. ,\n  ,\n    ,\n```,\n```js\n,\n---\n,\r,\r\n, , ,\t".split(
    ",",
  ),
  ["`a||b`", "`**`", "`~~`", "`_`", "`*x`", "`__`", "**bold**", "~~gone~~", "_it_", "||hidden||", "`code`"],
  ["<@U123>", "<@123>", "<@&1>", "<#1>", "<!here>", "@everyone", "<!date^1^{time}|x>", "<t:1:R>", "</x:1>"],
  ["<a:b:1>", ":smile:", "[x](https://evil.example)", "https://a.example/", "<https://a.example|x>"],
  ["\u2028", "\u0085", "\u202e", "\u2066", "\u200b", "\u200d", "\ufe0f", "\u3164", "\u00ad", "\ud83d"],
  ["\n| a | b |\n|---|---|\n| ~~ | `c` |\n", "```\ncode\n```\n", "word", "and"],
].flat();

/** Never blank: a field without text may leave out the host's words about it. */
export const hostileTexts = fc
  .tuple(fc.array(fc.constantFrom(...TOKENS), { maxLength: 14 }), fc.nat(14))
  .map(([tokens, at]) => [...tokens.slice(0, at), " x y ", ...tokens.slice(at)].join(""));

export type Given = (field: number) => string;

/** The words that stand for the text of others, and where they are in a text that was read. */
const PLACEHOLDER = /wqzq/;
const plainly: Given = () => "wqzq";

type Renderer = ReturnType<typeof createRenderer>;

/** The contents of one kind of post; null if the platform shows none. */
type Kind = (given: Given) => readonly Content[];

export interface Platform {
  readonly renderer: Renderer;
  readonly dialect: Dialect;
  readonly limits: Limits;
  /** A person of the platform. */
  readonly person: PersonId;
}

const MINUTE = 60_000;

/** By name, each of which takes texts for its fields. */
export const kindsOn = (platform: Platform): Readonly<Record<string, Kind>> => {
  const { renderer, limits, person, dialect } = platform;
  const shown = (given: Given, body: PostBody, change: Partial<Post> = {}): readonly Content[] => {
    const post = { key: "turn/1/1", at: 1, final: true, actions: [], body, ...change } satisfies Post;
    return renderer.post(post, sceneOf(given, body), limits).map(({ content }) => content);
  };
  const asked = (ask: QuestionSpec, change: Partial<Question> = {}): Question => ({
    kind: "question",
    question: "q1",
    turn: 1,
    asker: person,
    message: "m-call",
    call: CALL,
    ask,
    decision: null,
    untrusted: { messages: 1, previews: 0, files: 1, pictures: 0, hosts: ["a.example"] },
    ...change,
  });
  const open = { final: false, actions: ["approve", "deny"] } as const satisfies Partial<Post>;
  const turn = (given: Given, change: Partial<TurnBody> = {}): TurnBody =>
    turnBody({
      said: ["m-said"],
      asked: { message: "m-asked", by: person },
      changes: [{ message: "m-call", call: CALL, outcome: RAN, took: 1 }],
      steps: { count: 1, rows: [{ message: "m-call", call: CALL, outcome: RAN, took: 1 }] },
      model: given(10),
      held: person,
      uncommitted: true,
      duration: 2 * MINUTE,
      context: 85,
      pictures: 1,
      ...change,
    });
  const held = (given: Given, body: TurnBody | Question): readonly Content[] =>
    renderer.review(
      {
        type: body.kind === "turn" ? "answer" : "danger",
        wire: "w",
        askedAt: 1,
        thread: "https://chat.example/t",
        asker: person,
        costMicroUsd: 1_000,
        shown: {
          post: { key: "turn/1/1", at: 1, final: true, actions: [], body },
          scene: sceneOf(given, body),
        },
      },
      limits,
    );
  return {
    answer: (given) => shown(given, turn(given)),
    "answer with notices": (given) =>
      shown(
        given,
        turn(given, {
          end: "interrupted",
          notices: [
            { kind: "interrupted" },
            { kind: "branched", to: null, mode: given(11), why: given(12) },
            {
              kind: "wrote",
              write: "file_issue",
              by: person,
              wrote: { kind: "failed", why: given(13) },
            },
            { kind: "fellBack", from: given(14), to: given(15), failure: failure(given(16)) },
          ],
          steps: {
            count: 3,
            rows: [
              { message: "m-call", call: CALL, outcome: { ...RAN, isError: true, exit: 137 }, took: 1 },
              { message: "m-call", call: { ...CALL, name: given(17) }, outcome: RAN, took: MINUTE },
              {
                message: "m-call",
                call: { ...CALL, id: "t2", name: "spawn_agents" },
                outcome: { ...RAN, agents: [{ id: "c-3", model: "m", end: null }] },
                took: 1,
              },
            ],
          },
        }),
      ),
    "open answer": (given) => {
      const body = turn(given);
      return renderer
        .open({ ...body, key: "turn/1/1", begun: 1 }, sceneOf(given, body), limits, false)
        .map(({ content }) => content);
    },
    progress: (given) => [
      renderer.progress(
        {
          conversation: "c-1",
          status: {
            kind: "running",
            tool: "bash",
            attempt: 1,
            wait: null,
            actions: ["stop"],
            setUp: { seconds: 3, line: given(20) },
          },
          doing: { verb: "running {object}", object: given(21) },
          live: given(22),
          permission: "restricted",
          asker: person,
          steps: 2,
        },
        limits,
      ),
    ],
    "progress of helpers": (given) => [
      renderer.progress(
        {
          conversation: "c-1",
          status: {
            kind: "running",
            tool: "spawn_agents",
            attempt: 1,
            wait: null,
            actions: ["stop"],
            agents: [
              { task: given(23), step: "running", tool: given(24), how: null, costMicroUsd: 1 },
              { task: given(25), step: "ended", tool: null, how: "answered", costMicroUsd: 1 },
            ],
          },
          live: "",
          permission: "restricted",
          asker: person,
        },
        limits,
      ),
    ],
    "card of a command": (given) => shown(given, asked(DANGER), open),
    "card of a command, decided": (given) => shown(given, asked(DANGER, decided("once", person))),
    "card of a command, decided elsewhere": (given) =>
      shown(given, asked(DANGER, decided("deny", `elsewhere:${given(30)}`))),
    "card of a write": (given) => shown(given, asked(WRITE), open),
    "card of a tool of a server": (given) =>
      shown(given, asked({ ...WRITE, write: "mcp_call", scope: given(31) }), open),
    "card of a write, failed": (given) =>
      shown(
        given,
        asked(WRITE, { ...decided("approve", person), wrote: { kind: "failed", why: given(32) } }),
      ),
    "card of a draft": (given) => shown(given, asked(RESULT), open),
    "card of a draft, sent back": (given) => shown(given, asked(RESULT, decided("changes", person))),
    "card of an upgrade": (given) =>
      shown(given, asked({ kind: "upgrade", on: given(33) }, { plan: true }), open),
    "card of another mode": (given) =>
      shown(given, asked({ kind: "mode", mode: given(34), branch: true }), open),
    summary: (given) =>
      shown(given, {
        kind: "summary",
        message: "m-said",
        ended: "summarized",
        percent: 90,
        by: person,
        rejected: [given(40), given(41)],
        next: null,
      }),
    notice: (given) =>
      shown(given, { kind: "notice", notice: { kind: "model", from: given(42), to: given(43), by: person } }),
    "answer before a maintainer": (given) => held(given, turn(given)),
    "request before a maintainer": (given) => held(given, asked(DANGER)),
    "answer that was not posted": (given) =>
      shown(given, asked({ kind: "answer", place: "C1" }, { decision: { ...DISCARDED, by: person } })),
    "answer that may be a repeat": (given) =>
      shown(given, turn(given)).map((content) => renderer.repeated(content)),
    "first line of a thread": (given) => [
      {
        tone: "notice",
        lead: originLine(
          {
            key: "c-2",
            from: { place: "C1", root: "1" },
            title: given(44),
            mode: given(45),
            by: person,
            why: "branch",
            people: [],
            say: dialect.marks.say,
          },
          dialect.marks.link("this thread", "https://chat.example/t"),
          dialect,
        ),
        text: "",
        buttons: [],
      },
    ],
    "answer that was refused": (given) => [
      renderer.refused(given(46), { tone: "answer", text: "", buttons: [] }),
    ],
  };
};

/** The command that the card of a command is about. */
export const commandIn = (given: Given): string => given(0);

type Question = PostBody & { readonly kind: "question" };

const CALL: Call = { id: "t1", name: "bash", intent: "tool" };
const RAN = { kind: "ran", message: "m-result", isError: false } as const;
const DANGER = {
  kind: "danger",
  categories: ["GIT_PUBLISH"],
  shown: "m-dangers",
  fingerprint: "f",
} as const satisfies QuestionSpec;
const WRITE = {
  kind: "write",
  write: "open_pull_request",
  shown: "m-proposal",
  fingerprint: "f",
} as const satisfies QuestionSpec;
const RESULT = {
  kind: "result",
  shown: "m-draft",
  fingerprint: "f",
  pull: true,
  commits: 2,
} as const satisfies QuestionSpec;
const DISCARDED = { choice: "discard", at: 2, comment: "m-comment" } as const;

const decided = (choice: "approve" | "deny" | "once" | "changes", by: PersonId): Partial<Question> => ({
  decision: { choice, by, at: 2, comment: "m-comment" },
});

const failure = (message: string) => ({ kind: "unknown", message, retryAfter: null }) as const;

/** A name: what has lines has none. */
const proposalOf = (given: Given, draft?: Proposal["draft"]): Proposal => ({
  project: "acme/shop",
  facts: [{ name: "into", value: given(50) }],
  files: [
    { path: given(51), change: "added", added: 1, removed: 0 },
    { path: given(52), change: "changed", added: 2, removed: 3 },
  ],
  unlisted: 2,
  texts: [
    { name: "Title", text: given(53) },
    { name: "Text", text: given(54) },
  ],
  owners: {
    file: given(55),
    sets: [{ owners: [given(56), "@b"], path: given(57), files: 2 }],
    unknown: [given(58)],
  },
  ...(draft === undefined ? {} : { draft }),
});

const draftOf = (given: Given): Proposal["draft"] => ({
  tree: "0123456789abcdef",
  base: "0123456789abcdef",
  added: 1,
  removed: 1,
  diff: diffOf(given(60)),
  isDiffCut: false,
  delicate: [{ why: "workflow", path: given(61) }],
  test: { command: given(62), status: 1, tail: given(63), seconds: 2 },
  commits: [
    { title: given(64), tree: "0123456789abcdef", files: 1, added: 1, removed: 1 },
    { title: given(65), tree: "0123456789abcdef", files: 1, added: 1, removed: 1 },
  ],
  moved: { ref: given(66), count: 3, titles: [given(67)], merges: true },
});

const diffOf = (text: string): string => `@@ -1 +1 @@\n-old\n+${text}\n`;

const sceneOf = (given: Given, body: PostBody): RenderScene => ({
  conversation: conversationOf("c-1", {
    base: { commit: "abc1234567890", ref: "main", cwd: "/work" },
    repo: { kind: "url", location: "https://github.com/acme/api.git", ref: given(2) },
  }),
  namesModels: true,
  looks,
  words: new Map<MessageId, StoredContent>([
    ["m-said", { kind: "answer", blocks: [{ kind: "text", text: given(1) }] }],
    [
      "m-call",
      {
        kind: "answer",
        blocks: [
          { kind: "text", text: given(3) },
          {
            kind: "toolUse",
            id: CALL.id,
            name: CALL.name,
            input: { command: given(0), path: given(4), reason: given(5) },
          },
          { kind: "toolUse", id: "t2", name: "spawn_agents", input: { tasks: [{ task: given(18) }] } },
        ],
      },
    ],
    ["m-result", { kind: "result", text: given(6), images: [], diff: diffOf(given(7)) }],
    ["m-asked", { kind: "said", text: given(8), images: [] }],
    ["m-comment", { kind: "comment", text: given(9) }],
    [
      "m-dangers",
      {
        kind: "dangers",
        dangers: [
          {
            category: "GIT_PUBLISH",
            what: given(70),
            why: given(71),
            risk: given(72),
            changes: [given(73), given(74)],
          },
        ],
      },
    ],
    ["m-proposal", { kind: "proposal", proposal: proposalOf(given) }],
    ["m-draft", { kind: "proposal", proposal: proposalOf(given, draftOf(given)) }],
  ]),
  question:
    body.kind === "question"
      ? {
          wire: "wire-1",
          conversation: "c-1",
          question: "q1",
          type: body.ask?.kind ?? "upgrade",
          fingerprint: "f",
          askedAt: 1,
          status: "pending",
          by: null,
          at: null,
        }
      : null,
});

export interface Read {
  readonly text: string;
  readonly marks: readonly string[];
}

/** The host's words of `kind`, in their order. `read` is how the platform shows the host's parts, each by itself. */
export const hostWords = (
  kind: Kind,
  read: (contents: readonly Content[]) => readonly (readonly Read[])[],
): readonly (readonly Read[])[] => read(kind(plainly)).flatMap((part) => segmentsOf(lettersOf(part)));

/** The first of `words` that does not stand in `seen` as it looks by itself; null if all do. */
export const hiddenIn = (words: ReturnType<typeof hostWords>, seen: readonly Read[]): string | null => {
  const whole = lettersOf(seen);
  let from = 0;
  for (const segment of words) {
    const at = indexOf(whole, segment, from);
    if (at === -1) return segment.map(({ text }) => text).join("");
    from = at + segment.length;
  }
  return null;
};

/** Nobody sees blanks; what breaks lines differs between pieces, and counts of lines with the text. */
const lettersOf = (seen: readonly Read[]): readonly Read[] =>
  seen
    .filter(({ text }) => /[^\s\d\u200b]/.test(text))
    .map(({ text, marks }) => ({ text, marks: marks.filter((mark) => !EMPHASES.has(mark)) }));

/** They hide nothing. */
const EMPHASES: ReadonlySet<string> = new Set(["bold", "italic", "under"]);

const segmentsOf = (letters: readonly Read[]): readonly (readonly Read[])[] => {
  const text = letters.map((one) => (one.text.length === 1 ? one.text : "\u0000")).join("");
  const segments: (readonly Read[])[] = [];
  let from = 0;
  for (const { index, 0: found } of text.matchAll(new RegExp(PLACEHOLDER, "g"))) {
    segments.push(letters.slice(from, index));
    from = index + found.length;
  }
  return [...segments, letters.slice(from)].filter(({ length }) => length > 0);
};

const indexOf = (whole: readonly Read[], part: readonly Read[], from: number): number => {
  for (let at = from; at + part.length <= whole.length; at += 1) {
    if (part.every((one, index) => isSame(one, whole[at + index]))) return at;
  }
  return -1;
};

const isSame = (a: Read, b: Read | undefined): boolean =>
  b !== undefined && a.text === b.text && a.marks.join() === b.marks.join();

/** A command as it was shown, without the breaks that the host puts into it. */
export const shownCommand = (shown: string): string =>
  commandLines(unspelled(shown.replaceAll("\u200b", "")));

/** Blank lines at both ends say nothing to a shell, and nobody sees the blanks of one between. */
export const commandLines = (text: string): string =>
  text.replaceAll(/^(?:[ \t]*\n)+|[ \t\n]+$/g, "").replaceAll(/\n[ \t]+(?=\n)/g, "\n");
