/**
 * Walks a script's tree in written order and lists every simple command and redirection, including those inside wrappers and
 * nested scripts.
 *
 * W1 every command yields at least one command, whatever surrounds it. W2 no recursion: nesting costs memory, never stack. W3
 * every list that a script could make long is bounded; `complete` is false if a bound was reached.
 */
import {
  type Command,
  type CommandArgument,
  forEachChild,
  type ParseError,
  type Pipeline,
  type Redirected,
  type SyntaxNode,
} from "unbash";
import type { Assignment, StandardInput, SimpleCommand, ScriptStep } from "./command.ts";
import {
  type ExpansionBudget,
  readAssignment,
  readAsWords,
  type ExpansionContext,
  readWord,
} from "./expand.ts";
import type { WalkBudget } from "./work-budget.ts";
import { constantText, EMPTY, leadingText, plainWord, programOf, scriptText, type Word } from "./word.ts";
import { readRedirectedInput, readRedirect, writtenText } from "./redirects.ts";
import { hasUnparsedCode, SUBSTITUTION } from "./unparsed-code.ts";
import { readSyntax } from "./syntax.ts";
import { SHELLS, unwrapCommand } from "./unwrap.ts";

interface Walked {
  readonly steps: readonly ScriptStep[];
  readonly complete: boolean;
  /** Whether the script, or a script that it passes to a shell, contains a syntax error. */
  readonly isBroken: boolean;
  /** The scripts, including nested scripts, whose trees are incomplete. */
  readonly broken: ReadonlySet<string>;
}

const MAX_NESTING = 24;

export const walk = (source: string, patience: WalkBudget): Walked => {
  const found: Found = {
    steps: [],
    assigned: new Set(),
    functions: new Map(),
    effort: { left: patience.effort },
    complete: true,
    isBroken: false,
    broken: new Set(),
  };
  const place: Place = {
    source,
    quotesNothing: false,
    positional: { words: [plainWord("bash")] },
    stdin: null,
    input: "none",
    printed: null,
    via: [],
    nesting: 0,
  };
  const stack: Item[] = [{ node: source, place }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (found.effort.left < 0 || patience.isOver()) {
      found.complete = false;
      break;
    }
    try {
      for (const next of visit(item, found).toReversed()) stack.push(next);
    } catch (error) {
      // The parser reports most nesting as too deep; some nesting overflows its stack.
      if (!(error instanceof RangeError)) throw error;
      giveUp(item.place, found);
    }
  }
  return found;
};

interface Found {
  readonly steps: ScriptStep[];
  readonly assigned: Set<string>;
  /** Bodies of functions, and texts of aliases as bodies with the following words. */
  readonly functions: Map<string, Item>;
  readonly effort: ExpansionBudget;
  readonly broken: Set<string>;
  complete: boolean;
  isBroken: boolean;
}

interface Place extends StandardInput {
  readonly source: string;
  /** Whether single quotes are ordinary characters, so that text between them is expanded. */
  readonly quotesNothing: boolean;
  /** `$0`, `$1`, …; null in a function's body at its definition, because the body is read again at each call. */
  readonly positional: Positional | null;
  /** Output of the command around a redirection, if the text determines it. */
  readonly printed: Word | null;
  readonly via: readonly string[];
  readonly nesting: number;
}

/** `$0`, `$1`, … of a shell or of a called function; `set` and `shift` change them. */
interface Positional {
  words: readonly Word[];
}

/** For places without known input. */
const UNFED = { stdin: null, input: "none", printed: null } as const;

interface Item {
  /** Text is a script that must still be parsed. */
  readonly node: SyntaxNode | string;
  readonly place: Place;
}

/** Records the effect of a node and returns the nodes to visit next. */
const visit = ({ node, place }: Item, found: Found): readonly Item[] => {
  if (typeof node === "string") return [{ node: readSyntax(node), place }];
  const { assigned, effort } = found;
  if (hasUnparsedCode(node, place.source, place.quotesNothing)) giveUp(place, found);
  const reader: ExpansionContext = { positional: place.positional?.words ?? null, assigned, effort };
  const inside = (changes: Partial<Place> | ((child: SyntaxNode) => Partial<Place>)): readonly Item[] => {
    const children: Item[] = [];
    forEachChild(node, (child) => {
      const own = typeof changes === "function" ? changes(child) : changes;
      children.push({ node: child, place: { ...place, ...own } });
    });
    return children;
  };
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- whatever else there is holds others and does nothing
  switch (node.type) {
    case "Script": {
      const { source = place.source } = node;
      if (node.errors !== undefined) misread(node.errors, { ...place, source }, found);
      return inside({ source, quotesNothing: false });
    }
    case "Command":
      return visitCommand(node, place, reader, found);
    case "Redirect":
      found.steps.push(...readRedirect(node, reader, place.printed));
      return inside(UNFED);
    case "For":
    case "Select":
      found.assigned.add(node.name.value);
      return inside({});
    case "Function":
      found.functions.set(node.name.value, { node: node.body, place });
      return [{ node: node.body, place: { ...place, positional: null, ...UNFED } }];
    case "CommandExpansion":
    case "ProcessSubstitution":
      return inside(UNFED);
    case "Pipeline":
      return visitPipeline(node, place);
    case "Redirected":
      return visitRedirected(node, place, reader);
    case "ParameterExpansion":
    case "Assignment":
      return inside((child) => (child === node.index ? { quotesNothing: true } : {}));
    case "ArrayValue":
      // A subscript is expanded a second time.
      if (node.elements.some(({ text }) => /^\[[^\]]*\\[$`]/.test(text))) giveUp(place, found);
      return inside({});
    case "Slice":
    case "ArithmeticWord":
      return inside({ quotesNothing: true });
    case "HereDoc":
      // The parser read all later text as the body of the here-document.
      if (node.closing === undefined) misread([], place, found);
      return node.delimiter?.quoted === true ? [] : inside({ ...UNFED, quotesNothing: true });
    default:
      return inside({});
  }
};

/** The tree may be incomplete, so the text is also read in fragments. */
const misread = (errors: readonly ParseError[], place: Place, found: Found): void => {
  found.broken.add(place.source);
  const [shell] = place.via.slice(-1);
  // The argument of another program need not be a script.
  if (shell === undefined || SHELLS.has(shell) || IN_PLACE.has(shell)) found.isBroken = true;
  if (errors.some(({ message }) => message.startsWith("maximum"))) found.complete = false;
};

/** The tree does not contain everything that runs. */
const giveUp = (place: Place, found: Found): void => {
  found.broken.add(place.source);
  found.complete = false;
};

/** Visits one command for each possible value of its first word, then its words and its output. */
const visitCommand = (
  node: Command,
  place: Place,
  reader: ExpansionContext,
  found: Found,
): readonly Item[] => {
  const { name, prefix, args, redirects } = node;
  const fed: Place = { ...place, ...readRedirectedInput(redirects, reader) };
  const before = prefix.filter((each) => each.type === "Assignment");
  // The grammar alone treats `alias a=b` as an assignment.
  const isAlias = name?.value === "alias";
  const declared = isAlias ? [] : args.filter((each) => each.type === "Assignment");
  const assignments = [...before, ...declared].map((each) => readAssignment(each, reader));
  const within = (changes: Partial<Place>, nodes: readonly SyntaxNode[]): readonly Item[] =>
    nodes.map((each) => ({ node: each, place: { ...place, ...UNFED, ...changes } }));
  const rest = args.flatMap((each) => {
    if (each.type === "Word") return readWord(each, reader).flat();
    return isAlias ? readAsWords(each, reader) : [];
  });
  const run = (name === undefined ? [] : readWord(name, reader)).flatMap((first) =>
    record([...first, ...rest], assignments, { ...fed, printed: null }, found),
  );
  for (const each of name === undefined ? before : declared) found.assigned.add(each.name);
  // Without a command nothing is printed: `> file`, `A=1 > file`.
  const printed = (): Word | null => (name === undefined ? EMPTY : writtenText(node, reader, fed.stdin));
  return [
    ...run,
    ...within({}, [...(name === undefined ? [] : [name]), ...before, ...args].filter(isComposed)),
    ...within(redirects.length === 0 ? {} : { printed: printed() }, redirects),
  ];
};

/** Whether the argument may contain other nodes. */
const isComposed = (node: CommandArgument): boolean =>
  node.type !== "Word" || node.parts !== undefined || SUBSTITUTION.test(node.text);

/** Lists a command, then the commands that it runs: behind a wrapper, in a nested script, in a function's body. */
const record = (
  words: readonly Word[],
  assignments: readonly Assignment[],
  place: Place,
  found: Found,
): readonly Item[] => {
  const [name = null, ...args] = words;
  const program = name === null ? null : programOf(name);
  const { stdin, input, via, nesting } = place;
  const kind = "command";
  const command: SimpleCommand = { kind, name, program, args, assignments, stdin, input, via };
  found.steps.push(command);
  found.effort.left -= words.length + 1;
  if (program === null) return [];
  if (nesting >= MAX_NESTING) {
    found.complete = false;
    return [];
  }
  const deeper: Place = { ...place, via: [...via, program], nesting: nesting + 1 };
  if (program === "alias") learnAliases(args, deeper, found);
  if (place.positional !== null) changePositional(program, words, place.positional);
  const body = found.functions.get(program);
  return [
    ...(body === undefined || via.includes(program)
      ? []
      : [
          {
            node: body.node,
            place: {
              ...deeper,
              source: body.place.source,
              positional: { words: [shellName(place), ...args] },
            },
          },
        ]),
    ...unwrapCommand(command).flatMap((inner) =>
      inner.kind === "command"
        ? record(inner.words, inner.assignments, deeper, found)
        : nested(
            scriptText(inner.script),
            {
              ...deeper,
              positional: inner.positional === null ? place.positional : { words: inner.positional },
              ...UNFED,
            },
            found,
          ),
    ),
  ];
};

const IN_PLACE: ReadonlySet<string> = new Set(["eval", "source", "."]);

const learnAliases = (args: readonly Word[], place: Place, found: Found): void => {
  for (const word of args) {
    const [, name, text] = /^([^=]+)=([^]*)$/.exec(constantText(word) ?? "") ?? [];
    if (name === undefined) continue;
    for (const body of nested(`${text} "$@"`, place, found)) found.functions.set(name, body);
  }
};

/** `$0` is the shell's name in a function too. */
const shellName = (place: Place): Word => place.positional?.words[0] ?? plainWord("bash");

const changePositional = (
  program: string,
  [name, ...args]: readonly Word[],
  positional: Positional,
): void => {
  const [zero = plainWord("bash"), ...rest] = positional.words;
  if (program === "shift") {
    const count = args[0] === undefined ? 1 : Number(constantText(args[0]));
    positional.words = [zero, ...rest.slice(Number.isInteger(count) ? count : 1)];
  }
  if (program !== "set" || name === undefined) return;
  const start = args.findIndex((word) => !/^[-+]./.test(leadingText(word)) || constantText(word) === "--");
  if (start === -1) return;
  const dashes = args[start] !== undefined && constantText(args[start]) === "--";
  positional.words = [zero, ...args.slice(dashes ? start + 1 : start)];
};

const nested = (source: string, place: Place, found: Found): readonly Item[] => {
  found.effort.left -= source.length;
  if (found.effort.left >= 0) return [{ node: source, place: { ...place, source } }];
  found.complete = false;
  return [];
};

/** Each part reads the previous part's output; `! a` and `time a` have one part. */
const visitPipeline = ({ commands }: Pipeline, place: Place): readonly Item[] =>
  commands.map((node, at) => ({
    node,
    place: at === 0 ? place : { ...place, stdin: null, input: "pipe" },
  }));

/** A group or a loop with redirections. */
const visitRedirected = (
  { command, redirects }: Redirected,
  place: Place,
  reader: ExpansionContext,
): readonly Item[] => [
  { node: command, place: { ...place, ...readRedirectedInput(redirects, reader) } },
  ...redirects.map((node) => ({ node, place: { ...place, ...UNFED } })),
];
