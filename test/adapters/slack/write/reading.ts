/**
 * A message as Slack's client shows it, read without any code of the product: blocks one by one, `mrkdwn` line by line, and
 * Markdown blocks by another parser. Nothing that a block opens goes on in the next.
 */

import { lexer } from "marked";
import type { types } from "@slack/bolt";

export interface Seen {
  /** One UTF-16 code unit, or the whole of a mention, a date or a link. */
  readonly text: string;
  /** `code`, `quote`, `strike`. */
  readonly marks: readonly string[];
}

/** What the sections and the small print show: the host's words stand in no other block. */
export const seenIn = (blocks: readonly types.KnownBlock[]): readonly Seen[] =>
  blocks.flatMap((block) => {
    if (block.type === "section") return mrkdwn(block.text?.text ?? "");
    return block.type === "context"
      ? block.elements.flatMap((one) => ("text" in one ? mrkdwn(one.text) : []))
      : [];
  });

/** The first block of code. */
export const codeIn = (blocks: readonly types.KnownBlock[]): string | null => {
  for (const block of blocks) {
    if (block.type === "markdown") {
      const found = lexer(block.text).find(({ type }) => type === "code");
      if (found !== undefined) return String("text" in found ? found.text : "");
    }
    if (block.type === "rich_text") {
      const found = block.elements.find(({ type }) => type === "rich_text_preformatted");
      if (found !== undefined) return found.elements.map((one) => ("text" in one ? one.text : "")).join("");
    }
  }
  return null;
};

const mrkdwn = (text: string): readonly Seen[] => {
  const out: Seen[] = [];
  let rest = text;
  const fence = /```([^]+?)```/;
  for (let found = fence.exec(rest); found !== null; found = fence.exec(rest)) {
    lines(rest.slice(0, found.index), out);
    put(found[1] ?? "", ["code"], out);
    rest = rest.slice(found.index + found[0].length);
  }
  lines(rest, out);
  return out;
};

const lines = (text: string, out: Seen[]): void => {
  let isQuoted = false;
  for (const line of text.split("\n")) {
    const [mark = ""] = /^(?:&gt;){3}|^(?:&gt;|>)/.exec(line) ?? [];
    isQuoted ||= mark === "&gt;&gt;&gt;";
    inline(line.slice(mark.length), mark === "" && !isQuoted ? [] : ["quote"], out);
    out.push({ text: "\n", marks: [] });
  }
};

const inline = (text: string, marks: readonly string[], out: Seen[]): void => {
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const object = /^<[^<>]*>/.exec(rest)?.[0];
    const entity = /^&(?:amp|lt|gt);/.exec(rest)?.[0];
    const code = /^`([^`]+)`/.exec(rest);
    // Nothing but a letter or a digit before a mark keeps it from beginning something, and nothing but one behind it from ending.
    const isFree = at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "");
    const span = isFree ? /^([*_~])(?![\s\u200b])([^\n]*?[^\s])\1(?![\p{L}\p{N}\u200b])/u.exec(rest) : null;
    if (object !== undefined) out.push({ text: object, marks });
    else if (entity !== undefined) put(ENTITIES[entity] ?? "", marks, out);
    else if (code !== null) inlineCode(code[1] ?? "", marks, out);
    else if (span !== null) inline(span[2] ?? "", span[1] === "~" ? [...marks, "strike"] : marks, out);
    else put(rest.slice(0, 1), marks, out);
    at += (object ?? entity ?? code?.[0] ?? span?.[0])?.length ?? 1;
  }
};

const inlineCode = (text: string, marks: readonly string[], out: Seen[]): void => {
  put(
    text.replaceAll(/&(?:amp|lt|gt);/g, (found) => ENTITIES[found] ?? found),
    [...marks, "code"],
    out,
  );
};

const ENTITIES: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

const put = (text: string, marks: readonly string[], out: Seen[]): void => {
  for (const unit of text.split("")) out.push({ text: unit, marks });
};
