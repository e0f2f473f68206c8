/** Output is redacted before a cut. At the gap in longer output, text that could be half of a secret is removed (BASH-001). */
import type { Output } from "../../../sandbox/types.ts";
import type { Redactor } from "../../text/secrets/known-values.ts";
import { terminalPlainText, withoutControls } from "./terminal.ts";

/** Bytes of UTF-8 that are passed uncut. */
export const MAX_OUTPUT = 131_072;

/** Bytes kept from each end of a longer output. */
const ENDS = 4096;

export const KEEP = { head: 262_144, tail: 262_144 } as const;

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

/** Text up to the last complete character: a streaming decoder holds back a character whose last bytes are missing. */
const decodedHead = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true });

/** Drops the last bytes of a character whose first byte is missing; at most three. */
const wholeStart = (bytes: Buffer): Buffer => {
  const start = bytes.subarray(0, 3).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return bytes.subarray(start === -1 ? 3 : start);
};
