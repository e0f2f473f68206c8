/** The tests of a file as it is written, without running it: their full names, and whether they run everywhere. */

import { parseAst } from "vitest/node";
import * as z from "zod";

export interface Title {
  /** With the names of the groups around it, as Vitest shows it; of a table, the name before anything is put in. */
  readonly name: string;
  /** False where something in the file can leave it out. */
  readonly runs: boolean;
}

export const titlesIn = (source: string): readonly Title[] => {
  const program: unknown = parseAst(source, { lang: "ts" });
  return titles(program, { path: [], runs: true, tests: new Set([...TESTS, ...helpersIn(program)]) });
};

interface Around {
  readonly path: readonly string[];
  readonly runs: boolean;
  /** What makes a test when it is called with a name. */
  readonly tests: ReadonlySet<string>;
}

const TESTS: readonly string[] = ["it", "test"];
const GROUPS: ReadonlySet<string> = new Set(["describe", "suite"]);
const MAY_LEAVE_OUT: ReadonlySet<string> = new Set(["skip", "skipIf", "runIf", "todo", "fails"]);

/** Looked at before anything is parsed: most nodes are none of these. */
const isA = (node: unknown, ...types: readonly string[]): boolean =>
  typeof node === "object" && node !== null && "type" in node && types.some((type) => type === node.type);

const titles = (node: unknown, around: Around): readonly Title[] => {
  const called = calledIn(node);
  const isGroup = called !== null && GROUPS.has(called.root);
  if (called === null || called.title === null || !(isGroup || around.tests.has(called.root))) {
    return childrenOf(node).flatMap((child) => titles(child, around));
  }
  const path = [...around.path, called.title];
  const runs = around.runs && !called.names.some((name) => MAY_LEAVE_OUT.has(name));
  return isGroup
    ? called.others.flatMap((child) => titles(child, { ...around, path, runs }))
    : [{ name: path.join(" > "), runs: runs && !called.others.some(takesSkip) }];
};

const callSchema = z.object({
  type: z.literal("CallExpression"),
  callee: z.unknown(),
  arguments: z.array(z.unknown()),
});
const memberSchema = z.object({
  type: z.literal("MemberExpression"),
  object: z.unknown(),
  property: z.looseObject({ name: z.string().optional() }),
});
const tagSchema = z.object({ type: z.literal("TaggedTemplateExpression"), tag: z.unknown() });
const nameSchema = z.object({ type: z.literal("Identifier"), name: z.string() });
const textSchema = z.object({ type: z.literal("Literal"), value: z.string() });
const templateSchema = z.object({
  type: z.literal("TemplateLiteral"),
  quasis: z.array(z.object({ value: z.object({ cooked: z.string() }) })),
});

/** `describe.skipIf(x).each(y)("title", …)`: describe, the names behind it, and the title. */
const calledIn = (node: unknown) => {
  const call = isA(node, "CallExpression") ? callSchema.parse(node) : undefined;
  const chain = call === undefined ? null : chainOf(call.callee);
  if (call === undefined || chain === null) return null;
  const [first, ...others] = call.arguments;
  const [root = "", ...names] = chain;
  return { root, names, title: textOf(first), first, others };
};

const chainOf = (node: unknown): readonly string[] | null => {
  if (isA(node, "Identifier")) return [nameSchema.parse(node).name];
  if (isA(node, "MemberExpression")) {
    const { object, property } = memberSchema.parse(node);
    const chain = chainOf(object);
    return chain === null ? null : [...chain, property.name ?? "?"];
  }
  const inner = callSchema.safeParse(node).data?.callee ?? tagSchema.safeParse(node).data?.tag;
  return inner === undefined ? null : chainOf(inner);
};

const textOf = (node: unknown): string | null => {
  if (isA(node, "Literal")) return textSchema.safeParse(node).data?.value ?? null;
  if (!isA(node, "TemplateLiteral")) return null;
  return templateSchema
    .parse(node)
    .quasis.map(({ value }) => value.cooked)
    .join("%s");
};

const functionSchema = z.object({ params: z.array(z.unknown()), body: z.unknown() });
const declaredSchema = z.object({
  type: z.literal("VariableDeclarator"),
  id: nameSchema,
  init: functionSchema,
});

/** `const law = (name, holds) => it(name, …)`: functions of the file that make a test of their first argument. */
const helpersIn = (node: unknown): readonly string[] => {
  const declared = isA(node, "VariableDeclarator") ? declaredSchema.safeParse(node).data : undefined;
  const parameter = nameSchema.safeParse(declared?.init.params[0]).data?.name;
  return declared !== undefined && parameter !== undefined && makesTest(declared.init.body, parameter)
    ? [declared.id.name]
    : childrenOf(node).flatMap(helpersIn);
};

const makesTest = (node: unknown, parameter: string): boolean => {
  const called = calledIn(node);
  const isTest = called !== null && called.names.length === 0 && TESTS.includes(called.root);
  return (
    (isTest && nameSchema.safeParse(called.first).data?.name === parameter) ||
    childrenOf(node).some((child) => makesTest(child, parameter))
  );
};

const patternSchema = z.object({
  type: z.literal("ObjectPattern"),
  properties: z.array(z.looseObject({ key: nameSchema.optional() })),
});

/** A test that is handed `skip` may leave itself out. */
const takesSkip = (node: unknown): boolean => {
  const pattern = patternSchema.safeParse(functionSchema.safeParse(node).data?.params[0]).data;
  return pattern?.properties.some(({ key }) => key?.name === "skip") ?? false;
};

const childrenOf = (node: unknown): readonly unknown[] =>
  Array.isArray(node) ? node : typeof node === "object" && node !== null ? Object.values(node) : [];
