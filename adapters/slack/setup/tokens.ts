/** The kinds of Slack's tokens by their form, as people paste them. Pure. */

export interface PastedTokens {
  readonly bot: string | null;
  readonly app: string | null;
  readonly configuration: string | null;
  readonly refresh: string | null;
  /** Likely kind of the first part that is no expected token; null if every part is an expected token. */
  readonly other: string | null;
}

/** Reads one or several tokens in any order, also with quotes or as lines of a settings file. */
export const pastedTokens = (text: string): PastedTokens => {
  const found: Record<"bot" | "app" | "configuration" | "refresh", string | null> = {
    bot: null,
    app: null,
    configuration: null,
    refresh: null,
  };
  let other: string | null = null;
  for (const part of text.split(/[\s,;]+/)) {
    const token = part.replace(/^(?:export)?[A-Z_]+=/, "").replaceAll(/["'`]/g, "");
    if (token === "" || token === "export") continue;
    const kind = KINDS.find(([form]) => form.test(token))?.[1];
    if (kind === undefined) other ??= otherKindOf(token);
    else found[kind] = token;
  }
  return { ...found, other };
};

const KINDS = [
  [/^xoxb-[\w-]+$/, "bot"],
  [/^xapp-[\w-]+$/, "app"],
  [/^xoxe\.xoxp-[\w-]+$/, "configuration"],
  [/^xoxe-[\w-]+$/, "refresh"],
] as const;

/** Returns the kind of the pasted text, with an article. */
const otherKindOf = (token: string): string => OTHERS.find(([form]) => form.test(token))?.[1] ?? "no token";

const OTHERS = [
  [/^xoxp-/, "a user token (xoxp-)"],
  [/^xox[cds]-/, "a token of a browser session"],
  [/^xoxe\.xoxb-/, "a bot token that expires, because token rotation is on"],
  [/^xox/, "a token of another kind"],
  [/^[0-9a-f]{32}$/i, "a signing secret or client secret"],
  [/^A[A-Z0-9]{8,}$/, "the app's id"],
  [/^\d+\.\d+$/, "the app's client id"],
] as const;

/** Reads the app's id from an app-level token; null for a token of a different form. */
export const appOfToken = (token: string): string | null => /^xapp-\d-(A[A-Z0-9]+)-/.exec(token)?.[1] ?? null;
