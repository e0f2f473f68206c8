/** The station of the draft: a line is added in a copy, tested there and proposed; one click makes exactly that real. */

import { inlineCode } from "./markdown.ts";
import { type DemoScene, step } from "./reply.ts";
import type { DemoCallResult } from "./turn.ts";

const LINE = "Parley's demo model rehearsed this line in a draft.";

const ADD = `file=$(git ls-files -- 'README*' | head -n 1); file=\${file:-README.md}; printf '\\n%s\\n' "${LINE}" >> "./$file" && tail -n 3 -- "./$file"`;

export function* rehearsal(): DemoScene {
  const opened = yield* step(
    "I open a draft: a copy of the checkout that I may change without asking anybody.",
    { name: "draft", input: {} },
  );
  if (opened.isError) return stopped(opened);
  const changed = yield* step("I add a line in the draft. The checkout stays as it is.", {
    name: "bash",
    input: { command: ADD, where: "draft" },
  });
  if (changed.isError) return stopped(changed);
  const proposed = yield* step("It stands there. I propose it.", PROPOSE);
  const told = `What I was told is: ${inlineCode(proposed.text, 300)}`;
  return proposed.isError
    ? `Nothing was made real. ${told}`
    : `${told}\n\nThe conversation is in Restricted mode still: nobody gained a right by it.`;
}

const stopped = ({ text }: DemoCallResult): string => `I stop here: ${inlineCode(text, 300)}`;

const PROPOSE = {
  name: "propose",
  input: {
    title: "Add a line to the README",
    summary: "One harmless line, to show how a change is rehearsed, tested and shown before it is real.",
    test_command: `git ls-files -co --exclude-standard -- 'README*' | xargs grep -l "${LINE}"`,
  },
};
