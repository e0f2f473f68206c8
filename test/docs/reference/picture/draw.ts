/** A thread as an SVG in the look of its platform. Pure. */

import { type Piece, piecesOf, widthOf, wrap } from "./inline.ts";
import type { Look } from "./looks.ts";
import type { Message, Part } from "./parts.ts";

const WIDTH = 760;
const HEAD = 44;
const EDGE = 20;
const AVATAR = 36;
/** Left edge of texts. */
const LEFT = EDGE + AVATAR + 12;
const ROOM = WIDTH - LEFT - EDGE;
const SIZE = { text: 15, small: 12.5, code: 12.5 } as const;
const LINE = { text: 22, small: 18, code: 18 } as const;
const MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";
const AVATARS: Readonly<Record<string, string>> = {
  parley: "#3f6ad8",
  bob: "#b8543a",
  alice: "#6b4fa0",
  maria: "#2f7d6b",
};

/** `alt`: the description for people who do not see the picture. */
export const drawThread = (messages: readonly Message[], look: Look, alt: string): string => {
  const shapes: string[] = [];
  let y = HEAD + 14;
  for (const message of messages) {
    const { svg, bottom } = drawMessage(message, look, y);
    shapes.push(svg);
    y = bottom + 16;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-label="${escaped(alt)}" font-family="${look.font}">
<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${y - 1}" rx="8" fill="${look.back}" stroke="${look.border}"/>
${textAt(EDGE, 28, look.head, `font-size="15" font-weight="bold" fill="${look.text}"`)}
<path d="M1 ${HEAD}H${WIDTH - 1}" stroke="${look.border}"/>
${shapes.join("\n")}
</svg>
`;
};

interface Drawn {
  readonly svg: string;
  readonly bottom: number;
}

const drawMessage = ({ who, parts }: Message, look: Look, top: number): Drawn => {
  const shapes = [avatar(who, look, top), nameLine(who, look, top + 13)];
  let y = top + 20;
  for (const part of parts) {
    const { svg, bottom } = drawPart(part, look, y);
    shapes.push(svg);
    y = bottom;
  }
  return { svg: shapes.join("\n"), bottom: Math.max(y, top + AVATAR) };
};

const avatar = (who: string, { round }: Look, y: number): string =>
  `<rect x="${EDGE}" y="${y}" width="${AVATAR}" height="${AVATAR}" rx="${round}" fill="${AVATARS[who] ?? "#666666"}"/>${textAt(
    EDGE + AVATAR / 2,
    y + 24,
    who.charAt(0).toUpperCase(),
    'font-size="17" font-weight="bold" fill="#ffffff" text-anchor="middle"',
  )}`;

const nameLine = (who: string, look: Look, y: number): string => {
  const name = textAt(LEFT, y, who, `font-size="15" font-weight="bold" fill="${look.text}"`);
  if (who !== "parley") return name;
  const x = LEFT + widthOf(who, 15) + 12;
  return `${name}<rect x="${x}" y="${y - 12}" width="32" height="15" rx="3" fill="${look.badge.fill}"/>${textAt(
    x + 16,
    y - 1,
    "APP",
    `font-size="10" font-weight="bold" fill="${look.badge.text}" text-anchor="middle"`,
  )}`;
};

const drawPart = (part: Part, look: Look, top: number): Drawn => {
  switch (part.kind) {
    case "text":
      return drawLines(part.lines, look, { top, x: LEFT, kind: "text", fill: look.text });
    case "small":
      return drawLines(part.lines, look, { top, x: LEFT, kind: "small", fill: look.soft });
    case "quote": {
      const { svg, bottom } = drawLines(part.lines, look, {
        top,
        x: LEFT + 16,
        kind: "text",
        fill: look.text,
      });
      const bar = `<rect x="${LEFT}" y="${top + 3}" width="4" height="${bottom - top - 4}" rx="2" fill="${look.border}"/>`;
      return { svg: `${bar}${svg}`, bottom };
    }
    case "plan":
      return drawLines([`▸ ${part.title}`], look, { top, x: LEFT, kind: "small", fill: look.soft });
    case "code":
      return drawCode(part, look, top + 4);
    case "buttons":
      return drawButtons(part, look, top + 8);
  }
};

interface Place {
  readonly top: number;
  readonly x: number;
  readonly kind: "text" | "small";
  readonly fill: string;
}

const drawLines = (lines: readonly string[], look: Look, { top, x, kind, fill }: Place): Drawn => {
  const all = lines.flatMap((line) => wrap(piecesOf(line), ROOM - (x - LEFT), SIZE[kind]));
  const svg = all.map((pieces, index) => {
    const spans = pieces.map((piece) => span(piece, look)).join("");
    return `<text x="${x}" y="${top + (index + 1) * LINE[kind] - 5}" font-size="${SIZE[kind]}" fill="${fill}" xml:space="preserve">${spans}</text>`;
  });
  return { svg: svg.join("\n"), bottom: top + all.length * LINE[kind] };
};

const span = ({ text, style }: Piece, look: Look): string => {
  if (style === "plain") return escaped(text);
  const marks = {
    bold: 'font-weight="bold"',
    code: `font-family="${MONO}" font-size="90%" fill="${look.code}"`,
    link: `fill="${look.link}"`,
    mention: `fill="${look.mention}"`,
  } as const;
  return `<tspan ${marks[style]}>${escaped(text)}</tspan>`;
};

const drawCode = ({ lines, isDiff }: Part & { readonly kind: "code" }, look: Look, top: number): Drawn => {
  const height = lines.length * LINE.code + 14;
  const colorOf = (line: string): string => {
    if (!isDiff || /^(?:\+\+\+|---)/.test(line)) return look.text;
    return line.startsWith("+") ? look.added : line.startsWith("-") ? look.removed : look.text;
  };
  const texts = lines.map((line, index) =>
    textAt(
      LEFT + 10,
      top + (index + 1) * LINE.code + 2,
      line.slice(0, 84),
      `font-family="${MONO}" font-size="${SIZE.code}" fill="${colorOf(line)}" xml:space="preserve"`,
    ),
  );
  return {
    svg: `<rect x="${LEFT}" y="${top}" width="${ROOM}" height="${height}" rx="4" fill="${look.sunk}" stroke="${look.border}"/>${texts.join("")}`,
    bottom: top + height + 4,
  };
};

const BUTTON = { height: 30, gap: 8, size: 13.5 } as const;

const drawButtons = ({ buttons }: Part & { readonly kind: "buttons" }, look: Look, top: number): Drawn => {
  let x = LEFT;
  const svg = buttons.map(({ label, style }) => {
    const width = Math.max(widthOf(label, BUTTON.size) + 24, 44);
    const at = x;
    x += width + BUTTON.gap;
    const { fill, stroke, text } =
      style === "primary" ? { fill: look.primary, stroke: look.primary, text: "#ffffff" } : look.plain;
    const face = textAt(
      at + width / 2,
      top + 20,
      label,
      `font-size="${BUTTON.size}" font-weight="bold" fill="${text}" text-anchor="middle"`,
    );
    return `<rect x="${at}" y="${top}" width="${width}" height="${BUTTON.height}" rx="4" fill="${fill}" stroke="${stroke}"/>${face}`;
  });
  return { svg: svg.join(""), bottom: top + BUTTON.height + 2 };
};

const textAt = (x: number, y: number, text: string, marks: string): string =>
  `<text x="${x}" y="${y}" ${marks}>${escaped(text)}</text>`;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
