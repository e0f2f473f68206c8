/** What change a message asks for, in the few forms that a script can carry out. Pure. */

export type Edit =
  | {
      readonly kind: "replace";
      readonly from: string;
      readonly to: string;
      readonly file: string | null;
    }
  | { readonly kind: "append"; readonly text: string | null; readonly file: string | null };

/** Null where the message does not ask for a change. */
export const editOf = (said: string): Edit | null => {
  const asked = said.trim().replace(POLITE, "");
  if (!CHANGES.test(asked)) return null;
  const file = fileOf(asked);
  const swap = QUOTED_SWAP.exec(asked) ?? BARE_SWAP.exec(asked);
  const [from, to] = [swap?.[1], swap?.[2]];
  if (from !== undefined && to !== undefined) return { kind: "replace", from, to, file };
  if (/^(?:fix|correct|rename)\b/i.test(asked)) return null;
  const text = ADDED.map((form) => form.exec(asked)?.[1]).find((found) => found !== undefined);
  return { kind: "append", text: text ?? null, file };
};

/** The line to add: in quotes, where an apostrophe between letters ends none, or between `the line` and `to`. */
const ADDED: readonly RegExp[] = [
  /["“`]([^"“”`\n]{1,300})["”`]/,
  /(?<![\p{L}\p{N}])['‘]((?:[^'‘’\n]|(?<=\p{L})['’](?=\p{L})){1,300})['’](?!\p{L})/u,
  /\bsaying\s+(.{1,300}?)\s+(?:to|in|into|at)\s/i,
  /\bthe (?:line|text|words?|sentence)[ \t:]+(\S.{0,300}?)\s+(?:to|in|into|at)\s/i,
];

const POLITE =
  /^(?:(?:hey|hi|ok|please|now|then|can you|could you|would you|will you|go ahead and|let's|kindly)[\s,]+)+/i;
const CHANGES =
  /^(?:add|append|insert|change|replace|rename|fix|correct|edit|modify|update|write|create|make|patch|try an? (?:edit|change|patch))\b/i;
const QUOTED_SWAP =
  /["“`']([^"“”`'\n]{1,300})["”`']\s*(?:to|with|by|into|->|=>|→)\s*["“`']([^"“”`'\n]{0,300})["”`']/i;
const BARE_SWAP =
  /^(?:change|replace|rename|correct|fix)\s+(?:the\s+(?:word|typo|name)\s+)?(\S+)\s+(?:to|with|by|into|->|=>|→)\s+(\S+)(?:\s+in\s|[.!]?$)/i;

/** The last thing in the message that looks like a file. */
const fileOf = (asked: string): string | null => {
  const named = [
    ...asked.matchAll(
      /(?:^|[\s`"'(])((?:[\w@.-]+\/)*(?:[\w@-][\w@.-]*\.[A-Za-z]\w{0,5}|README|LICENSE|CHANGELOG|CONTRIBUTING|Makefile|Dockerfile))(?=$|[\s`"'),.!?:;])/gi,
    ),
  ];
  return named.at(-1)?.[1] ?? null;
};
