// oxlint-disable no-control-regex -- taking control characters out is what this file is for

const SEQUENCES = new RegExp(
  [
    // Titles, links and other strings for the terminal. An unclosed one is kept as text.
    String.raw`\u001b[\]PX^_][^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)`,
    String.raw`\u001b\[[0-?]*[ -/]*[@-~]?`,
    String.raw`\u001b[ -/]*[0-~]?`,
  ].join("|"),
  "g",
);
/** A character that the next one replaces. */
const OVERSTRIKE = /[^\n\b]\u0008/g;
/** One-byte introducers (U+0080 to U+009F) are controls too; text after them in UTF-8 is ordinary text (39.B6). */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+/g;
const ANY = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** An invalid byte becomes U+FFFD. A byte order mark stays. */
export const terminalPlainText = (bytes: Uint8Array): string =>
  withoutControls(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));

/** Idempotent. Line feeds and tabs stay. */
export const withoutControls = (text: string): string => {
  if (!ANY.test(text)) return text;
  let plain = text;
  if (plain.includes("\u001b")) plain = plain.replace(SEQUENCES, "");
  if (plain.includes("\b")) plain = plain.replace(OVERSTRIKE, "");
  if (plain.includes("\r")) plain = plain.split("\n").map(drawn).join("\n");
  return plain.replace(CONTROL, "");
};

/** A redrawn progress bar shows its last state. In other text, carriage returns are line ends, and each line is shown (WG6). */
const drawn = (line: string): string => {
  let end = line.length;
  while (line[end - 1] === "\r") end -= 1;
  const whole = line.slice(0, end);
  if (!whole.includes("\r")) return whole;
  const shown: string[] = [];
  let letters: string | null = null;
  for (const piece of whole.split("\r")) {
    const own = piece.replaceAll(NO_LETTERS, "");
    if (letters !== null && own.startsWith(letters)) shown.pop();
    shown.push(piece);
    letters = own;
  }
  return shown.join("\n");
};

const NO_LETTERS = /[^\p{L}]+/gu;
