// oxlint-disable no-control-regex -- taking control characters out is what this file is for
/** Command output as plain text: what a person would read after a terminal has drawn it. Pure. */

const CSI = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?/g;
/** Titles, links and other strings for the terminal; one that is never closed ends with its line. */
const STRING =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?/g;
const ESCAPE = /\u001b[ -/]*[0-~]?/g;
/** A character struck over by the next one. */
const OVERSTRIKE = /[^\n\b]\u0008/g;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Decodes UTF-8 (a wrong byte becomes U+FFFD) and takes out escape sequences, overwritten text and control characters. */
export const plainText = (bytes: Uint8Array): string => withoutControls(new TextDecoder().decode(bytes));

/** The same for text that is already decoded. Idempotent; line feeds and tabs stay. */
export const withoutControls = (text: string): string =>
  text
    .replace(STRING, "")
    .replace(CSI, "")
    .replace(ESCAPE, "")
    .replace(OVERSTRIKE, "")
    .split("\n")
    .map(lastDrawn)
    .join("\n")
    .replace(CONTROL, "");

/** What a carriage return let the rest of the line overwrite (progress bars) is gone. */
const lastDrawn = (line: string): string => {
  let end = line.length;
  while (line[end - 1] === "\r") end -= 1;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
};
