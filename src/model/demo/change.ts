/**
 * The station of a change: find the file, ask a person for write access, add a line, show the diff. It goes on only
 * where the step before came out; a denial ends it.
 */

import { fenced, inlineCode, shortened } from "./markdown.ts";
import { bash, finalReply, type Reply } from "./reply.ts";
import { quoted, quotedPath } from "./shell.ts";
import { type DemoTurn, type Done, results } from "./turn.ts";

const LINE = "Parley's demo model added this line to show an approval, a patch and a diff.";

/** `text`: what a person wants to have added; `file` may lack its folder and its ending. */
export const change = (turn: DemoTurn, text = LINE, file = "README"): Reply => {
  const [looked, diff] = results(turn, "bash");
  if (looked === undefined) return { text: "First I look for the file.", calls: [bash(lookCommand(file))] };
  if (looked.isError)
    return finalReply(
      `The look at the files failed, so I change nothing:\n\n${fenced(shortened(looked.text, 2000))}`,
    );
  const names = looked.text.split("\n").filter((name) => /^[^\0:]{1,300}$/.test(name));
  const path = names.find((name) => !name.includes("/")) ?? names[0];
  if (path === undefined) return finalReply("I found no file to add a line to, so I change nothing.");
  const patched = results(turn, "patch").at(-1);
  if (patched !== undefined) return report(path, patched, diff);
  return turn.mayWrite ? write(path, text) : afterQuestion(turn, path, text);
};

/** The file wherever it is, with or without its ending, capital or not. */
const lookCommand = (file: string): string =>
  `git ls-files -- ${quoted(`:(top,icase,glob)**/${file.replaceAll(/[*?[\]\\]/g, "?")}*`)} | head -n 5`;

/** Restricted, as far as the messages say: a person has to agree first. */
const afterQuestion = (turn: DemoTurn, path: string, text: string): Reply => {
  const asked = results(turn, "request_mode_upgrade").at(-1);
  if (asked === undefined) {
    const reason = `Add one line at the end of ${path}: ${text}`;
    return {
      text: "Writing needs a person's approval. I ask for it; the reason says what I would change.",
      calls: [{ name: "request_mode_upgrade", input: { reason } }],
    };
  }
  if (!asked.isError || asked.text.startsWith("Already in Unrestricted mode")) return write(path, text);
  return finalReply(
    `I stop here and change nothing. The answer to my request was: ${inlineCode(asked.text, 300)}\n\nThe conversation stays in Restricted mode: the kernel lets my tools read the working directory and nothing else, whatever I say or try. Ask again whenever you like.`,
  );
};

const write = (path: string, text: string): Reply => ({
  text: `I patch ${inlineCode(path)} and then show the difference.`,
  calls: [
    {
      name: "patch",
      input: { path, patches: [{ operation: "append_eof", newText: `\n${text}\n` }] },
    },
    bash(`git add -N -- ${quotedPath(path)} && git diff -- ${quotedPath(path)}`),
  ],
});

const report = (path: string, patched: Done, diff: Done | undefined): Reply => {
  if (patched.isError) {
    return finalReply(
      `The patch was refused and ${inlineCode(path)} is as it was: ${inlineCode(patched.text, 300)}`,
    );
  }
  const shown =
    diff === undefined || diff.isError || diff.text.trim() === ""
      ? "I could not show the difference."
      : `This is what \`git diff\` says:\n\n${fenced(shortened(diff.text.trim(), 6000), "diff")}`;
  return finalReply(
    `I added one line at the end of ${inlineCode(path)}. ${shown}\n\nNothing is committed. The conversation is in Unrestricted mode now; *Restrict* takes write access away again at once.`,
  );
};
