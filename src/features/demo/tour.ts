/** The stations of the tour besides questions and changes: each shows one thing that the host does. */

import { fenced, shortened } from "./markdown.ts";
import { bash, type DemoScene, step } from "./reply.ts";
import type { DemoTurn, DemoCallResult } from "./turn.ts";

export const help =
  (): string => `I am Parley's **demo model**: a script that drives the real tools under the real sandbox, so that you can see how a conversation works before you set a key. Say one of these:

| Say | and see |
|---|---|
| \`where is the retry policy implemented?\` | a question about the repository, answered with \`path:line\` from what the tools really found |
| \`draft a change\` | a change that is rehearsed in a copy, tested and shown as it will be: **Apply** it, or ask for changes |
| \`add a line to README\` | a request for write access: **Approve** or **Deny** it; then a patch, whose diff the host shows |
| \`long answer\` | 40 KB of Markdown as it streams |
| \`slow command\` | a command that takes 20 seconds: press **Stop** in the middle |
| \`denied write\` | the kernel refusing a write in Restricted mode |

Any other message is taken for a question and searched for.`;

export function* slow(): DemoScene {
  const done = yield* step(
    "I run a command that takes 20 seconds. Press **Stop** while it runs: it and everything it started is gone at once.",
    bash('for step in $(seq 1 20); do echo "step $step of 20"; sleep 1; done'),
  );
  return `${done.isError ? "The command did not finish" : "The command finished"}; its last lines were:\n\n${tail(done)}`;
}

export function* deniedWrite(): DemoScene {
  const done = yield* step(
    "I try to create a file without asking anybody.",
    bash("touch parley-demo.txt && echo 'the file was created' && rm -- parley-demo.txt"),
  );
  return done.isError
    ? `The kernel refused:\n\n${tail(done)}\n\nNo rule of mine did that: in Restricted mode the process that runs a command can write nothing in the working directory and reach no network, whatever the command is and whoever asks. Only a person's click on **Approve** changes it. Say \`add a line to README\` to see that.`
    : `It worked, so this conversation is in Unrestricted mode:\n\n${tail(done)}\n\nI removed the file again. Press **Restrict** and say \`denied write\` once more to see the kernel refuse.`;
}

/** What came with pictures. */
export const pictures = ({ images, said }: DemoTurn): string => {
  const [many, them] = images === 1 ? ["One picture", "it"] : [`${images} pictures`, "them"];
  const alone =
    said.trim() === "" ? "" : " Send the words without the picture and I search the repository for them.";
  return `${many} came with your message, and a real model would look at ${them} now. A script has no eyes.${alone}`;
};

const tail = (done: DemoCallResult): string => {
  const lines = done.text.trim().split("\n");
  return fenced(shortened(lines.slice(-12).join("\n"), 2000));
};
