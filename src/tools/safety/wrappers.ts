/** Programs that run the command given in their arguments, and how their own options end. */
import { type Assignment, command, type Inner, script } from "../shell/command.ts";
import { hasFlag, readOptions, valuesOf } from "../shell/options.ts";
import { dropText, leadingText, plainWord, type Word } from "../shell/word.ts";

interface Wrapper {
  readonly short: string;
  /** Long options that take a value as the next word. */
  readonly long: readonly string[];
  /** Operands before the command (`timeout 5 rm …`: one). */
  readonly skip: number;
  /** `NAME=value` operands come before the command. */
  readonly assigns: boolean;
  /** Options that keep the command from being run (`command -v rm`). */
  readonly inert: string;
  /** `-c`, `--call` and `--exec` take a script. */
  readonly calls: boolean;
}

const wrapper = (short = "", long = "", more: Partial<Wrapper> = {}): Wrapper => ({
  short,
  long: long.split(" "),
  skip: 0,
  assigns: false,
  inert: "",
  calls: false,
  ...more,
});

const plain = (names: string): readonly (readonly [string, Wrapper])[] =>
  names.split(" ").map((name) => [name, wrapper()]);

/** What a language's tool takes before the program of the project that it runs. */
export const RUNNER: Wrapper = wrapper("npw", "package with python name prefix workspace");

export const RUNNER_WITH_SCRIPT: Wrapper = wrapper(
  "pwc",
  "package with python name prefix workspace call exec",
  { calls: true },
);

/** By program name. Shells, `eval`, `find` and the like are in unwrap.ts, as they need more than this. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  [
    "sudo",
    wrapper(
      "ugpCcrtTUDRh",
      "user group prompt close-from chdir chroot host role type other-user command-timeout login-class",
      { assigns: true },
    ),
  ],
  ["doas", wrapper("uCa")],
  ["command", wrapper("", "", { inert: "vV" })],
  ["exec", wrapper("a")],
  ["nice", wrapper("n", "adjustment")],
  ["time", wrapper("fo", "format output")],
  ["timeout", wrapper("sk", "signal kill-after", { skip: 1 })],
  ["flock", wrapper("wE", "timeout wait", { skip: 1 })],
  ["stdbuf", wrapper("ioe", "input output error")],
  ["chroot", wrapper("", "", { skip: 1 })],
  ["npx", RUNNER_WITH_SCRIPT],
  ["bunx", RUNNER],
  ...plain("builtin nohup setsid busybox toybox coproc"),
  // Reserved words that the grammar takes for programs in some positions (`! { rm x; }`).
  ...plain("! { then do else"),
]);

export const unwrapSimple = (args: readonly Word[], wrapper: Wrapper): readonly Inner[] => {
  const { options, operands } = readOptions(args, wrapper);
  if (hasFlag(options, wrapper.inert)) return [];
  const calls = wrapper.calls
    ? valuesOf(options, ["c", "call", "exec"]).flatMap((value) => script(value))
    : [];
  const words = operands.slice(wrapper.skip).map((word, at) => (at === 0 ? withoutVersion(word) : word));
  // `flock FILE -c SCRIPT`.
  const [first, second] = words;
  if (first !== undefined && second !== undefined && /^(?:-c|--command)$/.test(leadingText(first)))
    return script(second);
  const { assignments, rest } = wrapper.assigns ? splitAssignments(words) : { assignments: [], rest: words };
  return [...calls, ...command(rest, assignments)];
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
