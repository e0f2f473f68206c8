/** Finds text that the parser omitted from its tree, which may hide commands. */
import { forEachChild, type SyntaxNode } from "unbash";

/**
 * Whether a part of the node's text outside of its child nodes may hide commands. `quotesNothing`: single quotes do not quote
 * at this place.
 */
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

/** Node types in which every special part is a node. */
const WRITTEN: ReadonlySet<SyntaxNode["type"]> = new Set([
  ...(["Word", "Literal", "Glob", "DoubleQuoted", "LocaleString", "HereDocBody", "Assignment"] as const),
  ...(["SimpleExpansion", "ParameterExpansion", "ExtendedGlob", "BraceExpansion"] as const),
  ...(["Default", "Remove", "Replace", "Slice", "CaseModification", "Transform", "Unknown"] as const),
  ...(["ArithmeticExpansion", "ArithmeticCommand", "ArithmeticGroup", "ArithmeticWord"] as const),
  ...(["ArithmeticBinary", "ArithmeticUnary", "ArithmeticTernary"] as const),
]);

const QUOTED: ReadonlySet<SyntaxNode["type"]> = new Set(["SingleQuoted", "AnsiCQuoted"]);

/** Starts of expansions that are active inside double quotes. */
export const SUBSTITUTION = /\$[({]|`|\$\\\n/;

/** A `$` before a line continuation. */
const PARTED = /(?<!\\)(?:\\\\)*\$\\\n/;
