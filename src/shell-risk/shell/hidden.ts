/** Text that the parser left out of its tree: it may hide what bash runs. */
import { forEachChild, type SyntaxNode } from "unbash";

/** Whether it does, in a part of its text that is no node; `quotesNothing` says that single quotes do not, where it stands. */
export const hasUnparsedCode = (node: SyntaxNode, source: string, quotesNothing: boolean): boolean => {
  if (!WRITTEN.has(node.type) && !(quotesNothing && QUOTED.has(node.type))) return false;
  let rest = "";
  let at = node.pos + (node.type.endsWith("Expansion") ? 2 : 0);
  forEachChild(node, ({ pos, end }) => {
    rest += `${source.slice(at, pos)} `;
    at = end;
  });
  rest += source.slice(at, node.end);
  return PARTED.test(rest) || SUBSTITUTION.test(rest.replaceAll(/\\[^]/g, ""));
};

/** Every part of them that means more than itself is a node. */
const WRITTEN: ReadonlySet<SyntaxNode["type"]> = new Set([
  ...(["Word", "Literal", "Glob", "DoubleQuoted", "LocaleString", "HereDocBody", "Assignment"] as const),
  ...(["SimpleExpansion", "ParameterExpansion", "ExtendedGlob", "BraceExpansion"] as const),
  ...(["Default", "Remove", "Replace", "Slice", "CaseModification", "Transform", "Unknown"] as const),
  ...(["ArithmeticExpansion", "ArithmeticCommand", "ArithmeticGroup", "ArithmeticWord"] as const),
  ...(["ArithmeticBinary", "ArithmeticUnary", "ArithmeticTernary"] as const),
]);

const QUOTED: ReadonlySet<SyntaxNode["type"]> = new Set(["SingleQuoted", "AnsiCQuoted"]);

/** The beginning of what double quotes do not keep from being expanded. */
export const SUBSTITUTION = /\$[({]|`|\$\\\n/;

/** A `$` whose line goes on. */
const PARTED = /(?<!\\)(?:\\\\)*\$\\\n/;
