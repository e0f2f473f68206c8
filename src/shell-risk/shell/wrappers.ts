import { type Assignment, command, type InnerCommand, script } from "./command.ts";
import { readOptions, valuesOf } from "./options.ts";
import { dropText, joinWords, leadingText, plainWord, type Word } from "./word.ts";

interface Wrapper {
  readonly short: string;
  /** Operands before the command (`timeout 5 rm …`: one). */
  readonly skip?: number;
  /** Long options that take a value only for this wrapper. */
  readonly own?: readonly string[];
}

/** Long options of any wrapper that take the next word as their value. */
const LONG = (
  "user group name prompt close-from chdir chroot host role type other-user command-timeout login-class adjustment format output " +
  "input error signal kill-after timeout package with python prefix workspace call exec"
).split(" ");

/** Shells, `eval`, `find` and similar programs need more and are in unwrap.ts. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map(
  (
    "sudo:ugpCrtTUDRh doas:uCa command exec:a nice:n time:fo timeout:sk:1 flock:wE:1:wait stdbuf:ioe chroot::1 npx:pwc bunx:npw " +
    "builtin nohup setsid busybox toybox entr screen:cehpsStT"
  )
    .split(" ")
    .map((entry) => {
      const [name = "", short = "", skip = "0", ...own] = entry.split(":");
      return [name, { short, skip: Number(skip), own }];
    }),
);

export const unwrapSimple = (
  args: readonly Word[],
  { short, skip = 0, own = [] }: Wrapper,
): readonly InnerCommand[] => {
  const { options, operands } = readOptions(args, { short, long: [...LONG, ...own] });
  const calls = valuesOf(options, ["c", "call", "exec"]).flatMap((value) => script(value));
  const words = operands.slice(skip).map((word, at) => (at === 0 ? withoutVersion(word) : word));
  // `flock FILE -c SCRIPT`.
  const [first, second] = words;
  if (first !== undefined && second !== undefined && /^(?:-c|--command)$/.test(leadingText(first)))
    return script(second);
  return [...calls, ...commandOf(words)];
};

/** Returns a script if a shell must split the words (`entr -s 'make; ls'`), otherwise the program and its arguments. */
export const commandOf = (words: readonly Word[]): readonly InnerCommand[] => {
  const { assignments, rest } = splitAssignments(words);
  return rest[0]?.pieces.some((piece) => piece.kind === "text" && /[\s;&|<>]/.test(piece.text)) === true
    ? script(joinWords(words, " "))
    : command(rest, assignments);
};

export const splitAssignments = (
  words: readonly Word[],
): { readonly assignments: readonly Assignment[]; readonly rest: readonly Word[] } => {
  const end = words.findIndex((word) => !ASSIGNMENT.test(leadingText(word)));
  const count = end === -1 ? words.length : end;
  const assignments = words.slice(0, count).map((word) => {
    const name = ASSIGNMENT.exec(leadingText(word))?.[1] ?? "";
    return { name, value: dropText(word, name.length + 1) };
  });
  return { assignments, rest: words.slice(count) };
};

const ASSIGNMENT = /^([A-Za-z_]\w*)=/;

/** `rimraf@6` is `rimraf`, `@scope/name@2` is `@scope/name`. */
const withoutVersion = (word: Word): Word => {
  const name = /^(.[^@]*)@/.exec(leadingText(word))?.[1];
  return name === undefined ? word : plainWord(name);
};
