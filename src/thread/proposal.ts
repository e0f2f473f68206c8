/**
 * What people are shown before the host writes to the forge or makes a draft real. The facts are the host's own reading; titles
 * and texts are the model's and are quoted by whoever shows them. Pure.
 */

import type { MessageId } from "../machine/id.ts";
import { type DraftShown, ERASED, type Proposal, type ProposedFile, type Words } from "./prompt.ts";
import { ownersText } from "./owners.ts";
import { durationText } from "./wording.ts";
import type { Ask } from "../machine/words.ts";
import { DELICATE, type DraftMoved, type DraftResult, type DraftTest, type FileChange } from "./draft.ts";

export const shownBy = (ask: Ask | undefined): readonly MessageId[] =>
  ask !== undefined && "shown" in ask ? [ask.shown] : [];

export const proposalIn = (shown: Words | undefined): Proposal | null =>
  shown?.kind === "proposal" ? shown.proposal : null;

/** Lines of the host's facts; `code` writes names. At most `most` files. */
export const proposalFacts = (
  shown: Words | undefined,
  code: (text: string) => string,
  most: number,
): readonly string[] => {
  const proposal = proposalIn(shown);
  if (proposal === null) return [ERASED];
  const { project, facts, files, unlisted, owners } = proposal;
  const left = unlisted + Math.max(0, files.length - most);
  const named = files
    .slice(0, most)
    .map((file) => `${code(shortened(file.path, MAX_PATH))} (${fileText(file)})`);
  const sum = files.length < 2 ? undefined : facts.find(({ name }) => name === IN_ALL)?.value;
  return [
    [
      ...(project === "" ? [] : [`In ${code(shortened(project, MAX_PATH))}`]),
      ...facts
        .filter(({ name }) => name !== IN_ALL)
        .map(({ name, value }) => `${name} ${code(shortened(value, MAX_VALUE))}`),
    ].join(", "),
    ...(named.length === 0
      ? []
      : [
          `Changes ${sum === undefined ? "" : `${sum}: `}${named.join(", ")}${left === 0 ? "" : ` and ${countText(left, "more file")}`}`,
        ]),
    ...(owners === undefined ? [] : [ownersText(owners, code)]),
  ];
};

/** The fact of how much is changed: it stands before the files. */
export const IN_ALL = "in all";

/** `new, +3 −0`; a changed file of lines goes without a word. */
export const fileText = ({ change = "changed", added, removed }: ProposedFile): string => {
  const words = [
    ...(CHANGES[change] === "" ? [] : [CHANGES[change]]),
    ...(added === null || removed === null ? (change === "binary" ? [] : ["binary"]) : []),
    ...(added === null || removed === null || added + removed === 0 ? [] : [`+${added} −${removed}`]),
  ];
  return words.length === 0 ? "+0 −0" : words.join(", ");
};

const CHANGES: Readonly<Record<FileChange, string>> = {
  added: "new",
  changed: "",
  deleted: "deleted",
  mode: "mode",
  link: "symbolic link",
  binary: "binary",
};

/** What people are shown of a draft; `project`: where it is, as people name it. */
export const draftProposal = (
  project: string,
  { title, summary }: { readonly title: string; readonly summary: string },
  { files, filesInAll, owners, ...draft }: DraftResult,
): Proposal => ({
  project,
  facts: [
    {
      name: IN_ALL,
      value: `${countText(filesInAll, "file")}, +${draft.added} −${draft.removed}`,
    },
    { name: "on top of", value: draft.base.slice(0, 9) },
    { name: "tree", value: draft.tree.slice(0, 9) },
  ],
  files,
  unlisted: filesInAll - files.length,
  texts: [
    { name: "Title", text: title },
    { name: "Summary", text: summary },
  ],
  draft,
  ...(owners === undefined ? {} : { owners }),
});

/** The host's own lines about a draft, below its files: what to look at twice, and how it was tested. */
export const draftFacts = (
  { delicate, test, commits, moved }: DraftShown,
  code: (text: string) => string,
  most: number,
): readonly string[] => [
  ...(delicate.length === 0 ? [] : [`Look twice: ${delicateText(delicate, code, most)}.`]),
  ...commitFacts(commits, code, most),
  ...(moved === undefined ? [] : [movedText(moved, code)]),
  test === null ? "Not tested by the host: no test command was named." : testText(test, commits.length, code),
];

const commitFacts = (
  commits: DraftShown["commits"],
  code: (text: string) => string,
  most: number,
): readonly string[] => {
  const all = commits.length;
  if (all < 2) return [];
  const named = commits.slice(0, most).map(({ title, tree, files, added = 0, removed = 0 }, index) => {
    const size = files === undefined ? "" : ` ${countText(files, "file")}, +${added} −${removed},`;
    return `Commit ${index + 1} of ${all}: ${code(shortened(title, MAX_VALUE))},${size} tree ${code(tree.slice(0, 9))}`;
  });
  return all > most ? [...named, `and ${countText(all - most, "more commit")}`] : named;
};

const movedText = ({ ref, count, titles, merges }: DraftMoved, code: (text: string) => string): string => {
  const named = titles.map((title) => code(shortened(title, MAX_VALUE))).join(", ");
  const left = count > titles.length ? ` and ${count - titles.length} more` : "";
  const how = merges
    ? "The change still merges cleanly."
    : "The change conflicts with that: it takes a new draft on top of it, in a new thread.";
  return `${code(shortened(ref, MAX_VALUE))} has moved on by ${countText(count, "commit")} since: ${named}${left}. ${how}`;
};

const countText = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

const delicateText = (
  delicate: DraftShown["delicate"],
  code: (text: string) => string,
  most: number,
): string =>
  DELICATE.flatMap((why) => {
    const paths = delicate.filter((one) => one.why === why).map(({ path }) => path);
    if (paths.length === 0) return [];
    const named = paths.slice(0, most).map((path) => code(shortened(path, MAX_PATH)));
    const more = paths.length > most ? ` and ${paths.length - most} more` : "";
    return [`${LOOK_TWICE[why]} ${named.join(", ")}${more}`];
  }).join("; ");

const LOOK_TWICE: Readonly<Record<(typeof DELICATE)[number], string>> = {
  workflow: "CI",
  owners: "owners of code",
  lock: "lock file",
  executable: "executable",
  binary: "new binary file",
  link: "symbolic link",
};

const testText = (
  { command, status, ended, seconds }: DraftTest,
  commits: number,
  code: (text: string) => string,
): string => {
  const run = code(shortened(command, MAX_PATH));
  const took = durationText(seconds * 1_000);
  const what =
    commits < 2 ? "Tested by the host" : `Tested by the host with all ${commits} commits, not one by one`;
  return status === null
    ? `${what}: ${run} did not end (${ended ?? "stopped"}) within ${took}.`
    : `${what}: ${run} exited with status ${status} after ${took}.`;
};

const MAX_PATH = 120;
const MAX_VALUE = 80;

/** The end of a path says most. */
const shortened = (text: string, most: number): string => {
  const points = Array.from(text);
  return points.length <= most ? text : `…${points.slice(1 - most).join("")}`;
};
