/**
 * Demo of a change: finds the file, asks a person for write access, adds a line. Each step requires that the previous step
 * succeeded; a denial ends the demo.
 */

import { fenced, inlineCode, shortenForDemo } from "./markdown.ts";
import { bash, type DemoReply, type DemoScene, demoStep } from "./reply.ts";
import { quoteForShell } from "./shell.ts";
import type { DemoCallResult, DemoTurn } from "./turn.ts";

const LINE = "Parley's demo model added this line to show an approval, a patch and a diff.";
const ASK = "request_mode_upgrade";

/** `text`: line that a person wants to add. The folder and the extension may be missing in `file`. */
export function* change(turn: DemoTurn, text = LINE, file = "README"): DemoScene {
  const looked = yield* demoStep("First I look for the file.", bash(lookCommand(file)));
  if (looked.isError)
    return `The look at the files failed, so I change nothing:\n\n${fenced(shortenForDemo(looked.text, 2000))}`;
  const names = looked.text.split("\n").filter((name) => /^[^\0:]{1,300}$/.test(name));
  const path = names.find((name) => !name.includes("/")) ?? names[0];
  if (path === undefined) return "I found no file to add a line to, so I change nothing.";
  // The messages show Restricted, so a person must approve first.
  if (!turn.mayWrite || turn.calls.some(({ name }) => name === ASK)) {
    const refused = yield* requestWrite(`Add one line at the end of ${path}: ${text}`);
    if (refused !== null) return refused;
  }
  const patches = [{ operation: "append_eof", newText: `\n${text}\n` }];
  const patched = yield* demoStep(`I add the line to ${inlineCode(path)}.`, {
    name: "patch",
    input: { path, patches },
  });
  return patched.isError
    ? `The patch was refused and ${inlineCode(path)} is as it was: ${inlineCode(patched.text, 300)}`
    : `I added one line at the end of ${inlineCode(path)}. Nothing is committed. The conversation is in Unrestricted mode now; *Restrict* takes write access away again at once.`;
}

/** Asks a person for write access. Returns null after an approval, otherwise the final text. */
export function* requestWrite(
  reason: string,
): Generator<DemoReply, string | null, readonly DemoCallResult[]> {
  const said = "Writing needs a person's approval. I ask for it; the reason says what I would change.";
  const asked = yield* demoStep(said, { name: ASK, input: { reason } });
  return asked.isError && !asked.text.startsWith("Already in Unrestricted mode")
    ? `I stop here and change nothing. The answer to my request was: ${inlineCode(asked.text, 300)}\n\nThe conversation stays in Restricted mode: the kernel lets my tools read the working directory and nothing else, whatever I say or try. Ask again whenever you like.`
    : null;
}

/** Finds the file in any directory, with or without its extension, in upper or lower case. */
export const lookCommand = (file: string): string =>
  `git ls-files -- ${quoteForShell(`:(top,icase,glob)**/${file.replaceAll(/[*?[\]\\]/g, "?")}*`)} | head -n 5`;
