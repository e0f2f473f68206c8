/** The stations of the tour besides questions and changes: each shows one thing that the host does. */

import { fenced, inlineCode, shortened } from "./markdown.ts";
import { longAnswer } from "./long-answer.ts";
import { bash, finalReply, type Reply } from "./reply.ts";
import { type DemoTurn, type Done, results } from "./turn.ts";

export const help = (): Reply =>
  finalReply(`I am Parley's **demo model**: a script that drives the real tools under the real sandbox, so that you can see how a conversation works before you set a key. Say one of these:

| Say | and see |
|---|---|
| \`where is the retry policy implemented?\` | a question about the repository, answered with \`path:line\` from what the tools really found |
| \`draft a change\` | a change that is rehearsed in a copy, tested and shown as it will be: **Apply** it, or ask for changes |
| \`add a line to README\` | a request for write access: **Approve** or **Deny** it; then a patch and its diff |
| \`change "X" to "Y" in FILE\` | the same for a change of your own |
| \`long answer\` | 40 KB of Markdown as it streams |
| \`slow command\` | a command that takes 20 seconds: press **Stop** in the middle |
| \`failing command\` | how a failure looks |
| \`denied write\` | the kernel refusing a write in Restricted mode |
| \`picture\` | a picture of the repository handed to the model; or paste one |

Any other message is taken for a question and searched for.`);

export const long = (): Reply => finalReply(longAnswer());

export const slow = (turn: DemoTurn): Reply => {
  const done = results(turn, "bash").at(-1);
  return done === undefined
    ? {
        text: "I run a command that takes 20 seconds. Press **Stop** while it runs: it and everything it started is gone at once.",
        calls: [bash('for step in $(seq 1 20); do echo "step $step of 20"; sleep 1; done')],
      }
    : finalReply(
        `${done.isError ? "The command did not finish" : "The command finished"}; its last lines were:\n\n${tail(done)}`,
      );
};

export const failing = (turn: DemoTurn): Reply => {
  const done = results(turn, "bash").at(-1);
  return done === undefined
    ? {
        text: "I run a command that writes to both outputs and ends with status 3.",
        calls: [bash('echo "this is standard output"; echo "this is standard error" >&2; exit 3')],
      }
    : finalReply(
        `${done.isError ? "That failed, as it should" : "That did not fail, which I did not expect"}. The result that a model gets to see is:\n\n${tail(done)}\n\nA failure is a result like any other: the turn goes on.`,
      );
};

export const deniedWrite = (turn: DemoTurn): Reply => {
  const done = results(turn, "bash").at(-1);
  if (done === undefined) {
    return {
      text: "I try to create a file without asking anybody.",
      calls: [bash("touch parley-demo.txt && echo 'the file was created' && rm -- parley-demo.txt")],
    };
  }
  return finalReply(
    done.isError
      ? `The kernel refused:\n\n${tail(done)}\n\nNo rule of mine did that: in Restricted mode the process that runs a command can write nothing in the working directory and reach no network, whatever the command is and whoever asks. Only a person's click on **Approve** changes it. Say \`add a line to README\` to see that.`
      : `It worked, so this conversation is in Unrestricted mode:\n\n${tail(done)}\n\nI removed the file again. Press **Restrict** and say \`denied write\` once more to see the kernel refuse.`,
  );
};

const FIND_PICTURE = "git ls-files -- '*.png' '*.jpg' '*.jpeg' '*.gif' '*.webp' | head -n 1";

export const picture = (turn: DemoTurn): Reply => {
  if (turn.images > 0) {
    const many = turn.images === 1 ? "One picture" : `${turn.images} pictures`;
    return finalReply(
      `${many} came with your message, and a real model would look at ${turn.images === 1 ? "it" : "them"} now. A script has no eyes.${turn.said.trim() === "" ? "" : " Send the words without the picture and I search the repository for them."}`,
    );
  }
  const looked = results(turn, "bash").at(-1);
  const shown = results(turn, "read_image").at(-1);
  if (looked === undefined)
    return { text: "I look for a picture in the repository.", calls: [bash(FIND_PICTURE)] };
  const path = looked.isError ? "" : (looked.text.split("\n")[0]?.trim() ?? "");
  if (shown !== undefined) {
    return finalReply(
      shown.isError
        ? `${inlineCode(path)} could not be read: ${inlineCode(shown.text, 300)}`
        : `\`read_image\` handed me ${inlineCode(path)}${shown.images > 0 ? " as a picture" : ""}. A real model would look at it now; a script has no eyes.`,
    );
  }
  if (path === "")
    return finalReply("This repository has no picture. Paste one into your message to see it taken along.");
  return { text: `I open ${inlineCode(path)}.`, calls: [{ name: "read_image", input: { path } }] };
};

const tail = (done: Done): string => {
  const lines = done.text.trim().split("\n");
  return fenced(shortened(lines.slice(-12).join("\n"), 2000));
};
