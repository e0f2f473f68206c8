import { matchesGlob } from "../shell/glob.ts";
import { TEXTUAL } from "../shell/tail.ts";
import { WRAPPERS } from "../shell/wrappers.ts";
import { leadingText, type Word } from "../shell/word.ts";
import { type DangerFinding, UNREAD } from "../danger/danger.ts";
import { FILE_PROGRAMS } from "./files.ts";
import { git } from "./git.ts";
import { readRunning } from "./interpreters.ts";
import { networkProgramFindings } from "./network.ts";
import { opaqueFindings } from "./opaque.ts";
import { ORDINARY, ordinary, outputs, programFindings } from "./ordinary.ts";
import { packageFindings } from "./packages.ts";
import { publishFindings, unknownFindings } from "./publish.ts";
import type { RuleContext } from "../danger/rule-context.ts";
import { isSystemProgramName, systemFindings } from "./system.ts";

const MAX_ARGS = 1_000;

export const commandFindings = (scene: RuleContext): readonly DangerFinding[] => {
  const { name, program, args } = scene.command;
  if (name === null) return [];
  if (args.length > MAX_ARGS) {
    const command = { ...scene.command, args: args.slice(0, MAX_ARGS) };
    return [...commandFindings({ ...scene, command }), UNREAD.bounds];
  }
  return [
    ...opaqueFindings(scene),
    ...programFindings(name, scene),
    ...(program === null ? [] : namesOf(program).flatMap((each) => findingsAs(each, scene))),
  ];
};

/** Programs to compare with a pattern in the program's place (`/bin/r?`). */
const TYPICAL: readonly string[] = [
  ...FILE_PROGRAMS.keys(),
  ..."sudo curl wget git npm pip ssh systemctl".split(" "),
];

const NAME_MAX = 255;

const namesOf = (program: string): readonly string[] =>
  program.length <= NAME_MAX && /[*?[]/.test(program) && /\w/.test(program)
    ? TYPICAL.filter((name) => matchesGlob(program, name))
    : [program];

const findingsAs = (program: string, scene: RuleContext): readonly DangerFinding[] => {
  const { args } = scene.command;
  const packages = packageFindings(program, scene);
  const published = publishFindings(program, args);
  const reached = published.length > 0 ? published : networkProgramFindings(program, args, scene);
  const isOther = packages !== null || MAKE.has(program) || TEXTUAL.has(program) || isWrapping(program);
  const isKnown = isOther || reached.length > 0;
  return [
    ...systemFindings(program, args, scene),
    ...(packages ?? []),
    ...(isKnown ? reached : unknownFindings(program, args)),
    ...(program === "git" ? git(args, scene) : []),
    ...(packages === null && program !== "git" ? fileFindings(program, scene) : []),
    ...(COMPILERS.has(program) ? outputs(args, scene) : []),
  ];
};

/** Whether the program's words are system names or another command. */
const isWrapping = (program: string): boolean => WRAPPERS.has(program) || isSystemProgramName(program);

const MAKE: ReadonlySet<string> = new Set(["make", "gmake"]);

/** Package managers that also compile, so they may write anywhere. */
const COMPILERS: ReadonlySet<string> = new Set(["go", "cargo", "dotnet", "deno", "bun", "stack", "cabal"]);

/** Findings for arguments as files. The arguments of a wrapper are a command, which is judged separately. */
const fileFindings = (program: string, scene: RuleContext): readonly DangerFinding[] => {
  const { args } = scene.command;
  if (asksForHelp(args) && !MAKE.has(program)) return [];
  const rule = FILE_PROGRAMS.get(program) ?? ORDINARY.get(program);
  if (rule !== undefined) return rule(args, scene);
  if (isWrapping(program)) return [];
  const code = readRunning(program, args)?.code ?? [];
  return ordinary(
    args.filter((word) => !code.includes(word)),
    scene,
  );
};

const asksForHelp = (args: readonly Word[]): boolean => {
  const texts = args.map(leadingText);
  const end = texts.indexOf("--");
  return (end === -1 ? texts : texts.slice(0, end)).some((text) => text === "--help" || text === "--version");
};
