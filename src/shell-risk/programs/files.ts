import { abbreviates, type Arguments, has, hasFlag, readOptions, valuesOf } from "../shell/options.ts";
import {
  constantText,
  dropText,
  EMPTY,
  joinWords,
  leadingText,
  plainWord,
  scriptText,
  type Word,
} from "../shell/word.ts";
import { readFind } from "../shell/find.ts";
import { type DangerFinding, finding } from "../danger/danger.ts";
import type { ProgramRule } from "../danger/rule-context.ts";
import { searchingText } from "./ordinary.ts";
import { type PathUse, fileAccessFindings, touchAll } from "./file-access.ts";
import { isScratch } from "../danger/where.ts";
import { type ExtraRule, optionRule, type ProgramUsage, usageRule, usages } from "./usage.ts";

/** In `… | xargs rm`, the deleted files are known only at run time. */
const removing: ExtraRule = ({ operands, options }, scene) => {
  const found = touchAll(operands, "destroy", scene);
  const whole = has(options, "rR", "recursive");
  const untold = operands.length === 0 ? [finding("FS_DELETE_OVERWRITE", "deletes files it is told to")] : [];
  return [...found, ...untold].map((one) =>
    whole && one.category === "FS_DELETE_OVERWRITE" ? { ...one, risk: "high" } : one,
  );
};

/** Sources, and the target: the last operand, or `-t DIRECTORY`. */
const sourcesAndTarget = ({ options, operands }: Arguments): readonly [readonly Word[], readonly Word[]] => {
  const target = valuesOf(options, ["t", "target-directory"]);
  return target.length > 0 ? [operands, target] : [operands.slice(0, -1), operands.slice(-1)];
};

/**
 * Usage of a program that transfers files. The target's content may be lost, with forcing options it is certainly lost, and
 * with careful options it remains.
 */
const transfer = (from: PathUse, letters = ""): ProgramUsage => ({
  values: `t S ${letters} target-directory suffix backup mode owner group`,
  also: (given, scene) => {
    const [sources, target] = sourcesAndTarget(given);
    const isCareful = from === "destroy" && has(given.options, "n", "no-clobber");
    const isForced =
      from !== "destroy" &&
      (has(given.options, "f", "force", "remove-destination") ||
        sources.some((word) => constantText(word) === "/dev/null"));
    return [
      ...touchAll(sources, isCareful ? "mark" : from, scene),
      ...touchAll(target, isForced ? "destroy" : isCareful ? "mark" : "write", scene),
    ];
  },
});

/** `chmod MODE FILE…`: with `--reference`, the mode is absent. */
const marking: ProgramUsage = {
  values: "reference from",
  also: ({ options, operands }, scene) =>
    touchAll(options.some(({ name }) => name === "reference") ? operands : operands.slice(1), "mark", scene),
};

const diskCopy: ProgramRule = (args, scene) =>
  args.flatMap((word): readonly DangerFinding[] => {
    const key = /^(?:if|of)=/.exec(leadingText(word))?.[0];
    if (key === undefined) return [];
    return fileAccessFindings(dropText(word, 3), key === "if=" ? "read" : "destroy", scene);
  });

const sync: ProgramUsage = {
  values: "e f T B M exclude include rsh files-from",
  unless: "n dry-run",
  also: ({ options, operands }, scene) => {
    const deletes = options.some(({ name }) => name.startsWith("delete") || name === "remove-source-files");
    const local = operands.filter((word) => !/^(?:[\w.@-]+:|\w+:\/\/)/.test(leadingText(word)));
    const target = operands.at(-1);
    return [
      ...local.flatMap((word) =>
        fileAccessFindings(word, word !== target ? "read" : deletes ? "destroy" : "write", scene),
      ),
      ...(deletes ? [finding("FS_DELETE_OVERWRITE", "deletes what the source does not have", "high")] : []),
    ];
  },
};

/** `tar`: the archive, `-C`, and the packed files. For `x` and `t`, operands are names inside the archive. */
const archive: ProgramRule = (args, scene) => {
  const [first] = args;
  const bundled = first !== undefined && /^[A-Za-z]+$/.test(leadingText(first));
  const words = bundled ? [joinWords([plainWord("-"), first], ""), ...args.slice(1)] : args;
  const { options, operands } = readOptions(words, TAR);
  const packs = has(options, "cru", "create");
  return [
    ...touchAll(valuesOf(options, ["f", "file"]), packs ? "write" : "read", scene),
    ...touchAll(valuesOf(options, ["C", "directory", "T", "X"]), packs ? "read" : "write", scene),
    ...(packs ? touchAll(operands, "read", scene) : []),
    ...(has(options, "", "remove-files") ? [finding("FS_DELETE_OVERWRITE", "deletes what it packs")] : []),
  ];
};

const TAR = optionRule(
  "f C T X g I b H L N V file directory exclude transform checkpoint checkpoint-action to-command",
);

const unzip: ProgramUsage = {
  writes: "d",
  values: "x P",
  also: ({ options, operands }, scene) => [
    ...touchAll(operands.slice(0, 1), "read", scene),
    ...(hasFlag(options, "o") && !valuesOf(options, ["d"]).some((word) => isScratch(word, scene.memory.facts))
      ? [finding("FS_DELETE_OVERWRITE", "overwrites files without asking")]
      : []),
  ],
};

/**
 * Usage of a program that changes files in place with `-i`. Without an option of `how`, the first operand is the program, or a
 * file too.
 */
const editing = (how: string, values: string, first: "program" | "file"): ProgramUsage => ({
  values: `${how} ${values}`,
  also: ({ options, operands }, scene) => {
    const told = options.some(({ name, value }) => how.split(" ").includes(name) && value !== null);
    const inPlace = options.some(
      (one) => one.name === "i" || one.name === "inplace" || abbreviates(one, "in-place", 1),
    );
    const files = told || first === "file" ? operands : operands.slice(1);
    return touchAll(files, inPlace ? "write" : "look", scene);
  },
});

/** Adds the files that a sed or awk program writes: `w FILE`, `print > "FILE"`. */
const written =
  (pattern: RegExp, rule: ProgramRule): ProgramRule =>
  (args, scene) => [
    ...rule(args, scene),
    ...args.flatMap((word) =>
      [...scriptText(word).matchAll(pattern)].flatMap(([, file = ""]) =>
        fileAccessFindings(plainWord(file), "write", scene),
      ),
    ),
  ];

const sed = written(
  /(?:^|[;{}\n\d$/!]|[/|#,][gpiIm]{1,9})\s{0,9}[wW]\s{1,9}([^\n;}]{1,999})/g,
  usageRule(editing("e f expression file", "l line-length", "program")),
);

const AWK_WRITES = />{1,2}\s{0,9}"([^"\n]{1,999})"/g;

const keys: ProgramUsage = {
  values: "f N C t b y O P Y",
  also: ({ options }, scene) =>
    touchAll(valuesOf(options, ["f"]), hasFlag(options, "lyFB") ? "read" : "write", scene),
};

const FIND_FILES = /^-(?:newer\w*|anewer|cnewer|samefile|files0-from)$/;

/**
 * Judges starting points, and files in tests. The commands of `-exec` and the deletions of `-delete` are judged separately
 * (find.ts).
 */
const searching: ProgramRule = (args, scene) => {
  const { starts, expression: tests } = readFind(args);
  return [
    ...touchAll(starts, "look", scene),
    ...tests.flatMap((word, at): readonly DangerFinding[] => {
      const test = constantText(tests[at - 1] ?? EMPTY) ?? "";
      if (FIND_FILES.test(test)) return fileAccessFindings(word, "read", scene);
      return /^-f(?:print0?|printf|ls)$/.test(test) ? fileAccessFindings(word, "write", scene) : [];
    }),
    ...(tests.some((word) => constantText(word) === "-delete")
      ? [finding("FS_DELETE_OVERWRITE", "deletes what it finds", "high")]
      : []),
  ];
};

const query: ProgramRule = (args) =>
  args.some((word) =>
    /\b(?:drop\s+(?:table|database|schema|index|view|user)|truncate|delete\s+from|flushall|flushdb)\b/i.test(
      scriptText(word),
    ),
  )
    ? [finding("FS_DELETE_OVERWRITE", "deletes data of a database", "high")]
    : [];

export const FILE_PROGRAMS = usages({
  "rm rmdir unlink rimraf del-cli trash trash-put srm": { also: removing },
  shred: { values: "s n size iterations random-source", also: removing },
  truncate: { values: "s r size reference", also: removing },
  rename: { found: [finding("FS_DELETE_OVERWRITE", "renames files")] },
  mv: transfer("destroy"),
  cp: transfer("look"),
  install: transfer("look", "m o g"),
  ln: transfer("read"),
  tee: { operands: "write", values: "output-error" },
  sponge: { operands: "write" },
  touch: { operands: "write", values: "d r t date reference time" },
  "mkdir mkfifo": { operands: "read", values: "m mode" },
  "chmod chown chgrp setfacl chattr": marking,
  dd: diskCopy,
  rsync: sync,
  "tar bsdtar": archive,
  unzip,
  "sed gsed": sed,
  "awk gawk mawk nawk": written(AWK_WRITES, searchingText),
  perl: editing("e E", "I", "file"),
  ruby: editing("e", "r I", "file"),
  yq: editing("", "o output-format", "program"),
  jq: editing("f from-file", "L arg indent", "program"),
  "sort shuf": { operands: "look", writes: "o output", values: "k t S T key" },
  "ssh-keygen": keys,
  find: searching,
  dropdb: { found: [finding("FS_DELETE_OVERWRITE", "deletes a database", "high")] },
  "psql mysql mariadb sqlite3 redis-cli": query,
});
