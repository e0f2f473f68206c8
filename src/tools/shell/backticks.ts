/** Command substitutions in backticks, which the grammar reads too greedily. */

/**
 * Splits the text of a backtick substitution at its unescaped backticks: at odd positions the scripts, at even
 * ones what stands around them. The grammar takes `` `a` `b` `` for one substitution, so there may be several
 * scripts; inside one of them a backtick is always escaped.
 */
export const backtickTexts = (source: string): readonly string[] =>
  source.startsWith("`") ? source.split(/(?<!\\)`/) : [];
