/** Facts on the card are read by the host. Titles and texts are the model's, so the renderer quotes them. */

import type { MessageId } from "../machine/id.ts";
import {
  type DraftReference,
  ERASED,
  type Proposal,
  type ProposedComment,
  type ProposedFile,
  type SimilarItem,
  type StoredContent,
} from "./prompt.ts";
import { omitUndefined } from "../text/omit-undefined.ts";
import { english, type Label, type Say } from "../i18n/say.ts";
import type { NameFormatter } from "./formatter.ts";
import { andMore, ownersText, shortenOwners } from "./owners.ts";
import { durationText } from "./durations.ts";
import type { QuestionSpec } from "../machine/vocabulary.ts";
import { DELICATE, type DraftMoved, type DraftResult, type DraftTest, type FileChange } from "./draft.ts";

export const proposalShownBy = (ask: QuestionSpec | undefined): readonly MessageId[] =>
  ask !== undefined && "shown" in ask ? [ask.shown] : [];

export const proposalIn = (shown: StoredContent | undefined): Proposal | null =>
  shown?.kind === "proposal" ? shown.proposal : null;

/** Lists at most `most` files, and as many groups of owners. */
export const proposalFacts = (
  shown: StoredContent | undefined,
  marks: NameFormatter,
  most: number,
): readonly string[] => {
  const { code, say } = marks;
  const proposal = proposalIn(shown);
  if (proposal === null) return [say(ERASED)];
  const { project, facts, files, unlisted, owners, similar = [] } = proposal;
  const left = unlisted + Math.max(0, files.length - most);
  const named = files.slice(0, most).map((file) => {
    const before = file.from === undefined ? "" : `${code(shortenOwners(file.from, MAX_PATH))} → `;
    return `${before}${code(shortenOwners(file.path, MAX_PATH))} (${fileText(file, say)})`;
  });
  const sum = files.length < 2 ? undefined : facts.find(({ name }) => name === IN_ALL)?.value;
  return [
    ...similarFacts(similar, marks),
    [
      ...(project === "" ? [] : [say("In {project}", { project: code(shortenOwners(project, MAX_PATH)) })]),
      ...facts
        .filter(({ name }) => name !== IN_ALL)
        .map(({ name, value }) => `${say.stored(name)} ${code(shortenOwners(value, MAX_VALUE))}`),
    ].join(", "),
    ...(named.length === 0
      ? []
      : [
          say("Changes {files}", {
            files: `${sum === undefined ? "" : `${sum}: `}${named.join(", ")}${moreFiles(left, say)}`,
          }),
        ]),
    ...(owners === undefined ? [] : [ownersText(owners, { code, say }, most)]),
  ];
};

/** A path with its lines, such as `:3-5`; a line that the change removes has a minus sign. */
export const proposedPlace = ({ path, first, last, side }: ProposedComment): string =>
  `${path}:${side === "old" ? "−" : ""}${first === last ? last : `${first}-${last}`}`;

/** An equal title comes first, because people should notice it before they read the rest. */
const similarFacts = (
  similar: readonly SimilarItem[],
  { code, say, link = code }: NameFormatter,
): readonly string[] => {
  const linked = ({ name, url }: SimilarItem): string => (ADDRESS.test(url) ? link(name, url) : code(name));
  const same = similar.find(({ isSame }) => isSame);
  const others = similar.filter((one) => one !== same);
  const items = others.map(
    (one) => `${linked(one)} ${code(shortenOwners(one.title, MAX_VALUE))} (${say.stored(one.state)})`,
  );
  return [
    ...(same === undefined
      ? []
      : [say("An open issue has the same title: {issue}.", { issue: linked(same) })]),
    ...(items.length === 0 ? [] : [say("Similar issues: {issues}.", { issues: items.join(", ") })]),
  ];
};

/** An address without characters that could end a link. */
const ADDRESS = /^https?:\/\/[^\s<>|()[\]]+$/;

const moreFiles = (count: number, say: Say): string => {
  if (count === 0) return "";
  return ` ${count === 1 ? say("and 1 more file") : say("and {count} more files", { count })}`;
};

/** The total size, which is shown before the files. */
export const IN_ALL = "in all";

/** Such as `new, +3 −0`. A changed text file gets only the line counts. */
const fileText = ({ from, change = "changed", added, removed }: ProposedFile, say: Say = english): string => {
  const words = [
    ...(from === undefined ? [] : [say("renamed")]),
    ...(change === "changed" || (from !== undefined && change === "added") ? [] : [say(CHANGES[change])]),
    ...(added === null || removed === null ? (change === "binary" ? [] : [say("binary")]) : []),
    ...(added === null || removed === null || added + removed === 0 ? [] : [`+${added} −${removed}`]),
  ];
  return words.length === 0 ? "+0 −0" : words.join(", ");
};

const CHANGES: Readonly<Record<Exclude<FileChange, "changed">, Label>> = {
  added: "new",
  deleted: "deleted",
  mode: "mode",
  link: "symbolic link",
  binary: "binary",
};

interface DraftWords {
  readonly title: string;
  readonly summary: string;
  readonly named?: Proposal["facts"][number];
}

export const draftProposal = (
  project: string,
  { title, summary, named }: DraftWords,
  { files, filesInAll, owners, ...draft }: DraftResult,
): Proposal => ({
  project,
  facts: [
    {
      name: IN_ALL,
      value: `${filesText(filesInAll, english)}, +${draft.added} −${draft.removed}`,
    },
    { name: "on top of", value: draft.base.slice(0, 9) },
    { name: "tree", value: draft.tree.slice(0, 9) },
    ...(named === undefined ? [] : [named]),
  ],
  files,
  unlisted: filesInAll - files.length,
  texts: [
    { name: "Title", text: title },
    { name: "Summary", text: summary },
  ],
  draft,
  ...omitUndefined({ owners }),
});

export const draftFacts = (
  { delicate, test, commits, moved }: DraftReference,
  marks: NameFormatter,
  most: number,
): readonly string[] => [
  ...(delicate.length === 0
    ? []
    : [marks.say("Look twice: {files}.", { files: delicateText(delicate, marks, most) })]),
  ...commitFacts(commits, marks, most),
  ...(moved === undefined ? [] : [movedText(moved, marks)]),
  test === null
    ? marks.say("Not tested by the host: no test command was named.")
    : testText(test, commits.length, marks),
];

const commitFacts = (
  commits: DraftReference["commits"],
  { code, say }: NameFormatter,
  most: number,
): readonly string[] => {
  const all = commits.length;
  if (all < 2) return [];
  const named = commits.slice(0, most).map(({ title, tree, files, added = 0, removed = 0 }, index) => {
    const size = files === undefined ? "" : ` ${filesText(files, say)}, +${added} −${removed},`;
    return say("Commit {number} of {all}: {title},{size} tree {tree}", {
      number: index + 1,
      all,
      title: code(shortenOwners(title, MAX_VALUE)),
      size,
      tree: code(tree.slice(0, 9)),
    });
  });
  const left = all - most;
  if (left <= 0) return named;
  return [...named, left === 1 ? say("and 1 more commit") : say("and {count} more commits", { count: left })];
};

const movedText = (
  { ref, count, titles, merges, again }: DraftMoved,
  { code, say }: NameFormatter,
): string => {
  const named = titles.map((title) => code(shortenOwners(title, MAX_VALUE))).join(", ");
  const said = {
    ref: code(shortenOwners(ref, MAX_VALUE)),
    titles: `${named}${andMore(count - titles.length, say)}`,
  };
  const moved =
    count === 1
      ? say("{ref} now has 1 newer commit: {titles}.", said)
      : say("{ref} now has {count} newer commits: {titles}.", { ...said, count });
  const how = say(
    merges
      ? "The change still merges cleanly."
      : "The change now conflicts with the newer commits. Start a new draft from the current branch, in a new thread.",
  );
  const asked = again === true ? ` ${say("Approving the previous card wrote nothing.")}` : "";
  return `${moved} ${how}${asked}`;
};

const filesText = (count: number, say: Say): string =>
  count === 1 ? say("1 file") : say("{count} files", { count });

const delicateText = (
  delicate: DraftReference["delicate"],
  { code, say }: NameFormatter,
  most: number,
): string =>
  DELICATE.flatMap((why) => {
    const paths = delicate.filter((one) => one.why === why).map(({ path }) => path);
    if (paths.length === 0) return [];
    const named = paths.slice(0, most).map((path) => code(shortenOwners(path, MAX_PATH)));
    return [`${say(LOOK_TWICE[why])} ${named.join(", ")}${andMore(paths.length - most, say)}`];
  }).join("; ");

const LOOK_TWICE: Readonly<Record<(typeof DELICATE)[number], Label>> = {
  workflow: "CI",
  owners: "owners of code",
  lock: "lock file",
  executable: "executable",
  binary: "new binary file",
  link: "symbolic link",
  pointer: "Git LFS pointer replaced by other content",
};

const testText = (
  { command, status, ended, seconds }: DraftTest,
  commits: number,
  { code, say }: NameFormatter,
): string => {
  const run = code(shortenOwners(command, MAX_PATH));
  const took = durationText(seconds * 1_000, say);
  const what =
    commits < 2
      ? say("Tested by the host")
      : say("Tested by the host with all {commits} commits together, not commit by commit", { commits });
  return status === null
    ? say("{what}: {command} did not end within {took} ({why}).", {
        what,
        command: run,
        why: say.stored(ended ?? "stopped"),
        took,
      })
    : say("{what}: {command} exited with status {status} after {took}.", {
        what,
        command: run,
        status,
        took,
      });
};

const MAX_PATH = 120;
const MAX_VALUE = 80;
