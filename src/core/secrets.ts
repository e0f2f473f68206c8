/**
 * Secrets that somebody left in a repository, found by the forms that their issuers gave them, and masked before others
 * read them. Pure. Only known forms count, never mere randomness: a hash, a UUID or a picture in base64 is none.
 *
 * S1 masking what is masked changes nothing. S2 no text grows. S3 a text without such a form stays as it is. S4 what
 * `createLiveMask` gave out of a growing text is the beginning of the whole, masked. A form that was written otherwise
 * (encoded, spelled, cut in two by words) is not found: whoever can read the repository could always copy it by hand.
 */

/** Means nothing to Markdown, HTML or a shell, and is no part of any form. Shorter than whatever it stands for. */
export const MASK = "‹masked›";

/** The text with every value of a known form replaced by the mask. */
export const maskSecrets = (text: string): string => {
  let masked = pass(text);
  // What was masked ends a word: a form beside it may stand alone now.
  for (let before = text; masked !== before; ) {
    before = masked;
    masked = pass(before);
  }
  return masked;
};

/** How many values the text has lost. */
export const countMasked = (text: string): number => text.split(MASK).length - 1;

export interface LiveMask {
  /** What can be shown of a text that grew since it was last asked for. */
  next(text: string): string;
}

/**
 * `maskSecrets` for a text that is being written: the last word is held back, because it may become a secret, and so is
 * a private key until its end has come. Looks at each line once more than it grew.
 */
export const createLiveMask = (): LiveMask => {
  let seen = "";
  /** Lines up to here are masked for good. */
  let settled = 0;
  let shown = "";
  return {
    next: (text) => {
      if (!text.startsWith(seen)) [settled, shown] = [0, ""];
      seen = text;
      const certain = certainOf(text.slice(settled));
      const line = wholeLines(certain);
      shown += maskSecrets(certain.slice(0, line));
      settled += line;
      return shown + maskSecrets(certain.slice(line));
    },
  };
};

/** Without the last word, and without what follows the first line of a key that may still go on. */
const certainOf = (text: string): string => {
  let end = text.length;
  while (end > 0 && isOfWord(text.charCodeAt(end - 1))) end -= 1;
  const whole = text.slice(0, end);
  const open = keysIn(whole).find(({ isOpen }) => isOpen);
  return open === undefined ? whole : whole.slice(0, open.from);
};

/** Every form is made of these. */
const isOfWord = (unit: number): boolean => unit > 32 && unit < 127;

/** How much of it are lines that nothing after them concerns: no key begins in one and ends in another. */
const wholeLines = (text: string): number =>
  // From the last key to the first: the line that one begins in may be the line that the one before ends in.
  keysIn(text).reduceRight(
    (line, { from, to }) => (line > from && line <= to ? text.lastIndexOf("\n", from - 1) + 1 : line),
    text.lastIndexOf("\n") + 1,
  );

const pass = (text: string): string =>
  FORMS.reduce(
    (left, { hints, mask }) => (hints.some((hint) => left.includes(hint)) ? mask(left) : left),
    text,
  );

interface Form {
  /** One of these is in every text that has the form. */
  readonly hints: readonly string[];
  readonly mask: (text: string) => string;
}

/** What the pattern finds is masked, but for its group `kept`. */
const form = (hints: readonly string[], pattern: RegExp): Form => ({
  hints,
  mask: (text) =>
    text.replaceAll(pattern, (whole: string, ...rest: readonly unknown[]) => {
      const groups = rest.at(-1);
      const kept =
        typeof groups === "object" && groups !== null && "kept" in groups ? String(groups.kept) : "";
      return whole.length - kept.length < MASK.length ? whole : `${kept}${MASK}`;
    }),
});

/** A user name with its password in an address. */
const maskLogins = (text: string): string =>
  text.replaceAll(LOGINS, (whole: string, user: string, password: string) =>
    whole.length < MASK.length || user === password || PLACEHOLDER.test(password) ? whole : MASK,
  );

/** Not the name of an image with its digest. */
const LOGINS = /(?<=:\/\/)((?:(?![/?#@:<>"'`])[!-~]){0,128}):((?:(?![/?#<>"'`])[!-~]){1,256})(?=@(?!sha\d))/g;

/** What stands in documentation, and variables. */
const PLACEHOLDER =
  /^(?:[$%*{[(].*|x+|\.+|(?:my|your|the)?[-_]?(?:user[-_]?)?(?:pass|password|passwd|pw|pwd|secret|token|key)[-_]?(?:here)?)$/i;

/** The lines around a private key stay, so that people see what it was. */
const maskKeys = (text: string): string => {
  let masked = "";
  let at = 0;
  for (const { from, to } of keysIn(text)) {
    if (from < at || !KEY_MATERIAL.test(text.slice(from, to))) continue;
    masked += text.slice(at, from) + MASK;
    at = to;
  }
  return masked + text.slice(at);
};

interface Key {
  /** Behind its first line. */
  readonly from: number;
  /** Before its last line; where that is missing, behind what looks like lines of a key. */
  readonly to: number;
  /** The last line may still come. */
  readonly isOpen: boolean;
}

const keysIn = (text: string): readonly Key[] =>
  text.includes("PRIVATE KEY")
    ? Array.from(text.matchAll(KEY_BEGINS), ({ index, 0: begin }) => keyAt(text, index + begin.length))
    : [];

const keyAt = (text: string, from: number): Key => {
  const inside = text.slice(from, from + LONGEST_KEY);
  const end = inside.search(KEY_END);
  if (end !== -1) return { from, to: from + end, isOpen: false };
  const lines = KEY_LINES.exec(inside)?.[0].length ?? 0;
  return { from, to: from + lines, isOpen: inside.length < LONGEST_KEY };
};

const KEY_BEGINS = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
/** UTF-16 code units between the two lines: twice an RSA key of 16,384 bits. */
const LONGEST_KEY = 24_576;
const KEY_MATERIAL = /[A-Za-z0-9+/=]{16}/;
/** Lines of a key whose end is missing: as they are, in a diff, a quote or a string of a program. */
const KEY_LINES = /^(?:(?:\s|\\[nrt]|["',>|#-]){0,32}[A-Za-z0-9+/=]{24,256})+/;

/** `\\?` before a mark that Markdown would take: a model may have escaped it. */
const FORMS: readonly Form[] = [
  { hints: ["PRIVATE KEY"], mask: maskKeys },
  { hints: ["://"], mask: maskLogins },
  // Amazon: the identifier, and the secret where its usual name stands before it.
  form(["AKIA", "ASIA"], /(?<![A-Za-z0-9])A[KS]IA[A-Z2-7]{16}(?![A-Za-z0-9])/g),
  form(
    ["ecret", "ECRET"],
    /(?<kept>aws\\?_?secret\\?_?(?:access\\?_?)?key["'`]?[ \t]{0,8}[=:]{1,2}[ \t]{0,8}["'`]?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/gi,
  ),
  // GitHub, GitLab.
  form(["ghp", "gho", "ghu", "ghs", "ghr"], /(?<![A-Za-z0-9])gh[pousr]\\?_[A-Za-z0-9]{36,255}/g),
  form(["github"], /(?<![A-Za-z0-9])github\\?_pat\\?_[A-Za-z0-9]{22}\\?_[A-Za-z0-9]{50,90}/g),
  form(
    ["gl"],
    /(?<![A-Za-z0-9])gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas|ffct)-[A-Za-z0-9_-]{20,256}(?:\.[a-z0-9.]{1,64})?/g,
  ),
  // Slack, Discord: tokens and the addresses of webhooks.
  form(["xox"], /(?<![A-Za-z0-9])xox[abeoprs](?:\.xox[bp])?-\d[A-Za-z0-9-]{20,512}/g),
  form(["xapp-"], /(?<![A-Za-z0-9])xapp-\d-[A-Z0-9]{6,20}-\d{6,20}-[a-f0-9]{32,128}/g),
  form(
    ["hooks.slack"],
    /(?<kept>hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/[A-Z0-9]{6,20}\/[A-Z0-9]{6,20}\/)[A-Za-z0-9/]{16,128}/g,
  ),
  form(
    ["."],
    /(?<![A-Za-z0-9_-])(?:[MNO][A-Za-z0-9]{3}){5,7}[A-Za-z0-9_-]{0,4}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,64}(?![A-Za-z0-9_-])/g,
  ),
  form(
    ["/webhooks/"],
    /(?<kept>discord(?:app)?\.com\/api(?:\/v\d{1,2})?\/webhooks\/\d{15,22}\/)[A-Za-z0-9_-]{60,128}/g,
  ),
  // Models: Anthropic, OpenAI, OpenRouter, Groq, xAI, Hugging Face.
  form(["sk-ant-"], /(?<![A-Za-z0-9])sk-ant-[A-Za-z0-9_-]{24,256}/g),
  form(
    ["sk-"],
    /(?<![A-Za-z0-9])sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{40,256}|or-v1-[a-f0-9]{64}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})(?![A-Za-z0-9])/g,
  ),
  form(["gsk"], /(?<![A-Za-z0-9])gsk\\?_[A-Za-z0-9]{52}(?![A-Za-z0-9])/g),
  form(["xai-"], /(?<![A-Za-z0-9])xai-[A-Za-z0-9]{80}(?![A-Za-z0-9])/g),
  form(["hf"], /(?<![A-Za-z0-9])hf\\?_[A-Za-z0-9]{34}(?![A-Za-z0-9])/g),
  // Google.
  form(["AIza"], /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g),
  form(["GOCSPX-"], /GOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])/g),
  form(["ya29."], /(?<![A-Za-z0-9])ya29\.[A-Za-z0-9_-]{50,2048}/g),
  form(["1//0"], /(?<![A-Za-z0-9/])1\/\/0[A-Za-z0-9_-]{60,256}/g),
  // Stripe.
  form(
    ["k_live", "k_test", "k\\_live", "k\\_test"],
    /(?<![A-Za-z0-9])[sr]k\\?_(?:live|test)\\?_[A-Za-z0-9]{16,255}/g,
  ),
  form(["whsec"], /(?<![A-Za-z0-9])whsec\\?_[A-Za-z0-9+/]{32,64}/g),
  // Package registries.
  form(["npm"], /(?<![A-Za-z0-9])npm\\?_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g),
  form(["pypi-AgE"], /pypi-AgE[A-Za-z0-9_-]{50,1024}/g),
  form(["dckr"], /(?<![A-Za-z0-9])dckr\\?_pat\\?_[A-Za-z0-9_-]{27,64}/g),
  // Hosts and services.
  form(["_v1_", "\\_v1"], /(?<![A-Za-z0-9])do[opr]\\?_v1\\?_[a-f0-9]{64}/g),
  form(["AccountKey="], /(?<kept>AccountKey=)[A-Za-z0-9+/]{86}==/g),
  form(["SG."], /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g),
  form(["shp"], /(?<![A-Za-z0-9])shp(?:at|ca|pa|ss)\\?_[a-fA-F0-9]{32}(?![A-Za-z0-9])/g),
  form(["glsa"], /(?<![A-Za-z0-9])glsa\\?_[A-Za-z0-9]{32}\\?_[a-fA-F0-9]{8}(?![A-Za-z0-9])/g),
  form([":AA"], /(?<![A-Za-z0-9])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g),
  form(["AGE-SECRET-KEY-1"], /AGE-SECRET-KEY-1[A-Z0-9]{58}/g),
  // Signed tokens of whichever service.
  form(
    ["eyJ"],
    /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,2048}\.eyJ[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{16,2048}/g,
  ),
];
