/** The station of the draft: a line is added in a copy, tested there and proposed; one click makes exactly that real. */

import { inlineCode } from "./markdown.ts";
import { finalReply, type Reply } from "./reply.ts";
import { type DemoTurn, results } from "./turn.ts";

const LINE = "Parley's demo model rehearsed this line in a draft.";

const ADD = `file=$(git ls-files -- 'README*' | head -n 1); file=\${file:-README.md}; printf '\\n%s\\n' "${LINE}" >> "./$file" && tail -n 3 -- "./$file"`;

export const rehearsal = (turn: DemoTurn): Reply => {
  const [opened, changed, proposed] = ["draft", "bash", "propose"].map((name) => results(turn, name).at(-1));
  const failed = [opened, changed].find((done) => done?.isError);
  if (failed !== undefined) return finalReply(`I stop here: ${inlineCode(failed.text, 300)}`);
  if (opened === undefined) {
    return {
      text: "I open a draft: a copy of the checkout that I may change without asking anybody.",
      calls: [{ name: "draft", input: {} }],
    };
  }
  if (changed === undefined) {
    return {
      text: "I add a line in the draft. The checkout stays as it is.",
      calls: [{ name: "bash", input: { command: ADD, where: "draft" } }],
    };
  }
  if (proposed === undefined) return { text: "It stands there. I propose it.", calls: [PROPOSE] };
  return finalReply(
    proposed.isError
      ? `Nothing was made real. What I was told is: ${inlineCode(proposed.text, 300)}`
      : `What I was told is: ${inlineCode(proposed.text, 300)}\n\nThe conversation is in Restricted mode still: nobody gained a right by it.`,
  );
};

const PROPOSE = {
  name: "propose",
  input: {
    title: "Add a line to the README",
    summary: "One harmless line, to show how a change is rehearsed, tested and shown before it is real.",
    test_command: `git ls-files -co --exclude-standard -- 'README*' | xargs grep -l "${LINE}"`,
  },
};
