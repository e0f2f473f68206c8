/**
 * The script for a change: look, ask a person for write access, patch, show the diff. It goes on only where the
 * step before came out; a denial ends it.
 */

import type { Edit } from "./edit.ts";
import { fenced, inlineCode, shortened } from "./markdown.ts";
import { plannedPatch, type PlannedPatch } from "./planned-patch.ts";
import { bash, commandOf, type DemoCall, finalReply, type Reply } from "./reply.ts";
import { quoted, quotedPath } from "./shell.ts";
import { type DemoTurn, results } from "./turn.ts";

export const change = (turn: DemoTurn, edit: Edit): Reply => {
  const looked = results(turn, "bash").find((done) => commandOf(done) === lookCommand(edit));
  if (looked === undefined) {
    return turn.rounds.length === 0
      ? { text: `${announced(edit)}First I look at what is there.`, calls: [bash(lookCommand(edit))] }
      : finalReply(
          "The look at the files did not come through, so I change nothing. Say it again to try once more.",
        );
  }
  if (looked.isError)
    return finalReply(
      `The look at the files failed, so I change nothing:\n\n${fenced(shortened(looked.text, 2000))}`,
    );
  const patch = plannedPatch(edit, looked.text);
  if (patch === null) return finalReply(notFound(edit));
  const patched = results(turn, "patch").at(-1);
  if (patched !== undefined) return report(turn, patch, patched);
  return turn.mayWrite ? write(patch) : afterQuestion(turn, patch);
};

const announced = (edit: Edit): string =>
  edit.kind === "append" && edit.text === null
    ? "A script cannot think up a change, so I add one harmless line to show how a change goes. "
    : "";

/** Finds the files in question, or the lines. */
const lookCommand = (edit: Edit): string => {
  if (edit.kind === "append") return `git ls-files -- ${quoted(pathspec(edit.file ?? "README"))} | head -n 5`;
  const where = edit.file === null ? "" : ` -- ${quoted(pathspec(edit.file))}`;
  return `git grep -nIF -e ${quoted(edit.from)}${where} | head -n 20`;
};

/** The file wherever it is, with or without its ending, capital or not. */
const pathspec = (file: string): string => `:(top,icase,glob)**/${file.replaceAll(/[*?[\]\\]/g, "?")}*`;

const notFound = (edit: Edit): string =>
  edit.kind === "replace"
    ? `${inlineCode(edit.from)} does not stand in ${edit.file === null ? "this repository" : inlineCode(edit.file)}, so I ask for nothing and change nothing.`
    : "I found no file to add a line to, so I change nothing.";

/** Restricted, as far as the messages say: a person has to agree first. */
const afterQuestion = (turn: DemoTurn, patch: PlannedPatch): Reply => {
  const asked = results(turn, "request_mode_upgrade").at(-1);
  if (asked === undefined) {
    return {
      text: `Writing needs a person's approval. I ask for it; the reason says what I would change.`,
      calls: [{ name: "request_mode_upgrade", input: { reason: patch.reason } }],
    };
  }
  if (!asked.isError || asked.text.startsWith("Already in Unrestricted mode")) return write(patch);
  return finalReply(
    `I stop here and change nothing. The answer to my request was: ${inlineCode(asked.text, 300)}\n\nThe conversation stays in Restricted mode: the kernel lets my tools read the working directory and nothing else, whatever I say or try. Ask again whenever you like.`,
  );
};

const write = (patch: PlannedPatch): Reply => ({
  text: `I patch ${inlineCode(patch.path)} and then show the difference.`,
  calls: [patch.call, showDiff(patch)],
});

const showDiff = ({ path }: PlannedPatch): DemoCall =>
  bash(`git add -N -- ${quotedPath(path)} && git diff -- ${quotedPath(path)}`);

const report = (turn: DemoTurn, patch: PlannedPatch, patched: { text: string; isError: boolean }): Reply => {
  if (patched.isError) {
    return finalReply(
      `The patch was refused and ${inlineCode(patch.path)} is as it was: ${inlineCode(patched.text, 300)}`,
    );
  }
  const diff = results(turn, "bash").find((done) => commandOf(done).includes("git diff"));
  const shown =
    diff === undefined || diff.isError || diff.text.trim() === ""
      ? "I could not show the difference."
      : `This is what \`git diff\` says:\n\n${fenced(shortened(diff.text.trim(), 6000), "diff")}`;
  return finalReply(
    `${patch.done} ${shown}\n\nNothing is committed. The conversation is in Unrestricted mode now; *Restrict* takes write access away again at once.`,
  );
};
