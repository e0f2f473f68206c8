/**
 * The pieces between a script's operators, found by quotes alone. Used only where the grammar could not make
 * sense of the whole: bash may still run a part of it, and the grammar fails on some text that bash accepts.
 */

/** Quoted text, an escaped character, a comment, the start of a here-document, an operator, anything else. */
const TOKENS = () =>
  /\$'(?:[^'\\]|\\[\s\S])*'|'[^']*'?|"(?:[^"\\]|\\[\s\S])*"?|\\[\s\S]|(?<comment>(?<=^|\s)#[^\n]*)|<<-?[ \t]*(?<quote>["']?)(?<delimiter>\w+)\k<quote>|(?<operator>[;&|\n()`])|[^'"\\;&|\n()`<#$]+|[\s\S]/g;

/** Words that a command may follow directly. */
const KEYWORDS = /^(?:\s*(?:if|then|elif|else|while|until|do|time|!|\{)(?=\s))+/;

/** Splits a script into texts that each hold at most one command. Comments and here-documents' bodies are left out. */
export const fragmentsOf = (source: string): readonly string[] => {
  const fragments: string[] = [];
  const pending: string[] = [];
  let current = "";
  const tokens = TOKENS();
  for (let match = tokens.exec(source); match !== null; match = tokens.exec(source)) {
    const { comment, delimiter, operator } = match.groups ?? {};
    if (operator === undefined) {
      if (comment === undefined) current += match[0];
      if (delimiter !== undefined) pending.push(delimiter);
      continue;
    }
    fragments.push(current);
    current = "";
    if (operator === "\n") tokens.lastIndex = afterBodies(source, tokens.lastIndex, pending.splice(0));
  }
  return [...fragments, current]
    .map((text) => text.replace(KEYWORDS, "").trim())
    .filter((text) => text !== "");
};

const afterBodies = (source: string, from: number, delimiters: readonly string[]): number => {
  let at = from;
  for (const delimiter of delimiters) {
    const end = new RegExp(`^\\t*${delimiter}$`, "gm");
    end.lastIndex = at;
    at = end.exec(source) === null ? source.length : end.lastIndex;
  }
  return at;
};
