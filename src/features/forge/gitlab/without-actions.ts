/**
 * Escapes GitLab's quick actions: GitLab executes lines such as `/close`, `/merge` or `/assign`, but people
 * approved only a text. A backslash before the slash is invisible and keeps the line as text.
 */
export const withoutActions = (text: string): string =>
  text.replaceAll(/\r\n?/g, "\n").replaceAll(/^([^\S\n]*)\/(?=[a-z_]+(?:\s|$))/gim, "$1\\/");
