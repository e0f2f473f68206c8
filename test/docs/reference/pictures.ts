/**
 * Golden threads as pictures for the guides: SVG, drawn from the transcripts line by line, so that what a guide
 * shows is what people read. Pure.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../app/cli/host.ts";

/** What the guides show: of each picture, the golden thread that it is drawn from. */
const PICTURES = {
  "slack-question": "01-first-question.slack",
  "slack-change": "04-change.slack",
  "discord-question": "02-citations.discord",
  "discord-change": "04-change.discord",
  result: "16-applied.slack",
  "held-command": "05-held-command.slack",
} as const;

/** Paths and texts of all pictures. */
export const pictures = (): readonly (readonly [path: string, svg: string])[] =>
  Object.entries(PICTURES).map(([name, golden]) => [
    join(root, "docs", "threads", `${name}.svg`),
    pictureOf(readFileSync(join(root, "test", "threads", "golden", `${golden}.txt`), "utf8")),
  ]);

const WIDTH = 760;
const LEFT = 20;
const LINE = 20;
/** Characters of a line of text, of small print and of code. */
const WRAP = { text: 96, small: 112, code: 84 } as const;

type Style = "name" | "text" | "quote" | "code" | "small" | "deed" | "buttons" | "gap";

interface Drawn {
  readonly style: Style;
  readonly text: string;
}

const pictureOf = (transcript: string): string => {
  const lines = drawnOf(transcript);
  const height = lines.length * LINE + 2 * LEFT;
  const body = lines.map((line, index) => shapeOf(line, LEFT + (index + 1) * LINE - 6)).join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">
<rect width="${WIDTH}" height="${height}" rx="8" fill="#ffffff" stroke="#d0d7de"/>
${body}
</svg>
`;
};

/** Before the rows of a plan, which nobody has opened. */
const FOLDED = ">> ";

const drawnOf = (transcript: string): readonly Drawn[] => {
  let isCode = false;
  const drawn: Drawn[] = [];
  for (const line of transcript.trimEnd().split("\n")) {
    if (line.startsWith(FOLDED)) continue;
    if (line.startsWith("```")) isCode = !isCode;
    else for (const text of wrapped(plain(line), styleOf(line, isCode))) drawn.push(text);
  }
  return drawn;
};

const styleOf = (line: string, isCode: boolean): Style => {
  if (isCode) return "code";
  if (line === "") return "gap";
  if (/^@?\w+(?: \([a-z]+\))*(?:, [^:]+)?:$/.test(line)) return "name";
  if (/^\[[^\]]+\](?: \[[^\]]+\])*$/.test(line)) return line.startsWith("[@") ? "deed" : "buttons";
  if (line.startsWith("> ")) return "quote";
  return /^(?:-# |plan: |file: |\[file |Changed |Asked for |(?:Unr|R)estricted )|· (?:Unr|R)estricted$/.test(
    line,
  )
    ? "small"
    : "text";
};

/** Without the marks of either platform. */
const plain = (line: string): string =>
  line
    .replaceAll(/\[([^\]]+)\]\(<[^>]*>\)/g, "$1")
    .replaceAll(/<[^|>]*\|([^>]*)>/g, "$1")
    .replaceAll(/\*\*?([^*]+)\*\*?/g, "$1")
    .replaceAll("`", "")
    .replace(/^-# /, "")
    .replace(/^> /, "")
    .replace(/^plan: /, "▸ ")
    .replace(/^\[file (.*)\]$/, "file: $1")
    .replace(/^\[(@.*)\]$/, "$1")
    .replaceAll(/\\(?=\W)/g, "")
    .replace(/N s(?= · (?:Unr|R)estricted$)/, "4 s")
    .replaceAll("N s", "12 s")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

const wrapped = (text: string, style: Style): readonly Drawn[] => {
  const width = style === "code" ? WRAP.code : style === "small" ? WRAP.small : WRAP.text;
  const lines = [""];
  for (const word of style === "code" ? [text.slice(0, width)] : text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines.map((line) => ({ style, text: line }));
};

const LOOK: Readonly<Record<Exclude<Style, "buttons" | "gap">, string>> = {
  name: 'font-weight="bold" font-size="14" fill="#1f2328"',
  text: 'font-size="14" fill="#1f2328"',
  quote: 'font-size="14" fill="#57606a" font-style="italic"',
  code: 'font-size="12" fill="#1f2328" font-family="monospace" xml:space="preserve"',
  small: 'font-size="12" fill="#57606a"',
  deed: 'font-size="12" fill="#0969da" font-style="italic"',
};

const FONT = 'font-family="system-ui, sans-serif"';

const shapeOf = ({ style, text }: Drawn, y: number): string => {
  if (style === "gap") return "";
  if (style === "buttons") return buttonsOf(text, y);
  const x = style === "quote" || style === "code" ? LEFT + 12 : LEFT;
  const font = style === "code" ? "" : ` ${FONT}`;
  const bar =
    style === "quote" ? `<rect x="${LEFT}" y="${y - 14}" width="3" height="${LINE}" fill="#d0d7de"/>` : "";
  return `${bar}<text x="${x}" y="${y}"${font} ${LOOK[style]}>${escaped(text)}</text>`;
};

const buttonsOf = (text: string, y: number): string => {
  let x = LEFT;
  return [...text.matchAll(/\[([^\]]+)\]/g)]
    .map(([, label = ""]) => {
      const width = label.length * 7 + 20;
      const at = x;
      x += width + 8;
      return `<rect x="${at}" y="${y - 14}" width="${width}" height="18" rx="4" fill="#f6f8fa" stroke="#d0d7de"/><text x="${at + 10}" y="${y}" ${FONT} font-size="12" fill="#1f2328">${escaped(label)}</text>`;
    })
    .join("");
};

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
