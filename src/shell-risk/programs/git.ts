import { readGit } from "../shell/git-run.ts";
import { has, type ParsedOption, readOptions, valuesOf } from "../shell/options.ts";
import { constantText, EMPTY, leadingText, type Word } from "../shell/word.ts";
import { type DangerFinding, finding } from "../danger/danger.ts";
import type { ProgramRule, RuleContext } from "../danger/rule-context.ts";
import { fileAccessFindings, touchAll } from "./file-access.ts";
import { isUnresolved } from "../danger/unresolved.ts";
import { type ExtraRule, usages } from "./usage.ts";

export const git: ProgramRule = (args, scene) => {
  const call = readGit(args);
  if (call === null) return [];
  const own = [
    ...call.globals.flatMap((option) => globalFindings(option, scene)),
    ...call.args
      .filter((word) => leadingText(word).startsWith("ext::"))
      .map((word) => runs(leadingText(word))),
  ];
  const rule = SUBCOMMANDS.get(call.subcommand);
  if (rule === undefined || call.args.some((word) => constantText(word) === "--help")) return own;
  return [...own, ...rule(call.args, scene)];
};

const publishes = (change: string): readonly DangerFinding[] => [finding("GIT_PUBLISH", change)];

const loses = (change: string): readonly DangerFinding[] => [finding("FS_DELETE_OVERWRITE", change, "high")];

const DISCARDED = loses("discards uncommitted changes");

const reaches = (change: string): readonly DangerFinding[] => [finding("NETWORK_RISK", change)];

const text = (word = EMPTY): string => constantText(word) ?? "";

/** `-C`, `--git-dir`: a different repository. `-c KEY=VALUE`: some keys name a program to run. */
const globalFindings = ({ name, value }: ParsedOption, scene: RuleContext): readonly DangerFinding[] => {
  if (value === null) return [];
  if (["C", "git-dir", "work-tree"].includes(name)) return fileAccessFindings(value, "read", scene);
  const setting = leadingText(value);
  const untold = isUnresolved(value) && RUNNING.test(setting);
  return name === "c" && (untold || runsProgram(setting)) ? [runs(setting)] : [];
};

/** Keys whose value git runs. Aliases on the command line are read as commands (git-run.ts). */
const RUNNING =
  /^(?:core\.(?:sshcommand|pager|editor|fsmonitor|hookspath|askpass|gitproxy|alternaterefscommand)|pager\.|sequence\.editor|credential\..*helper|credential\.helper|filter\.|diff\.external|diff\..*\.(?:command|textconv)|merge\..*\.driver|gpg\..*program|gpg\.program|browser\.|man\.|uploadpack\.packobjectshook|protocol\.ext\.|include\.path|includeif\.|init\.templatedir|interactive\.difffilter|(?:merge|diff)tool\.|remote\..*\.(?:uploadpack|receivepack|vcs)|submodule\..*\.update|trailer\..*\.(?:command|cmd))/i;

const TAME = /=(?:cat|less.*|more|true|false|:|vi|vim|nano|)$/;

const runsProgram = (setting: string): boolean => RUNNING.test(setting) && !TAME.test(setting);

const runs = (setting: string): DangerFinding =>
  finding("EXEC_ARBITRARY", `makes git run a program: ${setting}`, "high");

const URL = /^(?:[a-z+]+:\/\/|[^/]+@[^/]+:|[\w.-]+:[^/\\]|[\w.-]+:\/)/i;

const isRemote = (word: Word): boolean => URL.test(leadingText(word)) || leadingText(word) === "";

const clone: ExtraRule = ({ operands: [source, target] }, scene) => {
  if (source === undefined) return [];
  return [
    ...(isRemote(source)
      ? reaches(`clones ${leadingText(source)}`)
      : fileAccessFindings(source, "read", scene)),
    ...touchAll(target === undefined ? [] : [target], "write", scene),
  ];
};

/** Without `--`, a word that looks like a file name counts as one. */
const checkout: ProgramRule = (args) => {
  const { options, operands } = readOptions(args, { permute: true });
  if (has(options, "f", "force")) return DISCARDED;
  if (has(options, "bBp", "orphan", "patch", "track")) return [];
  const dashes = args.findIndex((word) => constantText(word) === "--");
  const [first, ...more] = operands;
  const isFile = /^\.{1,2}(?:\/|$)|\*|\.[a-z]{1,6}$/i.test(first === undefined ? "" : leadingText(first));
  return (dashes !== -1 && dashes < args.length - 1) || more.length > 0 || isFile
    ? loses("overwrites files with git's version")
    : [];
};

const config: ExtraRule = ({ options, operands: [key, value] }, scene) => {
  if (key === undefined || value === undefined) return [];
  const elsewhere = options.some(({ name }) => name === "global" || name === "system");
  const setting = `${leadingText(key)}=${leadingText(value)}`;
  return [
    ...(runsProgram(setting) || (/^alias\./i.test(setting) && leadingText(value).startsWith("!"))
      ? [runs(setting)]
      : []),
    ...(elsewhere ? fileAccessFindings(HOME, "write", scene) : []),
    ...touchAll(valuesOf(options, ["f"]), "write", scene),
  ];
};

const HOME: Word = { pieces: [{ kind: "place", place: "home" }] };

const SUBCOMMANDS = usages({
  commit: {
    found: publishes("commits"),
    unless: "dry-run",
    values: "m F C c t message file author date template",
  },
  push: { found: publishes("pushes"), unless: "n dry-run", values: "o repo push-option" },
  tag: {
    also: ({ operands: [name] }) => (name === undefined ? [] : publishes(`tags ${text(name)}`)),
    unless: "l n v list contains no-contains merged no-merged points-at verify",
    values: "m F u message file sort format contains points-at",
  },
  "send-email": { found: publishes("sends patches by mail") },
  svn: { verbs: { dcommit: publishes("publishes to svn") }, found: reaches("uses svn") },
  lfs: {
    verbs: { push: publishes("pushes large files"), "fetch pull clone": reaches("fetches large files") },
  },
  subtree: { verbs: { push: publishes("pushes a subtree"), "pull add": reaches("fetches a subtree") } },
  clone: {
    also: clone,
    values: "b o c j u branch origin config depth jobs reference template upload-pack filter",
  },
  fetch: { found: reaches("fetches") },
  pull: { found: reaches("pulls") },
  "ls-remote": { found: reaches("asks a remote") },
  remote: { verbs: { "update prune show": reaches("asks remotes") } },
  submodule: { verbs: { "update add": reaches("fetches submodules") } },
  reset: { found: DISCARDED, when: "hard merge" },
  checkout,
  restore: {
    also: ({ options }) => (has(options, "S", "staged") && !has(options, "W", "worktree") ? [] : DISCARDED),
    values: "s source conflict",
  },
  switch: { found: DISCARDED, when: "f force discard-changes" },
  clean: { found: loses("deletes files that git does not know"), unless: "n dry-run", values: "e exclude" },
  stash: { verbs: { "drop clear": loses("discards stashed changes") } },
  branch: {
    also: ({ options }) =>
      has(options, "DMC") || has(options, "f", "force") ? loses("deletes or replaces a branch") : [],
    when: "D M C d m c delete move copy",
  },
  rm: { operands: "destroy", unless: "n dry-run cached" },
  mv: {
    also: ({ options, operands }, scene) =>
      touchAll(operands, has(options, "f", "force") ? "destroy" : "mark", scene),
  },
  worktree: {
    also: ({ operands: [verb, path] }, scene) => {
      if (path === undefined || !["remove", "add"].includes(text(verb))) return [];
      return fileAccessFindings(path, text(verb) === "add" ? "write" : "destroy", scene);
    },
    values: "b B",
  },
  reflog: { verbs: { "expire delete drop": loses("deletes the record of earlier commits") } },
  gc: { found: loses("deletes unreachable commits"), when: "prune" },
  prune: { found: loses("deletes unreachable commits"), unless: "n dry-run" },
  "filter-branch filter-repo": { found: loses("rewrites history") },
  "update-ref": { found: loses("deletes a reference"), when: "d" },
  config: { also: config, unless: "l e list get get-all get-regexp", values: "f file type default" },
  init: { operands: "write", values: "b initial-branch" },
  "apply am": { operands: "read" },
  diff: { operands: "read", when: "no-index" },
  archive: {
    also: ({ options }, scene) =>
      options.flatMap(({ name, value }) => {
        if (value === null) return [];
        return name === "remote" ? reaches("asks a remote") : fileAccessFindings(value, "write", scene);
      }),
    values: "o output remote",
  },
});
