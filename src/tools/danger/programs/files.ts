/** Programs whose business is files: what each does to the ones it is given. */
import { abbreviates, type Arguments, has, hasFlag, readOptions, valuesOf } from "../../shell/options.ts";
import {
  constantText,
  dropText,
  EMPTY,
  joinWords,
  leadingText,
  plainWord,
  scriptText,
  type Word,
} from "../../shell/word.ts";
import { readFind } from "../../safety/find.ts";
import { type Finding, finding } from "../danger.ts";
import { forAll, type Rule, type Scene } from "../scene.ts";
import { searchingText } from "./ordinary.ts";
import { type Access, touch, touchAll } from "./touch.ts";
import { isScratch } from "../where.ts";

const rule =
  (
    short: string,
    long: readonly string[],
    findings: (given: Arguments, scene: Scene) => readonly Finding[],
  ): Rule =>
  (args, scene) =>
    findings(readOptions(args, { short, long, permute: true }), scene);

/** Every operand is used in one way. */
const each = (access: Access, short = "", long: readonly string[] = []): Rule =>
  rule(short, long, ({ operands }, scene) => touchAll(operands, access, scene));

/** What is deleted may only be known when it runs: `… | xargs rm`. */
const removing = (short = "", long: readonly string[] = []): Rule =>
  rule(short, long, ({ operands, options }, scene) => {
    const found = touchAll(operands, "destroy", scene);
    const whole = has(options, "rR", "recursive");
    const untold =
      operands.length === 0 ? [finding("FS_DELETE_OVERWRITE", "deletes files it is told to")] : [];
    return [...found, ...untold].map((one) =>
      whole && one.category === "FS_DELETE_OVERWRITE" ? { ...one, risk: "high" } : one,
    );
  });

/** Sources and where they go: the last operand, or `-t DIRECTORY`. */
const sourcesAndTarget = ({ options, operands }: Arguments): readonly [readonly Word[], readonly Word[]] => {
  const target = valuesOf(options, ["t", "target-directory"]);
  return target.length > 0 ? [operands, target] : [operands.slice(0, -1), operands.slice(-1)];
};

const COPY = ["target-directory", "suffix", "backup", "mode", "owner", "group"];

/** Without `careful` options what stands at the target may be lost, with `forced` ones it is. */
const transfer = (from: Access, short: string): Rule =>
  rule(short, COPY, (given, scene) => {
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
  });

/** `chmod MODE FILE…`: with `--reference` there is no mode. */
const marking: Rule = rule("", ["reference", "from"], ({ options, operands }, scene) =>
  touchAll(options.some(({ name }) => name === "reference") ? operands : operands.slice(1), "mark", scene),
);

const diskCopy: Rule = (args, scene) =>
  args.flatMap((word): readonly Finding[] => {
    const key = /^(?:if|of)=/.exec(leadingText(word))?.[0];
    if (key === undefined) return [];
    return touch(dropText(word, 3), key === "if=" ? "read" : "destroy", scene);
  });

const sync: Rule = rule(
  "efTBM",
  ["exclude", "include", "rsh", "files-from"],
  ({ options, operands }, scene) => {
    if (has(options, "n", "dry-run")) return [];
    const deletes = options.some(({ name }) => name.startsWith("delete") || name === "remove-source-files");
    const local = operands.filter((word) => !/^(?:[\w.@-]+:|\w+:\/\/)/.test(leadingText(word)));
    const target = operands.at(-1);
    return [
      ...touchAll(
        local.filter((word) => word !== target),
        "read",
        scene,
      ),
      ...touchAll(
        local.filter((word) => word === target),
        deletes ? "destroy" : "write",
        scene,
      ),
      ...(deletes ? [finding("FS_DELETE_OVERWRITE", "deletes what the source does not have", "high")] : []),
    ];
  },
);

/** `tar`: the archive, `-C`, and what is packed. Names given to `x` and `t` are names inside the archive. */
const archive: Rule = (args, scene) => {
  const [first] = args;
  const bundled = first !== undefined && /^[A-Za-z]+$/.test(leadingText(first));
  const words = bundled ? [joinWords([plainWord("-"), first], ""), ...args.slice(1)] : args;
  const { options, operands } = readOptions(words, { short: "fCTXgIbHLNV", long: TAR, permute: true });
  const packs = has(options, "cru", "create");
  return [
    ...touchAll(valuesOf(options, ["f", "file"]), packs ? "write" : "read", scene),
    ...touchAll(valuesOf(options, ["C", "directory", "T", "X"]), packs ? "read" : "write", scene),
    ...(packs ? touchAll(operands, "read", scene) : []),
    ...(has(options, "", "remove-files") ? [finding("FS_DELETE_OVERWRITE", "deletes what it packs")] : []),
  ];
};

const TAR = ["file", "directory", "exclude", "transform", "checkpoint", "checkpoint-action", "to-command"];

const unzip: Rule = rule("dxP", [], ({ options, operands }, scene) => [
  ...touchAll(operands.slice(0, 1), "read", scene),
  ...touchAll(valuesOf(options, ["d"]), "write", scene),
  ...(hasFlag(options, "o") && !valuesOf(options, ["d"]).some((word) => isScratch(word, scene))
    ? [finding("FS_DELETE_OVERWRITE", "overwrites files without asking")]
    : []),
]);

/** Changes files in place with `-i`. Without an option of `how`, the first operand says how, or is a file too. */
const editing = (
  short: string,
  how: readonly string[],
  first: "program" | "file",
  long: readonly string[] = [],
): Rule =>
  rule(short, [...how, ...long], ({ options, operands }, scene) => {
    const told = options.some(({ name, value }) => how.includes(name) && value !== null);
    const inPlace = options.some(
      (one) => one.name === "i" || one.name === "inplace" || abbreviates(one, "in-place", 1),
    );
    const files = told || first === "file" ? operands : operands.slice(1);
    return touchAll(files, inPlace ? "write" : "look", scene);
  });

/** Files that a sed or awk program writes: `w FILE`, `print > "FILE"`. */
const written =
  (pattern: RegExp, rule: Rule): Rule =>
  (args, scene) => [
    ...rule(args, scene),
    ...args.flatMap((word) =>
      [...scriptText(word).matchAll(pattern)].flatMap(([, file = ""]) =>
        touch(plainWord(file), "write", scene),
      ),
    ),
  ];

const sed = written(
  /(?:^|[;{}\n\d$/!]|[/|#,][gpiIm]{1,9})\s{0,9}[wW]\s{1,9}([^\n;}]{1,999})/g,
  editing("efl", ["e", "f", "expression", "file"], "program", ["line-length"]),
);

const AWK_WRITES = />{1,2}\s{0,9}"([^"\n]{1,999})"/g;

const sorting: Rule = rule("oktST", ["output", "key"], ({ options, operands }, scene) => [
  ...touchAll(operands, "look", scene),
  ...touchAll(valuesOf(options, ["o", "output"]), "write", scene),
]);

const keys: Rule = rule("fNCtbyOPY", [], ({ options }, scene) =>
  touchAll(valuesOf(options, ["f"]), hasFlag(options, "lyFB") ? "read" : "write", scene),
);

const FIND_FILES = /^-(?:newer\w*|anewer|cnewer|samefile|files0-from)$/;

/** Starting points, and the files that tests name. What it runs and deletes is a command of its own (unwrap.ts). */
const searching: Rule = (args, scene) => {
  const { starts, expression: tests } = readFind(args);
  return [
    ...touchAll(starts, "look", scene),
    ...tests.flatMap((word, at): readonly Finding[] => {
      const test = constantText(tests[at - 1] ?? EMPTY) ?? "";
      if (FIND_FILES.test(test)) return touch(word, "read", scene);
      return /^-f(?:print0?|printf|ls)$/.test(test) ? touch(word, "write", scene) : [];
    }),
    ...(tests.some((word) => constantText(word) === "-delete")
      ? [finding("FS_DELETE_OVERWRITE", "deletes what it finds", "high")]
      : []),
  ];
};

/** Statements that throw data away, given to a database on the command line. */
const query: Rule = (args) =>
  args.some((word) =>
    /\b(?:drop\s+(?:table|database|schema|index|view|user)|truncate|delete\s+from|flushall|flushdb)\b/i.test(
      scriptText(word),
    ),
  )
    ? [finding("FS_DELETE_OVERWRITE", "deletes data of a database", "high")]
    : [];

/** By program. */
export const FILES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...forAll("rm rmdir unlink rimraf del-cli trash trash-put srm", removing()),
  ...forAll("shred", removing("sn", ["size", "iterations", "random-source"])),
  ...forAll("truncate", removing("sr", ["size", "reference"])),
  ...forAll("rename", () => [finding("FS_DELETE_OVERWRITE", "renames files")]),
  ...forAll("mv", transfer("destroy", "tS")),
  ...forAll("cp", transfer("look", "tS")),
  ...forAll("install", transfer("look", "tSmog")),
  ...forAll("ln", transfer("read", "tS")),
  ...forAll("tee", each("write", "", ["output-error"])),
  ...forAll("sponge", each("write")),
  ...forAll("touch", each("write", "drt", ["date", "reference", "time"])),
  ...forAll("mkdir mkfifo", each("read", "m", ["mode"])),
  ...forAll("chmod chown chgrp setfacl chattr", marking),
  ...forAll("dd", diskCopy),
  ...forAll("rsync", sync),
  ...forAll("tar bsdtar", archive),
  ...forAll("unzip", unzip),
  ...forAll("sed gsed", sed),
  ...forAll("awk gawk mawk nawk", written(AWK_WRITES, searchingText)),
  ...forAll("perl", editing("eEI", ["e", "E"], "file")),
  ...forAll("ruby", editing("erI", ["e"], "file")),
  ...forAll("yq", editing("o", [], "program", ["output-format"])),
  ...forAll("jq", editing("fL", ["f", "from-file"], "program", ["arg", "indent"])),
  ...forAll("sort shuf", sorting),
  ...forAll("ssh-keygen", keys),
  ...forAll("find", searching),
  ...forAll("dropdb", () => [finding("FS_DELETE_OVERWRITE", "deletes a database", "high")]),
  ...forAll("psql mysql mariadb sqlite3 redis-cli", query),
]);
