/**
 * Reads the open turn from the messages alone. The demo model keeps no state between requests, so a restart
 * or a retry does not affect a turn.
 */

import { OWN_TITLE } from "../../machine/message-parts.ts";
import type { PromptBlock, PromptMessage } from "../../thread/prompt.ts";

export interface DemoTurn {
  /** Latest message of a person; empty if it has only pictures. */
  readonly said: string;
  readonly images: number;
  /** Calls since that message, oldest first. */
  readonly calls: readonly DemoCallResult[];
  /** Whether the last note about the mode says that tools may write. */
  readonly mayWrite: boolean;
}

export interface DemoCallResult {
  readonly name: string;
  readonly input: unknown;
  readonly text: string;
  readonly isError: boolean;
}

/** Prefix of the host's text in user messages: the preface and notes about the mode. */
const HOST = "[Parley] ";

interface Placed {
  readonly role: PromptMessage["role"];
  readonly block: PromptBlock;
}

export const readTurn = (messages: readonly PromptMessage[]): DemoTurn => {
  const placed = messages.flatMap(({ role, content }) => content.map((block): Placed => ({ role, block })));
  const last = placed.findLastIndex(isSpoken);
  const spoken = spokenUpTo(placed, last);
  return { ...spoken, calls: callsOf(placed.slice(last + 1)), mayWrite: mayWrite(placed) };
};

const isSpoken = ({ role, block }: Placed): boolean =>
  role === "user" && (block.kind === "image" || (block.kind === "text" && spokenIn(block.text) !== null));

/** A person's words, also after quotes by the host; null if the whole text is the host's. */
const spokenIn = (text: string): string | null => {
  if (!text.startsWith(HOST)) return text;
  const title = `\n\n${OWN_TITLE}\n\n`;
  const at = text.indexOf(title);
  return at === -1 ? null : text.slice(at + title.length);
};

/** A person's message is a text, pictures, or a text followed by pictures. Notes of the host may be in between. */
const spokenUpTo = (placed: readonly Placed[], last: number): Pick<DemoTurn, "said" | "images"> => {
  const first = placed.slice(0, last + 1).findLastIndex((one) => !isAside(one));
  const before = placed[first];
  const beside = placed.slice(first + 1, last + 1);
  return {
    said:
      (before?.role === "user" && before.block.kind === "text" ? spokenIn(before.block.text) : null) ?? "",
    images: beside.filter(({ block }) => block.kind === "image").length,
  };
};

const isAside = ({ role, block }: Placed): boolean =>
  role === "user" && (block.kind === "image" || (block.kind === "text" && spokenIn(block.text) === null));

const callsOf = (placed: readonly Placed[]): readonly DemoCallResult[] => {
  const came = new Map(
    placed.flatMap(({ block }) => (block.kind === "toolResult" ? [[block.id, block] as const] : [])),
  );
  return placed.flatMap(({ block }) => {
    if (block.kind !== "toolUse") return [];
    const { text, isError } = came.get(block.id) ?? { text: "", isError: true };
    return [{ name: block.name, input: block.input, text, isError }];
  });
};

const mayWrite = (placed: readonly Placed[]): boolean => {
  const modes = placed.flatMap(({ role, block }) => {
    if (role !== "user" || block.kind !== "text" || !block.text.startsWith(HOST)) return [];
    const mode = /is now in (Unrestricted|Restricted) mode/.exec(block.text)?.[1];
    return mode === undefined ? [] : [mode];
  });
  return modes.at(-1) === "Unrestricted";
};
