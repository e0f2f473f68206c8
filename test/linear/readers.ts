/** Functions of the core that read the text of others, by what they are called in their folders. A feature lists its own in `test/features/NAME/readers.ts`. */

import { toIndexText, termsOf } from "../../src/text/terms.ts";
import { discordPlainText as discordPlain } from "../../adapters/discord/read/plain.ts";
import { discordProse } from "../../adapters/discord/write/prose.ts";
import { threadNameOf } from "../../adapters/discord/write/thread-name.ts";
import { isQuestionMessage } from "../../adapters/discord/write/posted-question.ts";
import { parseAppPost } from "../../adapters/post/app-post.ts";
import { bodyOf, plainBodyOf } from "../../adapters/discord/write/blocks.ts";
import { discordCode, discordPlain as discordWords } from "../../adapters/discord/write/render.ts";
import { blocksOf, fallbackOf } from "../../adapters/slack/write/blocks.ts";
import { slackCode, slackPlain as slackWords } from "../../adapters/slack/write/markup.ts";
import {
  slackContentOf,
  slackMessage,
  slackTextOf as slackWordsOf,
} from "../../adapters/slack/read/message.ts";
import { mentionsUser, slackPlainText as slackPlain } from "../../adapters/slack/read/plain.ts";
import { markCitations } from "../../adapters/text/citations.ts";
import { neutralize } from "../../adapters/text/neutral.ts";
import { safeName } from "../../adapters/text/files.ts";
import { changedWords } from "../../src/text/changed-words.ts";
import { visibleText } from "../../src/text/invisible.ts";
import { visibleDiff } from "../../src/text/visible-diff.ts";
import { splitMarkdown } from "../../adapters/text/split.ts";
import { withLongCode } from "../../adapters/text/long.ts";
import { parseCodeOwners } from "../../src/text/code-owners.ts";
import { bareEnd, linksIn } from "../../src/text/links.ts";
import { mentionsOf } from "../../src/text/mentions.ts";
import { escapeName, quoteUntrusted, withoutQuotes, withoutQuotesOf } from "../../src/text/quotes.ts";
import { referencesIn } from "../../src/text/references.ts";
import { createLiveMask, maskSecrets } from "../../src/text/secrets/known-forms.ts";
import { briefTask } from "../../src/thread/visible-text.ts";
import { publicText } from "../../src/model/failure.ts";
import { parseMode } from "../../src/modes/catalogue.ts";
import { chatCommands } from "../../src/app/commands.ts";
import { onlyNamed } from "../../src/runtime/channels/channel-repositories.ts";
import { isVersion } from "../../src/runtime/channels/repos.ts";
import { readInstructions } from "../../src/runtime/channels/instructions.ts";
import { createOverlap } from "../../src/runtime/bot/overlap.ts";
import { hasSentence } from "../../src/text/sentence.ts";
import { stemsOf } from "../../src/text/stems.ts";
import { cleanTitle, titleOf } from "../../src/runtime/bot/title.ts";
import { applyPatches } from "../../src/tools/patch/apply-patches.ts";
import type { Patch } from "../../src/tools/patch/patch-input.ts";
import { oneLine } from "../../src/text/one-line.ts";
import { killTargets } from "../../src/tools/bash/background.ts";
import { outputText } from "../../src/tools/bash/output.ts";
import { createRedactor } from "../../src/text/secrets/known-values.ts";
import { withoutControls } from "../../src/tools/bash/terminal.ts";
import { unifiedDiff } from "../../src/tools/patch/unified-diff.ts";
import { lastLines } from "../../src/workspace/setup/output-lines.ts";
import { isPointer } from "../../src/workspace/drafts/pointers.ts";
import { exactBytes, decodeExactly } from "../../src/workspace/run/exact-text.ts";
import { gitTroubleOf } from "../../src/workspace/run/git-trouble.ts";
import { blockText } from "../../adapters/slack/read/block-text.ts";
import { spellInvisible, spellInvisibleInProse } from "../../src/text/invisible.ts";
import { overBounds, readOutside } from "../../src/text/outside-json.ts";
import { UNREADABLE_INPUT, unreadableInputText } from "../../src/text/unreadable-input.ts";
import { wellFormed } from "../../src/text/well-formed.ts";

/** Reads a text; the result does not matter. */
export type Read = (text: string) => unknown;

const NAMELESS = { user: () => null, role: () => null, channel: () => null, isSelf: () => false };
const answer = (text: string) => ({ tone: "answer", text, buttons: [] }) as const;
const limit = { units: "utf16", max: 3_800 } as const;
const noSecret = createRedactor(["a secret of the host"]);

/** Refused or not. */
const patched = (text: string, patch: Patch): unknown => {
  try {
    return applyPatches(text, [patch], new Map());
  } catch (error) {
    return error;
  }
};

export const READERS: Readonly<Record<string, Read>> = {
  parseCodeOwners,
  "discord: what people wrote": (text) => discordPlain(text, NAMELESS),
  "discord: name of a thread": threadNameOf,
  "discord: Markdown that it lacks": discordProse,
  "discord: code": discordCode,
  "discord: words": discordWords,
  "discord: body": (text) => [bodyOf(answer(text), "w"), plainBodyOf({ ...answer(text), plain: true }, "w")],
  "slack: what people wrote": (text) => [slackPlain(text, "U1"), mentionsUser(text, "U1")],
  "slack: what apps write": (text) => {
    const date = { type: "date", timestamp: 1, format: text };
    const section = { type: "rich_text_section", elements: [{ type: "text", text }, date] };
    const blocks = [{ type: "rich_text", elements: [section] }];
    const inner = { message: { text, blocks } };
    const message = slackMessage.parse({
      ts: "1",
      text,
      blocks,
      attachments: [{ text, blocks, message_blocks: [inner] }],
    });
    return [slackWordsOf(message, "U1"), slackContentOf(message)];
  },
  "post: of an app": (text) => [parseAppPost(text, { title: null, link: null }), isQuestionMessage(text)],
  "slack: blocks of an app": (text) =>
    blockText([
      { type: "section", text: { type: "mrkdwn", text } },
      { type: "rich_text", elements: [{ type: "rich_text_section", elements: [{ type: "text", text }] }] },
    ]),
  "slack: code": slackCode,
  "slack: words": slackWords,
  "slack: blocks": (text) => blocksOf(answer(text)),
  "slack: fallback": (text) => fallbackOf({ ...answer(text), lead: text }),
  "text: spelled": (text) => [spellInvisible(text), spellInvisibleInProse(text)],
  // 40.A1
  "text: JSON of others": (text) => [
    overBounds(text),
    readOutside(text),
    readOutside(JSON.stringify([text])),
  ],
  "text: whole characters": (text) => wellFormed({ [text]: [text] }),
  "text: input of a tool": (text) => unreadableInputText({ [UNREADABLE_INPUT]: text }),
  "text: neutralise": neutralize,
  "text: split": (text) => splitMarkdown(text, limit),
  "text: long code": (text) => withLongCode(text, 3_800),
  "text: changed words": (text) => [changedWords(text, `${text} a`), changedWords(`a ${text}`, `${text} a`)],
  "text: name": escapeName,
  "text: file name": safeName,
  "text: words": visibleText,
  "text: a diff": (text) =>
    visibleDiff(`@@ -1,9 +1,9 @@\n ${text}\r\n-${text.replaceAll("\n", "\r\n-")}\r\n`, "note"),
  "workspace: exact text": (text) => exactBytes(decodeExactly(Buffer.from(text))),
  "workspace: pointer of Git LFS": (text) =>
    isPointer(`version https://git-lfs.github.com/spec/v1\n${text}`.slice(0, 1_000)),
  "text: sentences": (text) => hasSentence(text, Infinity),
  "text: stems": (text) => stemsOf(text),
  "text: citations": (text) =>
    markCitations(text, [], { repo: { kind: "path", location: "/r" }, base: null }),
  "text: quote": (text) => quoteUntrusted({ author: text, text, at: 0 }),
  "text: without quotes": (text) => [withoutQuotes(text, 0), withoutQuotesOf(text, ["a"])],
  "core: links": (text) => [...linksIn(text)],
  "core: end of a link": (text) => [bareEnd(text), bareEnd(`http://${text}`)],
  "core: mentions": mentionsOf,
  "core: references": (text) => referencesIn(text, "github.com/acme/shop"),
  "core: masks": maskSecrets,
  "core: live mask": (text) => createLiveMask().next(text),
  "core: brief task": briefTask,
  "text: one line": oneLine,
  "model: public text": (text) => publicText(text, ["a secret of the host"]),
  "modes: parse": (text) => parseMode("a", `---\n${text}`),
  "chat: command": (text) => [chatCommands.parse(text), chatCommands.stops(text)],
  "chat: version": isVersion,
  "chat: repository named": (text) =>
    onlyNamed({ kind: "path", location: "/a", name: "a", beside: [] }, text),
  "chat: instructions": readInstructions,
  "runtime: overlap": (text) => [
    createOverlap([text]).without("a"),
    createOverlap(["a b c d e f"]).without(text),
    createOverlap([text]).without(text),
  ],
  "runtime: title": (text) => [titleOf(text), cleanTitle(text)],
  "text: terms": (text) => [toIndexText(text), termsOf(text)],
  "tools: patch of a text": (text) =>
    patched(text, { operation: "replace", oldText: "  no longer exists\n  twice", newText: "b" }),
  "tools: patch with a text": (text) =>
    patched(`${text}\nb\n${text}`, { operation: "replace", oldText: `  ${text}`, newText: text }),
  "tools: output": (text) =>
    outputText({ head: Buffer.from(text), tail: Buffer.alloc(0), total: Buffer.byteLength(text) }, noSecret),
  "tools: controls": withoutControls,
  "tools: kill": (text) => [killTargets(`kill 1${text}`), killTargets(`kill${text}`), killTargets(text)],
  "tools: redacted": (text) => [noSecret.text(text), noSecret.cutAfter(text), noSecret.cutBefore(text)],
  "tools: diff": (text) => unifiedDiff("a", text, `${text}b`),
  "workspace: last lines": lastLines,
  "workspace: trouble": gitTroubleOf,
};
