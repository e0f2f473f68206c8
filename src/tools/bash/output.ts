/**
 * The text of a command's output as the model gets it: plain, without secrets, bounded (BASH-001). Pure.
 *
 * The sandbox keeps KEEP bytes while the output streams. Up to there the text is cleaned and redacted whole and
 * then cut; beyond, its two kept ends are, and what could be half a secret at the gap goes too.
 */
import type { Output } from "../../../sandbox/types.ts";
import type { Redactor } from "../../text/secrets/known-values.ts";
import { terminalPlainText, withoutControls } from "./terminal.ts";

/** Bytes of UTF-8 that are passed on whole. */
export const MAX_OUTPUT = 131_072;

/** Bytes kept from each end of a longer output. */
const ENDS = 4096;

/** What the sandbox is asked to hold of one command's output. */
export const KEEP = { head: 262_144, tail: 262_144 } as const;

/** The output of a command that has ended. */
export const outputText = (output: Pick<Output, "head" | "tail" | "total">, redactor: Redactor): string => {
  if (output.total <= output.head.length + output.tail.length) {
    const text = redactor.text(terminalPlainText(Buffer.concat([output.head, output.tail])));
    const bytes = Buffer.from(text);
    return bytes.length <= MAX_OUTPUT ? text : truncated(bytes.length, bytes, bytes);
  }
  const head = redactor.cutAfter(withoutControls(decodedHead(output.head)));
  const tail = redactor.cutBefore(terminalPlainText(wholeStart(output.tail)));
  return truncated(output.total, Buffer.from(head), Buffer.from(tail));
};

const truncated = (got: number, head: Buffer, tail: Buffer): string =>
  `[output truncated in middle: got ${got}, max is ${MAX_OUTPUT}]\n` +
  `${decodedHead(head.subarray(0, ENDS))}\n\n[snip]\n\n${wholeStart(tail.subarray(-ENDS)).toString()}`;

/** Text up to the last whole character: a stream's decoder waits for the rest of one whose last bytes were cut off. */
const decodedHead = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true });

/** Without the last bytes of a character whose first was cut off; there are three at most. */
const wholeStart = (bytes: Buffer): Buffer => {
  const start = bytes.subarray(0, 3).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return bytes.subarray(start === -1 ? 3 : start);
};
