/** Discord's text as plain text: what a person read on the screen. Pure. */

import { withoutBlankEnds } from "../../../src/text/trim-end.ts";

/** `names`: of those who are mentioned, by id. `without`: the user whose mentions are left out. */
export const plainText = (text: string, names: ReadonlyMap<string, string>, without: string): string =>
  withoutBlankEnds(
    text
      .replaceAll(/<@!?(\d+)>/g, (_all, id: string) => (id === without ? "" : `@${names.get(id) ?? id}`))
      .replaceAll(/<@&(\d+)>/g, "@role $1")
      .replaceAll(/<#(\d+)>/g, "#$1")
      .replaceAll(/<a?(:\w+:)\d+>/g, "$1"),
  ).trim();
