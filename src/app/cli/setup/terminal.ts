/** Reads lines from a terminal in raw mode, so that a pasted secret is never displayed and a paste of several lines is not lost. */

import type { ReadStream, WriteStream } from "node:tty";

export interface Terminal {
  readLine(prompt: string, isSecret: (line: string) => boolean): Promise<string>;
  /** Resolves when the person presses Enter. */
  pressEnter(signal: AbortSignal): Promise<void>;
  /** Drops the lines that were pasted after a refused answer. */
  dropPasted(): void;
  print(line: string): void;
  close(): void;
}

/** `interrupt`: called for Ctrl-C, Ctrl-D and the end of the input. */
export const openTerminal = (input: ReadStream, output: WriteStream, interrupt: () => void): Terminal => {
  let pending = "";
  let reading: { text: string; echo: (text: string) => void; done: (line: string) => void } | null = null;
  let waiting: (() => void) | null = null;
  let isAfterReturn = false;

  /** Returns how much of `pending` is handled. */
  const readKey = (line: NonNullable<typeof reading>): number => {
    const key = firstKey(pending);
    if (key === "\r" || key === "\n") {
      reading = null;
      output.write("\n");
      line.done(line.text);
    } else if (key === "\u0004" && line.text === "") interrupt();
    else if (key === "\u007F" || key === "\b") line.text = line.text.replace(/.$/su, "");
    else if (key === "\u0015") line.text = "";
    else if (!/^\p{Cc}/u.test(key)) line.text += key;
    return key.length;
  };

  const drain = (): void => {
    for (;;) {
      // A terminal sends one character for Enter; a paste may contain both.
      if (isAfterReturn && pending.startsWith("\n")) pending = pending.slice(1);
      const line = reading;
      if (pending === "" || line === null) return;
      isAfterReturn = pending.startsWith("\r");
      pending = pending.slice(readKey(line));
      if (reading !== null && (pending === "" || /^[\r\n]/.test(pending))) line.echo(line.text);
    }
  };

  const take = (chunk: string): void => {
    if (chunk.includes("\u0003")) {
      interrupt();
      return;
    }
    if (waiting !== null && /[\r\n]/.test(chunk)) {
      waiting();
      return;
    }
    pending += chunk;
    drain();
  };

  input.setEncoding("utf8");
  input.setRawMode(true);
  input.on("data", take);
  input.on("end", interrupt);

  return {
    readLine: (prompt, isSecret) =>
      new Promise((done) => {
        output.write(prompt);
        reading = { text: "", done, echo: echoOn(output, isSecret) };
        drain();
      }),
    pressEnter: (signal) =>
      new Promise((resolve) => {
        const end = (): void => {
          waiting = null;
          resolve();
        };
        waiting = end;
        signal.addEventListener("abort", end, { once: true });
      }),
    dropPasted: () => {
      pending = "";
    },
    print: (line) => void output.write(`${line}\n`),
    close: () => {
      input.off("data", take);
      input.off("end", interrupt);
      input.setRawMode(false);
      input.pause();
      reading = null;
    },
  };
};

const ESCAPE = "\u001B";

/** Returns a character, or the sequence of a function key. */
const firstKey = (text: string): string => {
  if (!text.startsWith(ESCAPE)) return /^[^]/u.exec(text)?.[0] ?? "";
  const [sequence = ""] = /^(?:\[[0-9;?]*[ -/]*[@-~]|O.|.)?/u.exec(text.slice(1)) ?? [];
  return ESCAPE + sequence;
};

/** Rewrites the displayed answer after each change. */
const echoOn = (output: WriteStream, isSecret: (line: string) => boolean) => {
  let shown = "";
  return (text: string): void => {
    const next = isSecret(text) ? "•".repeat(Math.min(text.length, MOST_DOTS)) : text;
    const same = next.startsWith(shown) ? shown.length : 0;
    const back = same === 0 ? "\b \b".repeat(shown.length) : "";
    output.write(back + next.slice(same));
    shown = next;
  };
};

/** A longer line would wrap, and the terminal cannot erase it. */
const MOST_DOTS = 40;
