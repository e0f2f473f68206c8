/** Converts Discord's markup to the plain text that people see. Pure. */

import { withoutBlankEnds } from "../../../src/text/trim-end.ts";

/** Names for ids in text; null if the gateway has not named the id. */
export interface DiscordNames {
  readonly user: (id: string) => string | null;
  readonly role: (id: string) => string | null;
  readonly channel: (id: string) => string | null;
  /**
   * Whether the id is the bot's user or the role that Discord manages for the bot. Mentions of these are
   * removed.
   */
  readonly isSelf: (id: string) => boolean;
}

/** Code remains unchanged, because Discord interprets no mention, emoji or time in it. */
export const discordPlainText = (text: string, names: DiscordNames): string =>
  withoutBlankEnds(
    splitCode(text)
      .map(({ isCode, part }) => (isCode ? part : readable(part, names)))
      .join(""),
  ).trim();

const readable = (text: string, names: DiscordNames): string =>
  text
    .replaceAll(/<@!?(\d{1,25})>/g, (_all, id: string) =>
      names.isSelf(id) ? "" : `@${names.user(id) ?? id}`,
    )
    .replaceAll(/<@&(\d{1,25})>/g, (_all, id: string) =>
      names.isSelf(id) ? "" : `@${names.role(id) ?? `role ${id}`}`,
    )
    .replaceAll(/<#(\d{1,25})>/g, (_all, id: string) => `#${names.channel(id) ?? id}`)
    .replaceAll(/<a?(:\w{1,64}:)\d{1,25}>/g, "$1")
    .replaceAll(/<(\/[^<>:]{1,120}):\d{1,25}>/g, "$1")
    .replaceAll(/<t:(-?\d{1,13})(?::[a-zA-Z])?>/g, (all, seconds: string) => timeOf(seconds) ?? all)
    .replaceAll(/<id:([a-z-]{1,40})>/g, "#$1");

const timeOf = (seconds: string): string | null => {
  const date = new Date(Number(seconds) * 1_000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace(/:\d\d\.\d{3}Z$/, " UTC");
};

interface Part {
  readonly isCode: boolean;
  readonly part: string;
}

/**
 * Splits text and code, in order. A run of backticks starts code if the same run closes it later; three or
 * more start a block. One backward pass finds the closing runs, so the time is linear.
 */
export const splitCode = (text: string): readonly Part[] => {
  const runs = [...text.matchAll(/(?<!\\)`+/g)].map(({ 0: run, index }) => ({
    index,
    end: index + run.length,
  }));
  const partners = partnersOf(runs);
  const parts: Part[] = [];
  let from = 0;
  for (const [at, run] of runs.entries()) {
    const partner = partners[at];
    if (run.index < from || partner === undefined || partner === null) continue;
    parts.push({ isCode: false, part: text.slice(from, run.index) });
    parts.push({ isCode: true, part: text.slice(run.index, partner) });
    from = partner;
  }
  return [...parts, { isCode: false, part: text.slice(from) }];
};

/** Returns, for each run, the end of the next run of the same kind. */
const partnersOf = (
  runs: readonly { readonly index: number; readonly end: number }[],
): readonly (number | null)[] => {
  const next = new Map<number, number>();
  return runs
    .toReversed()
    .map(({ index, end }) => {
      const kind = Math.min(3, end - index);
      const partner = next.get(kind) ?? null;
      next.set(kind, end);
      return partner;
    })
    .toReversed();
};
