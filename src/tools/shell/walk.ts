/**
 * Walks a script's tree in the order it is written and lists every simple command and redirection in it, those
 * inside wrappers and nested scripts included.
 *
 * W1 every `command` node yields at least one command, whatever surrounds it.
 * W2 no recursion: nesting costs memory, never stack.
 * W3 every list that a script could make long is bounded; `complete` is false when a bound was met.
 */
import { backtickTexts } from "./text.ts";
import { bind, bindLoop, readAssignment } from "./bindings.ts";
import type { Assignment, Input, Scope, SimpleCommand, Step } from "./command.ts";
import { commandWords, type Effort, type Reader, readWord, readWords } from "./expand.ts";
import type { ReadSyntax, Syntax, SyntaxTree } from "./grammar.ts";
import { groupWords } from "./groups.ts";
import { constantOutput } from "./output.ts";
import type { Patience } from "./patience.ts";
import { constantText, leadingText, plainWord, programOf, scriptText, type Word } from "./word.ts";
import { inputOf, redirectedInput, redirectedWords, readRedirect } from "./redirects.ts";
import { unwrap } from "../safety/unwrap.ts";
import type { Variables } from "./variables.ts";

interface Walked {
  readonly steps: readonly Step[];
  readonly complete: boolean;
}

/** Wrappers, calls and nested scripts inside each other. */
const MAX_NESTING = 24;

/** Lists the commands of a tree; `read` reads the nested scripts (`bash -c`, `eval`). */
export const walk = (tree: SyntaxTree, read: ReadSyntax, patience: Patience): Walked => {
  const found: Found = {
    steps: [],
    variables: new Map(),
    functions: new Map(),
    effort: { left: patience.effort },
    complete: true,
    read,
  };
  const place: Place = {
    source: tree.source,
    positional: { words: [plainWord("bash")] },
    scope: { parent: null },
    certain: true,
    stdin: null,
    input: "none",
    printed: null,
    via: [],
    nesting: 0,
  };
  const { steps } = found;
  const stack: Item[] = [{ node: tree.root, place }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (found.effort.left < 0 || patience.endsWalk()) return { steps, complete: false };
    for (const next of visit(item, found).toReversed()) stack.push(next);
  }
  return { steps, complete: found.complete };
};

/** What the walk has learned so far. */
interface Found {
  readonly steps: Step[];
  readonly variables: Variables;
  /** Bodies of functions and, as bodies with what follows them, texts of aliases. */
  readonly functions: Map<string, Item>;
  readonly effort: Effort;
  complete: boolean;
  readonly read: ReadSyntax;
}

/** Where a node stands. */
interface Place {
  readonly source: string;
  /** `$0`, `$1`, …; null in a function's body where it is defined: it is read again where it is called. */
  readonly positional: Positional | null;
  readonly scope: Scope;
  /** False in branches and loops, where an assignment may or may not happen. */
  readonly certain: boolean;
  readonly stdin: Word | null;
  readonly input: Input;
  /** What the command around a redirection prints, when the text tells it. */
  readonly printed: Word | null;
  readonly via: readonly string[];
  readonly nesting: number;
}

/** `$0`, `$1`, … of a shell or of a function that is called; `set` and `shift` change them. */
interface Positional {
  words: readonly Word[];
}

/** Whatever is read here has no input that the script tells. */
const UNFED = { stdin: null, input: "none", printed: null } as const;

/** What stands alone in the place of a command prints nothing: `> file`. */
const NOTHING: Word = plainWord("");

interface Item {
  readonly node: Syntax;
  readonly place: Place;
}

/** Records what a node does and returns what to visit next. */
const visit = ({ node, place }: Item, found: Found): readonly Item[] => {
  const { source } = place;
  const reader: Reader = {
    source,
    positional: place.positional?.words ?? null,
    variables: found.variables,
    effort: found.effort,
  };
  const inside = (changes: Partial<Place>, nodes = node.children): readonly Item[] =>
    nodes.map((child) => ({ node: child, place: { ...place, ...changes } }));
  switch (node.type) {
    case "command":
      return [...visitCommand(node, node.children, place, reader, found), ...insideWords(node, place)];
    case "declaration_command":
    case "unset_command":
      record(readWords(node.children, reader), assignmentsOf(node.children, reader), place, found);
      return inside(UNFED);
    case "variable_assignment":
      bind(node, place.certain, reader);
      return inside(UNFED);
    case "file_redirect":
      found.steps.push(...readRedirect(node, reader, place));
      return inside(UNFED);
    case "for_statement":
      bindLoop(node, reader);
      return inside({ certain: false });
    case "if_statement":
    case "while_statement":
    case "case_statement":
    case "c_style_for_statement":
      return inside({ certain: false });
    case "list":
      return node.children.map((child, index) => ({
        node: child,
        place: { ...place, certain: place.certain && (index === 0 || node.children[1]?.type !== "||") },
      }));
    case "function_definition": {
      const [name, body] = [node.children.find(({ type }) => type === "word"), node.children.at(-1)];
      if (name !== undefined && body !== undefined) {
        found.functions.set(place.source.slice(name.start, name.end), { node: body, place });
      }
      return inside({ certain: false, positional: null, ...UNFED });
    }
    case "subshell":
      return inside({ scope: { parent: place.scope } });
    case "command_substitution":
      return (
        visitSubstitution(node, place, found) ??
        inside({ ...UNFED, scope: { parent: place.scope }, printed: NOTHING })
      );
    case "process_substitution":
      return inside({ scope: { parent: place.scope }, ...UNFED });
    case "pipeline":
      return visitPipeline(node, place, reader);
    case "redirected_statement":
      return visitRedirected(node, place, reader);
    case "regex":
    case "word":
      return visitPattern(node, place, found);
    case "ERROR":
      return [...visitBroken(node, place, reader, found), ...inside({})];
    default:
      return inside({});
  }
};

/** A command's own substitutions and here-strings; its words are already read. */
const insideWords = (node: Syntax, place: Place): readonly Item[] =>
  node.children
    .flatMap((child) => (child.type === "variable_assignment" ? child.children : [child]))
    .filter(({ children }) => children.length > 0)
    .map((child) => ({
      node: child,
      place: { ...place, ...UNFED, printed: child.type === "file_redirect" ? place.printed : null },
    }));

/** One command for each value that its first word may have. */
const visitCommand = (
  node: Syntax,
  children: readonly Syntax[],
  place: Place,
  reader: Reader,
  found: Found,
): readonly Item[] => {
  const assignments = assignmentsOf(children, reader);
  const [first, ...others] = groupWords(children, place.source);
  const args = [
    ...others.flatMap((group) => readWord(group, reader).flat()),
    ...redirectedWords(children, reader),
  ];
  const stdin = redirectedInput(node.children, reader) ?? place.stdin;
  const input = inputOf(node.children) ?? place.input;
  return (first === undefined ? [[]] : readWord(first, reader)).flatMap((words) =>
    record([...words, ...args], assignments, { ...place, stdin, input, printed: null }, found),
  );
};

const assignmentsOf = (nodes: readonly Syntax[], reader: Reader): readonly Assignment[] =>
  nodes.flatMap((node) => (node.type === "variable_assignment" ? [readAssignment(node, reader)] : []));

/** Lists a command, then what it runs: the command behind a wrapper, a nested script, a function's body. */
const record = (
  words: readonly Word[],
  assignments: readonly Assignment[],
  place: Place,
  found: Found,
): readonly Item[] => {
  const [name = null, ...args] = words;
  const program = name === null ? null : programOf(name);
  const { stdin, input, via, scope, nesting } = place;
  const kind = "command";
  const command: SimpleCommand = { kind, name, program, args, assignments, stdin, input, via, scope };
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
              certain: false,
            },
          },
        ]),
    ...unwrap(command).flatMap((inner) =>
      inner.kind === "command"
        ? record(inner.words, inner.assignments, deeper, found)
        : nested(
            scriptText(inner.script),
            {
              ...deeper,
              positional: inner.positional === null ? place.positional : { words: inner.positional },
              ...UNFED,
              scope: IN_PLACE.has(program) ? scope : { parent: scope },
            },
            found,
          ),
    ),
  ];
};

/** Programs that run a script in the same shell, so that its `cd` stays in force. */
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

/** `set -- WORD…` and `shift N`. */
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

/** The tree of a script inside the script. */
const nested = (source: string, place: Place, found: Found): readonly Item[] => {
  found.effort.left -= source.length;
  const tree = found.effort.left < 0 ? null : found.read(source);
  if (tree === null) {
    found.complete = false;
    return [];
  }
  return [{ node: tree.root, place: { ...place, source } }];
};

/** Backticks inside backticks are escaped, so the text between them has to be read anew. */
const visitSubstitution = (node: Syntax, place: Place, found: Found): readonly Item[] | null => {
  const source = place.source.slice(node.start, node.end);
  const texts = backtickTexts(source);
  const plain = texts.length <= 3 && !source.includes("\\");
  if (texts.length === 0 || plain || place.nesting >= MAX_NESTING) return null;
  const inside = { ...place, ...UNFED, scope: { parent: place.scope }, nesting: place.nesting + 1 };
  return texts
    .filter((_, index) => index % 2 === 1)
    .flatMap((text) => nested(text.replace(/\\([$`\\])/g, "$1"), inside, found));
};

/** A pattern or a default in an expansion, whose substitutions the grammar does not see: `${x#$(a)}`, `"${x:-`a`}"`. */
const visitPattern = (node: Syntax, place: Place, found: Found): readonly Item[] => {
  const text = place.source.slice(node.start, node.end);
  if (place.nesting >= MAX_NESTING || !/\$\(|`/.test(text)) return [];
  return nested(`: ${text}`, { ...place, ...UNFED, nesting: place.nesting + 1 }, found);
};

/** Each part runs in a process of its own and reads what the part before it prints. */
const visitPipeline = (node: Syntax, place: Place, reader: Reader): readonly Item[] => {
  let { stdin, input } = place;
  return node.children.map((child) => {
    const item = { node: child, place: { ...place, scope: { parent: place.scope }, stdin, input } };
    if (!child.named) return item;
    stdin = outputOf(child, stdin, reader);
    input = stdin === null ? "pipe" : "text";
    return item;
  });
};

const outputOf = (node: Syntax, stdin: Word | null, reader: Reader): Word | null => {
  if (node.type === "command") {
    return constantOutput(commandWords(node, reader), redirectedInput(node.children, reader) ?? stdin);
  }
  const [body] = node.children;
  if (node.type !== "redirected_statement" || body?.type !== "command") return null;
  return constantOutput(commandWords(body, reader), redirectedInput(node.children, reader) ?? stdin);
};

/**
 * A statement with redirections. The grammar puts what follows a here-document's start on the same line
 * (`| bash`) inside the redirection, and words after a file name inside that redirection.
 */
const visitRedirected = (node: Syntax, place: Place, reader: Reader): readonly Item[] => {
  const [body, ...redirects] = node.children;
  if (body === undefined) return [];
  const stdin = redirectedInput(redirects, reader) ?? place.stdin;
  const input = inputOf(redirects) ?? place.input;
  const isCommand = body.type === "command";
  const own = isCommand ? redirects.filter(({ type }) => type !== "heredoc_redirect") : [];
  const last = lastCommand(body);
  const output = last === null ? null : constantOutput(commandWords(last, reader), isCommand ? stdin : null);
  const printed = body.type === "file_redirect" ? NOTHING : output;
  return [
    { node: { ...body, children: [...body.children, ...own] }, place: { ...place, stdin, input, printed } },
    ...redirects
      .filter((redirect) => !own.includes(redirect))
      .flatMap((redirect) => (redirect.type === "file_redirect" ? [redirect] : redirect.children))
      .map((node): Item => {
        if (node.type !== "pipeline") return { node, place: { ...place, ...UNFED, printed } };
        const fed = printed === null ? "pipe" : "text";
        return { node, place: { ...place, stdin: printed, input: fed, printed: null } };
      }),
  ];
};

/** The command whose output is redirected: the grammar files `a && b > c` and `a | b > c` under the whole. */
const lastCommand = (body: Syntax): Syntax | null => {
  let node = body;
  for (let depth = 0; depth < MAX_NESTING && HOLDS_LAST.has(node.type); depth += 1) {
    node = node.children.findLast(({ named }) => named) ?? node;
  }
  return node.type === "command" ? node : null;
};

const HOLDS_LAST: ReadonlySet<string> = new Set(["list", "pipeline", "negated_command"]);

/** A command that lost its node to a syntax error: its words stand bare among an ERROR's children. */
const visitBroken = (node: Syntax, place: Place, reader: Reader, found: Found): readonly Item[] => {
  const name = node.children.findIndex(({ type }) => type === "command_name");
  if (name === -1) return [];
  const touches = node.children[name - 1]?.end === node.children[name]?.start;
  const rest = node.children.slice(touches ? name - 1 : name);
  const end = rest.findIndex(({ type }) => SEPARATORS.has(type));
  return visitCommand(node, end === -1 ? rest : rest.slice(0, end), place, reader, found);
};

const SEPARATORS: ReadonlySet<string> = new Set([";", "&", "&&", "||", "|", "|&", "\n", ")", "}", ";;"]);
