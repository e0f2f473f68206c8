import { type ParsedOption, readOptions, valuesOf } from "../shell/options.ts";
import { constantText, dropText, EMPTY, leadingText, type Word } from "../shell/word.ts";
import { type DangerFinding, finding } from "../danger/danger.ts";
import { INSTALLING, type Manager, managerOf, PUBLISHING, SYNCING } from "./managers.ts";
import { scriptFindings } from "./publish.ts";
import type { ProgramRule, RuleContext } from "../danger/rule-context.ts";
import { tableOf } from "../shell/table.ts";
import { fileAccessFindings, touchAll } from "./file-access.ts";

const LONG = "prefix registry workspace filter cwd dir directory project manifest-path".split(" ");

/** Null if the program is no package manager. */
export const packageFindings = (program: string, scene: RuleContext): readonly DangerFinding[] | null => {
  const special = SPECIAL.get(program);
  if (special !== undefined) return special(scene.command.args, scene);
  const known = managerOf(program);
  if (known === null) return isSetup(program, scene.command.args) ? [installs("setup.py")] : null;
  const [name, manager] = known;
  const { options, operands } = readOptions(scene.command.args, {
    short: manager.short ?? "",
    long: LONG,
  });
  const elsewhere = touchAll(valuesOf(options, DIRECTORIES), "read", scene);
  const [verb, ...rest] = operands;
  if (isInert([...options.map(optionText), ...rest.map(leadingText)])) return elsewhere;
  const found = verbFindings(name, manager, verb, rest, scene);
  const changes = found.some(({ category }) => category === "DEPS_INSTALL_UPDATE");
  return [...elsewhere, ...found, ...(changes ? pathFindings(rest, scene) : [])];
};

/** Judges install sources and targets that are clearly paths, because most words are names of packages. */
const pathFindings = (words: readonly Word[], scene: RuleContext): readonly DangerFinding[] =>
  words.flatMap((word) => {
    const equals = /^--?[\w-]+=/.exec(leadingText(word))?.[0].length ?? 0;
    const value = dropText(word, equals);
    const isPath = /^(?:\/|\.\.(?:\/|$))/.test(leadingText(value)) || value.pieces[0]?.kind === "place";
    return isPath ? fileAccessFindings(value, "read", scene) : [];
  });

const DIRECTORIES = ["prefix", "C", "cwd", "dir", "directory", "project"];

const optionText = ({ name, long }: ParsedOption): string => (long ? `--${name}` : `-${name}`);

/** Whether the call changes nothing, and usually fetches nothing. */
const isInert = (words: readonly string[]): boolean => {
  const end = words.indexOf("--");
  return (end === -1 ? words : words.slice(0, end)).some((word) => INERT.has(word));
};

const INERT: ReadonlySet<string> = new Set(
  "--dry-run --help -h --simulate --version --just-print".split(" "),
);

const verbFindings = (
  name: string,
  manager: Manager,
  verbWord: Word | undefined,
  rest: readonly Word[],
  scene: RuleContext,
): readonly DangerFinding[] => {
  const verb = verbWord === undefined ? "" : (constantText(verbWord) ?? "");
  const second = rest[0] === undefined ? "" : leadingText(rest[0]);
  const shown = `${name} ${verb}`.trim();
  if (verb === "" && !isOne(manager.installs, "*") && !isOne(manager.fetches, "*")) {
    return manager.bare === true && verbWord === undefined ? [installs(`${shown} install`)] : [];
  }
  const call = `${shown} ${second}`;
  if (READING.test(call)) return [];
  if (isOne(manager.fetches, verb)) return fetched(shown, second);
  if (isOne(manager.local, verb)) return npx(rest, scene);
  if (name === "go" && verb === "run" && REMOTE.test(second)) return fetched(shown, second);
  if (call === "uv tool run") return fetched(shown, leadingText(rest[1] ?? EMPTY));
  const isSync = manager.scripts !== true && SYNCING.test(verb);
  if (isOne(manager.installs, verb) || INSTALLING.test(verb) || isSync) return [installs(shown)];
  if (PUBLISHING.test(verb)) return [publishes(shown)];
  if (isOne(manager.asks, verb)) return [finding("NETWORK_RISK", `asks a registry: ${shown}`)];
  if (isOne(manager.runs, verb)) {
    return scriptFindings(verb.startsWith("r") && verb !== "restart" ? second : verb);
  }
  if (CHANGING.test(call)) return [installs(call)];
  if (VERSIONING.test(call)) return [finding("GIT_PUBLISH", `makes or moves a version: ${call}`)];
  if (CONFIGURING.test(call)) return [finding("FS_CONFIG_SECRETS", `changes npm's configuration: ${call}`)];
  return manager.scripts === true ? scriptFindings(verb) : [];
};

const READING =
  /^(?:uv (?:pip|tool|python)|nix profile|conda env|rustup \w+|yarn global|asdf plugin|dotnet tool) (?:list|show|freeze|check|tree|dir|find|history|export|bin)$|^\w+ lock --check$|^dotnet (?:add (?:reference)?|tool run)$/;

/** Calls that matter only with certain words after the subcommand. */
const CHANGING = /^(?:npm audit fix|npm pkg (?:set|delete)|go mod (?:tidy|download|vendor))$/;
const VERSIONING = /^p?npm version [^-]|^npm dist-tag (?:add|rm)$|^yarn (?:version |npm publish$)/;
const CONFIGURING = /^npm config (?:set|delete|edit)$/;

const isOne = (names: string | undefined, verb: string): boolean =>
  names === "*" || (verb !== "" && (names?.split(" ").includes(verb) ?? false));

const installs = (shown: string): DangerFinding =>
  finding("DEPS_INSTALL_UPDATE", `changes dependencies: ${shown}`);

const publishes = (shown: string): DangerFinding => finding("GIT_PUBLISH", `publishes with ${shown}`);

/** `npm init` alone writes a package.json; with a name, npm fetches and runs a package. */
const fetched = (shown: string, second: string): readonly DangerFinding[] =>
  / (?:init|innit)$/.test(shown) && (second === "" || second.startsWith("-"))
    ? []
    : [
        finding("DEPS_INSTALL_UPDATE", `fetches a package: ${shown} ${second}`),
        finding("EXEC_ARBITRARY", `runs the fetched package: ${shown} ${second}`, "high"),
      ];

/** A package from another machine: `golang.org/x/tools/cmd/stringer@latest`. */
const REMOTE = /^[\w-]+(?:\.[\w-]+)+\/|@/;

/**
 * `npx NAME` runs a program of the project. With `--yes`, `NAME@VERSION` or a `create-…` name, npx fetches the program first.
 */
const npx: ProgramRule = (args) => {
  const { options, operands } = readOptions(args, { short: "pc", long: ["package", "call"] });
  const first = operands[0] === undefined ? "" : leadingText(operands[0]);
  const asked =
    options.some(({ name }) => name === "y" || name === "yes" || name === "p" || name === "package") ||
    /^.[^@]*@|^(?:@[^/]+\/)?create-/.test(first);
  return asked ? fetched("npx", first) : [];
};

/** Managers with options as subcommands: `pacman -S` installs, `-Ss` searches. */
const byOption =
  (pattern: RegExp, name: string): ProgramRule =>
  (args) => {
    const option = args.map(leadingText).find((word) => pattern.test(word));
    return option === undefined ? [] : [installs(`${name} ${option}`)];
  };

const isSetup = (program: string, args: readonly Word[]): boolean =>
  program.startsWith("python") &&
  args.some((word) => constantText(word) === "setup.py") &&
  args.some((word) => ["install", "develop"].includes(constantText(word) ?? ""));

const SPECIAL = tableOf<ProgramRule>({
  "npx bunx": npx,
  helm: ([verb = EMPTY]) => (leadingText(verb) === "push" ? [publishes("helm push")] : []),
  "pacman yay paru yaourt aura": byOption(/^-(?:S(?!s|i|l|g)|R|U)/, "pacman"),
  "nix-env": byOption(/^-(?:i|e|u|-install|-uninstall|-upgrade)/, "nix-env"),
  dpkg: byOption(/^(?:-i|-r|-P|--install|--remove|--purge|--unpack)$/, "dpkg"),
  rpm: byOption(/^-[iUFe]|^--(?:install|upgrade|erase)$/, "rpm"),
});
