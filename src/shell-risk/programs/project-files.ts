/** What a project's own files say that its scripts and targets run: facts for the classification. Pure. */
import { z } from "zod";

/** Characters of a file that are read, scripts or targets that are kept, and characters of one. */
const MAX_FILE = 200_000;
const MAX_SCRIPTS = 500;
const MAX_TEXT = 10_000;

/** Characters of a Makefile's variable. */
const MAX_VALUE = 1_000;

const Package = z.object({ scripts: z.record(z.string(), z.string()).optional() });

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** The scripts of a package.json; none where it is too long or not one. */
export const readPackageScripts = (text: string): ReadonlyMap<string, string> => {
  const parsed = Package.safeParse(text.length > MAX_FILE ? null : jsonIn(text));
  const scripts = Object.entries(parsed.data?.scripts ?? {});
  return new Map(scripts.slice(0, MAX_SCRIPTS).filter(([, script]) => script.length <= MAX_TEXT));
};

/**
 * The recipes of a Makefile's plain rules, what they depend on first, as shell scripts. Its variables are filled in
 * where they are plain, and empty where not; patterns, functions, conditions and includes are not followed.
 */
export const readMakeTargets = (text: string): ReadonlyMap<string, string> => {
  const rules = new Map<string, Rule>();
  const variables = new Map(PREDEFINED);
  let open: readonly Rule[] = [];
  for (const line of text.slice(0, MAX_FILE).replaceAll("\\\n", " ").split("\n")) {
    if (line.startsWith("\t")) {
      for (const { recipe } of open) recipe.push(line.slice(1).replace(/^[@+-]+/, ""));
      continue;
    }
    const assigned = /^(?:export )?([\w.-]+)[ \t]*[:?+]?=[ \t]*(.*)$/.exec(line);
    const rule = ruleOf(line);
    if (assigned !== null) variables.set(assigned[1] ?? "", (assigned[2] ?? "").slice(0, MAX_VALUE));
    else if (rule !== null) open = openRules(rules, wordsOf(rule[0]), wordsOf(rule[1]));
    else if (line.trim() !== "" && !line.startsWith("#")) open = [];
  }
  const names = [...rules.keys()].filter((name) => !name.startsWith("."));
  const scripts = names.map((name) => [name, scriptOf(name, rules, variables)] as const);
  const first = scripts[0];
  return new Map(first === undefined ? scripts : [["", first[1]], ...scripts]);
};

/** `targets: needs`, or `targets:: needs`; no assignment, and no recipe on the same line. */
const ruleOf = (line: string): readonly [string, string] | null => {
  const colon = line.indexOf(":");
  const targets = line.slice(0, Math.max(0, colon));
  const needs = line.slice(colon + 1).replace(/^:/, "");
  return /^[\w./ \t-]+$/.test(targets) && !/^[=:]|[#;]/.test(needs) ? [targets, needs] : null;
};

const PREDEFINED: ReadonlyMap<string, string> = new Map([
  ["MAKE", "make"],
  ["RM", "rm -f"],
]);

interface Rule {
  readonly needs: string[];
  readonly recipe: string[];
}

const wordsOf = (text: string): readonly string[] => text.split(/[ \t]+/).filter((word) => word !== "");

const openRules = (
  rules: Map<string, Rule>,
  names: readonly string[],
  needs: readonly string[],
): readonly Rule[] =>
  names.flatMap((name) => {
    const known = rules.get(name);
    if (known === undefined && rules.size >= MAX_SCRIPTS) return [];
    const rule: Rule = known ?? { needs: [], recipe: [] };
    rule.needs.push(...needs.slice(0, MAX_SCRIPTS));
    rules.set(name, rule);
    return [rule];
  });

/** A target's recipe after those of what it needs, each once. */
const scriptOf = (
  target: string,
  rules: ReadonlyMap<string, Rule>,
  variables: ReadonlyMap<string, string>,
): string => {
  const seen = new Set<string>();
  const lines: string[] = [];
  const waiting = [target];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const rule = rules.get(name);
    if (rule === undefined || seen.has(name)) continue;
    seen.add(name);
    waiting.push(...rule.needs);
    lines.unshift(...rule.recipe.map((line) => filled(line, variables)));
  }
  return lines.join("\n").slice(0, MAX_TEXT);
};

/** `$(NAME)` and `${NAME}` are make's, `$$` is the shell's dollar; variables in variables are followed a few times. */
const filled = (line: string, variables: ReadonlyMap<string, string>): string => {
  let text = line.replaceAll("$$", "\0");
  for (let depth = 0; depth < 4 && text.length <= MAX_TEXT; depth += 1) {
    text = text.replaceAll(
      /\$(?:\(([^()]*)\)|\{([^{}]*)\}|([@<^?*%+]))/g,
      (_, round?: string, curly?: string) => variables.get(round ?? curly ?? "") ?? "",
    );
  }
  return text.slice(0, MAX_TEXT).replaceAll("\0", "$");
};
