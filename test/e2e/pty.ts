/** A command in a pseudo-terminal, as a person sees it. Nothing is typed before its prompt is displayed. */

import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";

export interface PtySession {
  /** Everything that was displayed. */
  readonly screen: () => string;
  /** Resolves with the new text when it matches. Rejects if the command ends before. */
  readonly until: (pattern: RegExp) => Promise<string>;
  /** Types one line and Enter. */
  readonly type: (line: string) => void;
  /** Presses keys without Enter. */
  readonly press: (keys: string) => void;
  /** Lines that were typed. */
  readonly inputs: () => number;
  readonly ended: Promise<number>;
}

const nothing = (): void => undefined;

/** The program `script` makes the terminal. */
export const startInPty = (
  command: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): PtySession => {
  const child = spawn("script", ["-qefc", command.map(quoted).join(" "), "/dev/null"], {
    cwd,
    env: { ...env, TERM: "xterm", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let screen = "";
  let from = 0;
  let inputs = 0;
  let exit: number | null = null;
  let look: () => void = nothing;
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text: string) => {
    screen += text;
    look();
  });
  const ended = new Promise<number>((resolve) => {
    child.once("close", (code) => {
      exit = code ?? 1;
      look();
      resolve(exit);
    });
  });
  return {
    screen: () => screen,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        look = () => {
          const found = pattern.exec(screen.slice(from));
          if (found !== null) {
            look = nothing;
            const text = screen.slice(from);
            from += found.index + found[0].length;
            resolve(text);
          } else if (exit !== null) reject(new Error(`it ended with ${exit} before ${pattern}:\n${screen}`));
        };
        look();
      }),
    type: (line) => {
      inputs += 1;
      child.stdin.write(`${line}\r`);
    },
    press: (keys) => void child.stdin.write(keys),
    inputs: () => inputs,
    ended,
  };
};

const quoted = (part: string): string => `'${part.replaceAll("'", `'\\''`)}'`;
