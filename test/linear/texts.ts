/** A grammar of texts that readers stumble over: pieces repeated, led, ended, nested, and in lines. */

/** What repeats. Single marks, and the beginnings of everything that some reader here looks for. */
const PIECES: readonly string[] = [
  ...Array.from("abX0 \t\n\r\\`~!@#$%^&*()-_=+[]{}|;:'\"<>,./?\u00a0\u200b\u200d\u0301\u202eé漢。👩\ud800"),
  "ab",
  "a ",
  " a",
  "a\n",
  " \n",
  "\r\n",
  "a.",
  "a:",
  ".:",
  "a:1 ",
  "a/",
  "1.",
  "1. ",
  "- ",
  "> ",
  ">- ",
  "- a\n",
  "> a\n",
  "```\n",
  "```a\n",
  "``` `\n",
  "`` ` ",
  "`a",
  "**a ",
  "*a_",
  "a*",
  "~~a",
  "[a",
  "[](",
  "](x)",
  "[a](b ",
  "![a](",
  "[a]: b\n",
  "<a ",
  "<a",
  "<!",
  "<!--",
  "<@",
  "<@U1",
  "<@1>",
  "<:a:1",
  "<https://a|",
  "</",
  "&#",
  "&amp;",
  "\\a",
  "\\`",
  "| ",
  "|a",
  "a|b\n-|-\n",
  "|-|-|\n",
  "a|b\n",
  "|`|`",
  "http",
  "https://",
  "https://a.b ",
  "https://a:b@",
  "://a:",
  "www.a",
  "a@b.",
  "a@",
  "discord.gg/",
  "a//",
  "../",
  "a#L1 ",
  "#1 ",
  "PASSWORD=a1",
  "password: ",
  'api_key="',
  "-----BEGIN PRIVATE KEY-----\n",
  "-----BEGIN A ",
  "ghp_a1",
  "ghs_1_eyJ",
  "eyJa.",
  "eyJaaaaaaaaa.eyJaaaaaaaaa.",
  "sk-proj-",
  "auth: a1B2",
  "a=b&",
  "sig=%2",
  "MTIz.",
  "pat1.",
  "LS0tLS1CRUdJTi",
  "\u001b[",
  "\u001b]",
  "\u001b[0;1",
  "a\b",
  "a\r",
  "@@ -1 +1 @@\n",
  "+a\n",
  "-a\n",
  "--- a\n",
  "# a\n",
  "#",
  "===\n",
  "a\n---\n",
  "  - a\n",
  '"a',
  "'a'",
  "(a",
  "($(",
  '{"a":',
  "[[",
  "x said: ",
  "| a\n",
  '<untrusted-quote author="a" time="">\n',
  "[Parley] ",
  "change a to b ",
  "please ",
  "README.md:1 ",
  "1 2\t",
  "+1 ",
  "👩\u200d",
  "‹masked›",
];

/** What a text may begin or end with, so that a reader is led in before it finds the end missing, or there. */
const HEADS: readonly string[] = ["a", "```\n", "README.md:1 ", "rename: ", "PASSWORD=", "[", "<", "://"];
const TAILS: readonly string[] = ["x", "\n", "`", ")", ">"];

/** What stands between them. */
const LED: readonly string[] = [" ", "\t", "-", ".", "a", "a1", "!", "`", ">", "\\", "=", ":", "(", "\n"];

const NESTS: readonly (readonly [string, string])[] = [
  ["(", ")"],
  ["[", "]"],
  ["[", "](x)"],
  ['{"a":', "}"],
  ["<a>", "</a>"],
  ["**", "**"],
  ["*a _", "_ a*"],
  ["> ", "\n"],
  ["`", "``"],
];

export interface Made {
  readonly name: string;
  /** The text with about that many UTF-16 units. */
  of(size: number): string;
}

const repeated = (piece: string, size: number): string =>
  piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

export const TEXTS: readonly Made[] = [
  ...PIECES.map((piece) => ({
    name: JSON.stringify(piece),
    of: (size: number) => repeated(piece, size),
  })),
  ...LED.flatMap((piece) =>
    [...HEADS.map((head) => [head, "x"] as const), ...TAILS.map((tail) => ["", tail] as const)].map(
      ([head, tail]) => ({
        name: `${JSON.stringify(head)} ${JSON.stringify(piece)}… ${JSON.stringify(tail)}`,
        of: (size: number) => head + repeated(piece, size) + tail,
      }),
    ),
  ),
  ...NESTS.map(([open, close]) => ({
    name: `nested ${JSON.stringify(open)} ${JSON.stringify(close)}`,
    of: (size: number) => {
      const depth = Math.ceil(size / (open.length + close.length));
      return `${open.repeat(depth)}a${close.repeat(depth)}`;
    },
  })),
  {
    name: "lines that grow",
    of: (size) => {
      const lines = Array.from({ length: Math.ceil(Math.sqrt(2 * size)) }, (_, length) => "-".repeat(length));
      return lines.join("\n");
    },
  },
  {
    name: "runs of backticks that grow",
    of: (size) =>
      Array.from({ length: Math.ceil(Math.sqrt(2 * size)) }, (_, length) => "`".repeat(length)).join(" "),
  },
  {
    name: "a wide table of short rows",
    of: (size) => `${"a|".repeat(size / 4)}a\n${"-|".repeat(size / 4)}-\n${"|\n".repeat(size / 4)}`,
  },
];
