/** PARLEY_CODEOWNERS is JSON with comments. Every problem names its line. */

import { z } from "zod";
import { didYouMean, readJsonFile } from "../../model/json-file.ts";
import { OWNER } from "../../text/code-owners.ts";
import { closestMatch } from "../../text/closest-match.ts";
import { isIdOf, PLATFORMS } from "../chat/platforms.ts";
import { ANY_APPROVER, EVERY_OTHER, type OwnerTable } from "../../thread/owners.ts";

type Read =
  | { readonly kind: "table"; readonly table: OwnerTable }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

export const readOwnersFile = (path: string): Read => {
  const read = readJsonFile(path, z.record(z.string(), z.unknown()), FORM);
  if (read.kind === "invalid") return read;
  const table = new Map<string, readonly string[]>();
  const problems: string[] = [];
  for (const [owner, held] of Object.entries(read.value)) {
    const shown = JSON.stringify(owner.slice(0, 60));
    const tell = (what: string, ...place: readonly number[]): void =>
      void problems.push(`${read.at([owner, ...place])}: ${shown} ${what}`);
    const list: readonly unknown[] = Array.isArray(held) ? held : [held];
    if (owner !== EVERY_OTHER && !OWNER.test(owner)) {
      const known = OWNER.test(`@${owner}`) ? `@${owner.slice(0, 60)}` : null;
      tell(`is not an owner (@login, @org/team, an e-mail address or *)${didYouMean(known)}`);
    } else if (table.has(owner.toLowerCase())) tell("is listed twice");
    if (list.length === 0) tell("has no id");
    const ids = list.map((id) => (typeof id === "string" ? id : ""));
    for (const [index, id] of ids.entries()) {
      const place = Array.isArray(held) ? [index] : [];
      if (!isOwnerId(id)) tell(`needs ids such as ${SUCH}${didYouMean(closest(id))}`, ...place);
    }
    table.set(owner.toLowerCase(), ids);
  }
  return problems.length === 0 ? { kind: "table", table } : { kind: "invalid", problems };
};

const FORM = { setting: "PARLEY_CODEOWNERS", noun: "the table", outer: 0, fieldsAt: () => [] };

const isOwnerId = (id: string): boolean => WORDS.includes(id) || isIdOf(id, ({ owner }) => owner);

const WORDS: readonly string[] = ["console:operator", ANY_APPROVER];

const FORMS = PLATFORMS.flatMap(({ name, ids }) =>
  ids.ownerForms.map(([prefix, id]) => ({ head: `${name}:${prefix}`, id })),
);

const SUCH = `${FORMS.map(({ head, id }) => head + id).join(", ")}, ${WORDS.join(" or ")}`;

/** Suggests a correction for a mistyped word, never for the id itself. */
const closest = (text: string): string | null => {
  const heads = FORMS.map(({ head }) => head);
  const head = closestMatch(text.replace(/[^:]*$/, ""), heads);
  return (
    closestMatch(text, WORDS) ??
    (head === null || text.startsWith(head) || !text.includes(":") ? null : `${head}…`)
  );
};
