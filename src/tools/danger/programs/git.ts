/** git: what is published, what is lost, what reaches the network, and what git is told to run. */
import { readGit } from "../../safety/git-run.ts";
import { has, type Option, readOptions, valuesOf } from "../../shell/options.ts";
import { constantText, leadingText, type Word } from "../../shell/word.ts";
import { type Finding, finding } from "../danger.ts";
import type { Rule, Scene } from "../scene.ts";
import { touch, touchAll } from "./touch.ts";
import { isUntold } from "../untold.ts";

export const git: Rule = (args, scene) => {
  const call = readGit(args);
  if (call === null) return [];
  const own = [
    ...call.globals.flatMap((option) => globalFindings(option, scene)),
    ...call.args
      .filter((word) => leadingText(word).startsWith("ext::"))
      .map((word) => runs(leadingText(word))),
  ];
  const rule = Object.hasOwn(SUBCOMMANDS, call.subcommand) ? SUBCOMMANDS[call.subcommand] : undefined;
  if (rule === undefined || call.args.some((word) => constantText(word) === "--help")) return own;
  const { options, operands } = readOptions(call.args, { short: rule.short, long: rule.long, permute: true });
  return [...own, ...rule.judge({ options, operands, args: call.args, scene })];
};

interface Given {
  readonly options: readonly Option[];
  readonly operands: readonly Word[];
  readonly args: readonly Word[];
  readonly scene: Scene;
}

interface Subcommand {
  readonly short: string;
  readonly long: readonly string[];
  readonly judge: (given: Given) => readonly Finding[];
}

const subcommand = (judge: Subcommand["judge"], short = "", long: readonly string[] = []): Subcommand => ({
  short,
  long,
  judge,
});

const publishes = (change: string): readonly Finding[] => [finding("GIT_PUBLISH", change)];

const loses = (change: string): readonly Finding[] => [finding("FS_DELETE_OVERWRITE", change, "high")];

const reaches = (change: string): readonly Finding[] => [finding("NETWORK_RISK", change)];

const isDry = (options: readonly Option[]): boolean => has(options, "n", "dry-run");

const text = (word: Word | undefined): string => (word === undefined ? "" : (constantText(word) ?? ""));

/** `-C`, `--git-dir`: another repository. `-c KEY=VALUE`: some keys name a program to run. */
const globalFindings = ({ name, value }: Option, scene: Scene): readonly Finding[] => {
  if (value === null) return [];
  if (["C", "git-dir", "work-tree"].includes(name)) return touch(value, "read", scene);
  const setting = leadingText(value);
  const untold = isUntold(value) && RUNNING.test(setting);
  return name === "c" && (untold || runsProgram(setting)) ? [runs(setting)] : [];
};

/** Keys whose value git runs; aliases given on the line are read as commands (git-run.ts). */
const RUNNING =
  /^(?:core\.(?:sshcommand|pager|editor|fsmonitor|hookspath|askpass|gitproxy|alternaterefscommand)|pager\.|sequence\.editor|credential\..*helper|credential\.helper|filter\.|diff\.external|diff\..*\.(?:command|textconv)|merge\..*\.driver|gpg\..*program|gpg\.program|browser\.|man\.|uploadpack\.packobjectshook|protocol\.ext\.|include\.path|includeif\.|init\.templatedir|interactive\.difffilter|(?:merge|diff)tool\.|remote\..*\.(?:uploadpack|receivepack|vcs)|submodule\..*\.update|trailer\..*\.(?:command|cmd))/i;

/** A pager that only prints is no program to speak of. */
const TAME = /=(?:cat|less.*|more|true|false|:|vi|vim|nano|)$/;

const runsProgram = (setting: string): boolean => RUNNING.test(setting) && !TAME.test(setting);

const runs = (setting: string): Finding =>
  finding("EXEC_ARBITRARY", `makes git run a program: ${setting}`, "high");

const URL = /^(?:[a-z+]+:\/\/|[^/]+@[^/]+:|[\w.-]+:[^/\\]|[\w.-]+:\/)/i;

const isRemote = (word: Word): boolean => URL.test(leadingText(word)) || leadingText(word) === "";

const LISTING = ["list", "contains", "no-contains", "merged", "no-merged", "points-at", "verify"];

const clone = ({ operands, scene }: Given): readonly Finding[] => {
  const [source, target] = operands;
  if (source === undefined) return [];
  return [
    ...(isRemote(source) ? reaches(`clones ${leadingText(source)}`) : touch(source, "read", scene)),
    ...touchAll(target === undefined ? [] : [target], "write", scene),
  ];
};

/** Without `--`, a word that looks like a file's name is taken for one. */
const checkout = ({ options, operands, args }: Given): readonly Finding[] => {
  if (has(options, "f", "force")) return loses("discards uncommitted changes");
  if (has(options, "bBp", "orphan", "patch", "track")) return [];
  const dashes = args.findIndex((word) => constantText(word) === "--");
  const [first, ...more] = operands;
  const isFile = /^\.{1,2}(?:\/|$)|\*|\.[a-z]{1,6}$/i.test(first === undefined ? "" : leadingText(first));
  return (dashes !== -1 && dashes < args.length - 1) || more.length > 0 || isFile
    ? loses("overwrites files with git's version")
    : [];
};

const config = ({ options, operands, scene }: Given): readonly Finding[] => {
  const [key, value] = operands;
  if (has(options, "le", "list", "get", "get-all", "get-regexp") || key === undefined) return [];
  const elsewhere = options.some(({ name }) => name === "global" || name === "system");
  if (value === undefined) return [];
  const setting = `${leadingText(key)}=${leadingText(value)}`;
  return [
    ...(runsProgram(setting) || (/^alias\./i.test(setting) && leadingText(value).startsWith("!"))
      ? [runs(setting)]
      : []),
    ...(elsewhere ? touch(HOME, "write", scene) : []),
    ...touchAll(valuesOf(options, ["f"]), "write", scene),
  ];
};

const HOME: Word = { pieces: [{ kind: "place", place: "home" }] };

/** What the first operand decides. */
const byVerb = (
  findings: Readonly<Record<string, readonly Finding[]>>,
  others: readonly Finding[] = [],
): Subcommand =>
  subcommand(({ operands: [verb] }) => {
    const known = Object.entries(findings).find(([verbs]) => verbs.split(" ").includes(text(verb)));
    return known?.[1] ?? others;
  });

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  commit: subcommand(({ options }) => (has(options, "", "dry-run") ? [] : publishes("commits")), "mFCct", [
    "message",
    "file",
    "author",
    "date",
    "template",
  ]),
  push: subcommand(({ options }) => (isDry(options) ? [] : publishes("pushes")), "o", [
    "repo",
    "push-option",
  ]),
  tag: subcommand(
    ({ options, operands }) =>
      operands.length === 0 || has(options, "lnv", ...LISTING) ? [] : publishes(`tags ${text(operands[0])}`),
    "mFu",
    ["message", "file", "sort", "format", "contains", "points-at"],
  ),
  "send-email": subcommand(() => publishes("sends patches by mail")),
  svn: byVerb({ dcommit: publishes("publishes to svn") }, reaches("uses svn")),
  lfs: byVerb({ push: publishes("pushes large files"), "fetch pull clone": reaches("fetches large files") }),
  subtree: byVerb({ push: publishes("pushes a subtree"), "pull add": reaches("fetches a subtree") }),
  clone: subcommand(
    clone,
    "bocju",
    "branch origin config depth jobs reference template upload-pack filter".split(" "),
  ),
  fetch: subcommand(() => reaches("fetches")),
  pull: subcommand(() => reaches("pulls")),
  "ls-remote": subcommand(() => reaches("asks a remote")),
  remote: byVerb({ "update prune show": reaches("asks remotes") }),
  submodule: byVerb({ "update add": reaches("fetches submodules") }),
  reset: subcommand(({ options }) =>
    has(options, "", "hard", "merge") ? loses("discards uncommitted changes") : [],
  ),
  checkout: subcommand(checkout),
  restore: subcommand(
    ({ options }) =>
      has(options, "S", "staged") && !has(options, "W", "worktree")
        ? []
        : loses("discards uncommitted changes"),
    "s",
    ["source", "conflict"],
  ),
  switch: subcommand(({ options }) =>
    has(options, "f", "force", "discard-changes") ? loses("discards uncommitted changes") : [],
  ),
  clean: subcommand(
    ({ options }) => (isDry(options) ? [] : loses("deletes files that git does not know")),
    "e",
    ["exclude"],
  ),
  stash: byVerb({ "drop clear": loses("discards stashed changes") }),
  branch: subcommand(({ options }) =>
    has(options, "DMC") || (has(options, "dmc", "delete", "move", "copy") && has(options, "f", "force"))
      ? loses("deletes or replaces a branch")
      : [],
  ),
  rm: subcommand(({ options, operands, scene }) =>
    isDry(options) || has(options, "", "cached") ? [] : touchAll(operands, "destroy", scene),
  ),
  mv: subcommand(({ options, operands, scene }) =>
    touchAll(operands, has(options, "f", "force") ? "destroy" : "mark", scene),
  ),
  worktree: subcommand(({ operands: [verb, path], scene }) => {
    if (path === undefined || !["remove", "add"].includes(text(verb))) return [];
    return touch(path, text(verb) === "add" ? "write" : "destroy", scene);
  }, "bB"),
  reflog: byVerb({ "expire delete drop": loses("deletes the record of earlier commits") }),
  gc: subcommand(({ options }) => (has(options, "", "prune") ? loses("deletes unreachable commits") : [])),
  prune: subcommand(({ options }) => (isDry(options) ? [] : loses("deletes unreachable commits"))),
  "filter-branch": subcommand(() => loses("rewrites history")),
  "filter-repo": subcommand(() => loses("rewrites history")),
  "update-ref": subcommand(({ options }) => (has(options, "d") ? loses("deletes a reference") : [])),
  config: subcommand(config, "f", ["file", "type", "default"]),
  init: subcommand(({ operands, scene }) => touchAll(operands, "write", scene), "b", ["initial-branch"]),
  apply: subcommand(({ operands, scene }) => touchAll(operands, "read", scene)),
  am: subcommand(({ operands, scene }) => touchAll(operands, "read", scene)),
  diff: subcommand(({ options, operands, scene }) =>
    has(options, "", "no-index") ? touchAll(operands, "read", scene) : [],
  ),
  archive: subcommand(
    ({ options, scene }) =>
      options.flatMap(({ name, value }) => {
        if (value === null) return [];
        return name === "remote" ? reaches("asks a remote") : touch(value, "write", scene);
      }),
    "o",
    ["output", "remote"],
  ),
};
