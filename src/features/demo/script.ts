/** Scenes of the demo. Only the person's message selects the scene, so every round selects the same scene. */

import { change } from "./change.ts";
import { question } from "./question.ts";
import { requestedChange } from "./request-scenes.ts";
import { requestIn } from "./requests.ts";
import { finalReply, playScript, type DemoReply, type DemoScene, bash, demoStep } from "./reply.ts";
import { type Station, stationAfter, TOUR } from "./tour.ts";
import type { DemoTurn, DemoCallResult } from "./turn.ts";
import { fenced, shortenForDemo, inlineCode } from "./markdown.ts";

export const nextReply = (turn: DemoTurn): DemoReply => {
  if (turn.images > 0) return finalReply(pictures(turn));
  const said = turn.said.slice(0, MAX_SAID).replace(MENTIONS, "").trim();
  const { act, station } = actFor(said);
  const acted = act(turn);
  const next = station === null ? "" : `\n\nNext: \`${stationAfter(station)}\``;
  const reply = typeof acted === "string" ? { text: acted, calls: [] } : playScript(acted, turn.calls);
  return reply.calls.length > 0 ? reply : finalReply(`${reply.text.trim()}${next}`);
};

const actFor = (
  said: string,
): Pick<Reply, "station"> & { readonly act: (turn: DemoTurn) => string | DemoScene } => {
  for (const { station, when, act } of REPLIES) {
    const matched = when.exec(said);
    if (matched !== null) return { station, act: (turn) => act(turn, matched.groups ?? {}) };
  }
  const request = requestIn(said);
  if (request === null) return { station: TOUR[0], act: () => question({ said }) };
  const act = (turn: DemoTurn) => (request.kind === "unknown" ? request.can : requestedChange(turn, request));
  return { station: "draft a change", act };
};

/**
 * Longer messages are matched by their first 1,000 characters only, because the patterns below take quadratic
 * time.
 */
const MAX_SAID = 1_000;
const MENTIONS = /^(?:\s*@\S+)+/;

interface Reply {
  /** Null for the overview of all stations. */
  readonly station: Station | null;
  readonly when: RegExp;
  readonly act: (turn: DemoTurn, named: Readonly<Record<string, string | undefined>>) => string | DemoScene;
}

const LEAD =
  "^[\\s\\p{P}]*(?:(?:please|can you|could you|show|give|run|try|make|do|open|read|let|me|us|see|an?|the|some|one|now)\\s+)*";
const END = "(?:[\\s\\p{P}]+(?:please|now|there|here|parley|bot|all|everyone|again))*[\\s\\p{P}\\p{S}]*$";

/** Matches a whole message, with optional polite words around it. */
const only = (words: string): RegExp => new RegExp(`${LEAD}(?:${words})${END}`, "iu");

const GREETINGS =
  "help|hi|hello|hey|hallo|moin|servus|hilfe|hola|ayuda|こんにちは|ヘルプ|你好|帮助|good (?:morning|afternoon|evening)|tour|menu|start|what can you do|what can i (?:do|say|ask)|who are you|thanks?|thank you|";

/** Quoted text is the line to add, and a name after `to` is the file. */
const ADDITION =
  "(?:add|append) (?:an? |the |one )?line(?: +['\"‘“`](?<text>.{1,300})['\"’”`])?(?: +to +(?:the )?(?<file>[\\w@./-]{1,200}?))?";

const REPLIES: readonly Reply[] = [
  { station: null, when: only(GREETINGS), act: () => HELP },
  {
    station: "draft a change",
    when: only("draft(?:ed)?(?: an?)?(?: change| line)?|rehearsals?|rehearse(?: an?)?(?: change)?"),
    act: rehearsal,
  },
  {
    station: "add a line to README",
    when: only(ADDITION),
    act: (turn, { text, file }) => change(turn, text, file),
  },
  { station: "long answer", when: only("(?:very )?long (?:answer|reply|text)"), act: () => longAnswer() },
  {
    station: "slow command",
    when: only("(?:slow|long[- ]running) (?:command|task|job)s?|something slow"),
    act: slow,
  },
  {
    station: "denied write",
    when: only("(?:denied|forbidden) write|write that is denied"),
    act: deniedWrite,
  },
];

const HELP = `I am Parley's **demo model**: a script that drives the real tools under the real sandbox, so that you can see how a conversation works before you set a key. Say one of these:

| Say | and see |
|---|---|
| \`where is the retry policy implemented?\` | a question about the repository, answered with \`path:line\` from what the tools really found |
| \`draft a change\` | a change that is rehearsed in a copy, tested and shown as it will be: **Apply** it, or ask for changes |
| \`create hello.txt\` | a change in your own words, in five languages: edit or rename something, correct a typo, add a comment, open a pull request |
| \`add a line to README\` | a request for write access: **Approve** or **Deny** it; then a patch, whose diff the host shows |
| \`long answer\` | 40 KB of Markdown as it streams |
| \`slow command\` | a command that takes 20 seconds: press **Stop** in the middle |
| \`denied write\` | the kernel refusing a write in Restricted mode |

Any other message counts as a question about the repository.`;

function* slow(): DemoScene {
  const done = yield* demoStep(
    "I run a command that takes 20 seconds. Press **Stop** while it runs: it and everything it started is gone at once.",
    bash('for step in $(seq 1 20); do echo "step $step of 20"; sleep 1; done'),
  );
  return `${done.isError ? "The command did not finish" : "The command finished"}; its last lines were:\n\n${tail(done)}`;
}

function* deniedWrite(): DemoScene {
  const done = yield* demoStep(
    "I try to create a file without asking anybody.",
    bash("touch parley-demo.txt && echo 'the file was created' && rm -- parley-demo.txt"),
  );
  return done.isError
    ? `The kernel refused:\n\n${tail(done)}\n\nNo rule of mine did that: in Restricted mode the process that runs a command can write nothing in the working directory and reach no network, whatever the command is and whoever asks. Only a person's click on **Approve** changes it. Say \`add a line to README\` to see that.`
    : `It worked, so this conversation is in Unrestricted mode:\n\n${tail(done)}\n\nI removed the file again. Press **Restrict** and say \`denied write\` once more to see the kernel refuse.`;
}

const pictures = ({ images, said }: DemoTurn): string => {
  const [many, them] = images === 1 ? ["One picture", "it"] : [`${images} pictures`, "them"];
  const alone =
    said.trim() === "" ? "" : " Send the words without the picture and I search the repository for them.";
  return `${many} came with your message, and a real model would look at ${them} now. A script has no eyes.${alone}`;
};

const tail = (done: DemoCallResult): string => {
  const lines = done.text.trim().split("\n");
  return fenced(shortenForDemo(lines.slice(-12).join("\n"), 2000));
};

const REHEARSED = "Parley's demo model rehearsed this line in a draft.";

const ADD_LINE = `file=$(git ls-files -- 'README*' | head -n 1); file=\${file:-README.md}; printf '\\n%s\\n' "${REHEARSED}" >> "./$file" && tail -n 3 -- "./$file"`;

/** Adds a line in a draft, tests and proposes the draft. One click applies exactly this change. */
function* rehearsal(): DemoScene {
  const opened = yield* demoStep(
    "I open a draft: a copy of the checkout that I may change without asking anybody.",
    { name: "draft", input: {} },
  );
  if (opened.isError) return stopped(opened);
  const changed = yield* demoStep("I add a line in the draft. The checkout stays as it is.", {
    name: "bash",
    input: { command: ADD_LINE, where: "draft" },
  });
  if (changed.isError) return stopped(changed);
  const proposed = yield* demoStep("It stands there. I propose it.", PROPOSE);
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
    test_command: `git ls-files -co --exclude-standard -- 'README*' | xargs grep -l "${REHEARSED}"`,
  },
};

const CHAPTERS = 48;

/**
 * A long Markdown text, the same every time: headings, lists, tables and fences, for testing rendering and
 * splitting.
 */
const longAnswer = (): string =>
  [
    "# A long answer",
    "This text is made by a script to show streaming, folding and splitting. Nothing in it is about your repository.",
    ...Array.from({ length: CHAPTERS }, (_, index) => chapter(index + 1)),
    "That was the end of the long answer.",
  ].join("\n\n");

const chapter = (no: number): string => `## Chapter ${no} of ${CHAPTERS}

A person who reads a long answer wants to see where it begins, how far it has come, and that nothing is missing when it is done. Whoever shows it may break it into pieces, but never inside a letter, and a fence that is cut has to be closed and opened again.

1. The first line says what the rest is about.
2. A number that is repeated later is repeated exactly: ${no * 1037}.

- An item with a list below it:
  - one with \`inline code\`
  - one with **bold** and *italic* words
  - one with letters of three sizes: é, 世, 🧭

| Part | Bytes | Share |
|:---|---:|:---:|
| ${no}.1 | ${no * 1000} | ${(no * 7) % 100} % |
| ${no}.2 | ${no * 1037} | ${(no * 13) % 100} % |

\`\`\`ts
/** Example ${no}: the sum of the first numbers. */
export const sum${no} = (upTo: number): number => (upTo * (upTo + 1)) / 2;
\`\`\`

> A quotation in chapter ${no}: what is true of the part need not be true of the whole.`;
