/** WG6: facts of any length leave a card that the platform takes; names without room are counted. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bodyOf } from "../../adapters/discord/write/blocks.ts";
import {
  discordApproversText as approversOnDiscord,
  discordRenderer,
} from "../../adapters/discord/write/render.ts";
import { discordLimits } from "../../adapters/discord/write/surface.ts";
import { blocksOf } from "../../adapters/slack/write/blocks.ts";
import { slackApproversText as approversOnSlack } from "../../adapters/slack/write/markup.ts";
import { slackRenderer } from "../../adapters/slack/write/render.ts";
import { slackLimits } from "../../adapters/slack/write/surface.ts";
import type { MessageId } from "../../src/machine/id.ts";
import type { QuestionSpec } from "../../src/machine/vocabulary.ts";
import type { Content, RenderScene } from "../../src/ports/surface.ts";
import { DELICATE, type DraftFile } from "../../src/thread/draft.ts";
import type { Post } from "../../src/thread/post.ts";
import type { Proposal, StoredContent } from "../../src/thread/prompt.ts";
import { english } from "../../src/i18n/say.ts";
import { testSeed } from "../seed.ts";
import { conversationOf } from "../store/plain.ts";
import { looks } from "../looks.ts";

const ASKS = {
  result: { kind: "result", shown: "m-shown", fingerprint: "f", pull: true, commits: 60 },
  write: { kind: "write", write: "open_pull_request", shown: "m-shown", fingerprint: "f" },
} as const satisfies Record<string, QuestionSpec>;

interface Card {
  readonly ask: QuestionSpec;
  readonly proposal: Proposal;
  readonly hosts?: readonly string[];
  /** With which a person decided; absent: open. */
  readonly comment?: string;
  /** Ids of the people who can decide; absent: the card does not say. */
  readonly deciders?: readonly string[];
}

/** As the console would see it, too. */
const sceneOf = ({ proposal, comment = "" }: Card): RenderScene => ({
  conversation: conversationOf("c-1", { base: { commit: "abc1234567890", ref: "main", cwd: "/work" } }),
  namesModels: true,
  words: new Map<MessageId, StoredContent>([
    ["m-shown", { kind: "proposal", proposal }],
    ["m-comment", { kind: "comment", text: comment }],
  ]),
  looks,
  question: null,
});

const postOf = ({ ask, hosts = [], comment }: Card, by: "slack:U1" | "discord:1"): Post => ({
  key: "turn/1/1",
  at: 1,
  final: true,
  actions: comment === undefined ? ["approve", "deny"] : [],
  body: {
    kind: "question",
    question: "q1",
    turn: 1,
    asker: by,
    message: "m-call",
    call: { id: "t1", name: "propose", intent: "tool" },
    ask,
    decision: comment === undefined ? null : { choice: "changes", by, at: 2, comment: "m-comment" },
    untrusted: { messages: 1, previews: 0, files: 1, pictures: 0, hosts },
  },
});

/** The text that people see. Throws what the platform would refuse. */
const PLATFORMS = {
  Discord: (card: Card): string => {
    const people = card.deciders ?? [];
    const who = approversOnDiscord({ people, roles: [] }, english);
    const shown = discordRenderer(english, who).post(postOf(card, "discord:1"), sceneOf(card), discordLimits);
    return shown.map(({ content }) => onDiscord(content)).join("\n");
  },
  Slack: (card: Card): string => {
    const who = card.deciders?.map((id) => ({ kind: "person", id: `U${id}` }) as const);
    const approvers = who === undefined ? undefined : approversOnSlack(who, english);
    const shown = slackRenderer(english, approvers).post(
      postOf(card, "slack:U1"),
      sceneOf(card),
      slackLimits,
    );
    return shown.map(({ content }) => onSlack(content)).join("\n");
  },
};

const onDiscord = (content: Content): string => {
  const texts = bodyOf(content, "w").components.flatMap((one) => ("content" in one ? [one.content] : []));
  expect(texts.join("").length).toBeLessThanOrEqual(4_000);
  return texts.join("\n");
};

const onSlack = (content: Content): string => {
  const blocks = blocksOf(content);
  expect(blocks.length).toBeLessThanOrEqual(50);
  const texts = blocks.flatMap((block) => {
    if (block.type === "section") return [block.text?.text ?? ""];
    return block.type === "context" ? block.elements.flatMap((one) => ("text" in one ? [one.text] : [])) : [];
  });
  for (const text of texts) expect(text.length).toBeLessThanOrEqual(3_000);
  const marked = blocks.flatMap((block) => (block.type === "markdown" ? [block.text] : []));
  expect(marked.join("").length).toBeLessThanOrEqual(12_000);
  // Slack refuses a message whose blocks hold more than this together.
  expect([...texts, ...marked].join("").length).toBeLessThanOrEqual(13_000);
  return [...texts, ...marked].join("\n");
};

const proposalOf = (
  files: readonly DraftFile[],
  {
    text = "x",
    delicate = files.map(({ path }) => path),
  }: { text?: string; delicate?: readonly string[] } = {},
): Proposal => ({
  project: text,
  facts: [
    { name: "in all", value: `${files.length} files, +1 −1` },
    { name: "branch", value: text },
  ],
  files,
  unlisted: 0,
  texts: [{ name: "Summary", text }],
  owners: {
    file: text,
    sets: files.map(({ path }) => ({ owners: [text, text, text], path, files: 1 })),
    unknown: [text, text],
  },
  draft: {
    tree: "a".repeat(40),
    base: "b".repeat(40),
    added: 1,
    removed: 1,
    diff: `@@ -1 +1 @@\n-x\n+${text}\n`,
    isDiffCut: false,
    delicate: DELICATE.flatMap((why) => delicate.map((path) => ({ why, path }))),
    test: { command: text, status: 1, tail: text, seconds: 2 },
    commits: files.map(() => ({ title: text, tree: "c".repeat(40), files: 1, added: 1, removed: 0 })),
    moved: { ref: text, count: 3, titles: [text, text, text], merges: false },
  },
});

const fileAt = (path: string): DraftFile => ({
  path,
  from: `${path}~`,
  change: "changed",
  added: 1,
  removed: 1,
});

const LONG_HOST: string = `${"long-label.".repeat(20)}example`;

/** A card that Discord refused: each line of the comment gets a mark (seed 87476977). */
const FOUND = [
  {
    ask: ASKS.result,
    names: ["\u202e".repeat(300), "\u202e".repeat(300)],
    text: "\u202e".repeat(300),
    hosts: Array.from({ length: 4 }, () => LONG_HOST),
    comment: "a\n".repeat(300),
  },
];

const RUNS = 60;

describe.for(Object.entries(PLATFORMS))("WG6 on %s", ([, shownOf]) => {
  it.for(Object.entries(ASKS))(
    "WG6 a card of 60 long names names some and counts the rest: %s",
    ([, ask]) => {
      const names = Array.from({ length: 60 }, (_, no) => `${no}-`.padEnd(200, "long/name-"));
      const proposal = proposalOf(names.map(fileAt), { text: "t".repeat(200) });
      const shown = shownOf({ ask, proposal });
      expect(shown).toMatch(/Changes 60 files, \+1 −1: [^]* and \d+ more files/);
      expect(shown).toMatch(/Owners who have to agree, [^]* and \d+ more\./);
      expect(shown).toContain("Untrusted content read so far");
      if (ask.kind === "result") expect(shown).toMatch(/Look twice: CI [^]* and \d+ more; /);
    },
  );

  it.for(Object.entries(ASKS))("WG6 a card of few short names shows them all: %s", ([, ask]) => {
    const names = ["one.ts", "two.ts", "three.ts", "four.ts", "five.ts"];
    const shown = shownOf({ ask, proposal: proposalOf(names.map(fileAt)) });
    for (const name of names) expect(shown).toContain(`\`${name}\``);
    expect(shown).not.toMatch(/\d more/);
  });

  it("WG6 a card of 200 people who can decide names 30 of them and counts the rest", () => {
    const ids = Array.from({ length: 200 }, (_, no) => `${10n ** 19n + BigInt(no)}`);
    const shown = shownOf({
      ask: ASKS.result,
      proposal: proposalOf(["a".repeat(200), "b".repeat(200)].map(fileAt), { text: "t".repeat(200) }),
      deciders: ids,
    });
    expect(shown.match(/<@U?1\d{19}>/g)).toHaveLength(30);
    expect(shown).toContain("and 170 more can decide.");
  });

  it("WG6 a card of any names and texts is one that the platform takes", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 400 }),
      fc
        .constantFrom("\u202e", "`", "文", "👩", "*|", "\n", "a\n", "@everyone ")
        .map((one) => one.repeat(300)),
    );
    fc.assert(
      fc.property(
        fc.record({
          ask: fc.constantFrom(...Object.values(ASKS)),
          names: fc.array(text, { minLength: 1, maxLength: 8 }),
          text,
          hosts: fc.array(fc.constant(LONG_HOST), { maxLength: 8 }),
          comment: fc.option(text),
        }),
        ({ ask, names, text: said, hosts, comment }) => {
          const proposal = proposalOf(names.map(fileAt), { text: said });
          shownOf({ ask, proposal, hosts, ...(comment === null ? {} : { comment }) });
        },
      ),
      { numRuns: RUNS, seed: testSeed(), examples: FOUND.map((one): [typeof one] => [one]) },
    );
  });
});
