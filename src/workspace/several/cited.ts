/** Citations in a conversation with several repositories: `name/path:line` is `path:line` in the repository `name`. */

import { type Citation, citationKey, fileOf, type ParsedCitation } from "../../text/citation.ts";

/** Most files that are read for one answer, over all repositories. */
const MOST_FILES = 40;

interface Sorted {
  /** By name of the repository, with paths in its checkout. */
  readonly inside: ReadonlyMap<string, readonly ParsedCitation[]>;
  /** Keeps the order and the wording of the answer. */
  readonly joined: (found: ReadonlyMap<string, readonly Citation[]>) => readonly Citation[];
}

/** `root`: the working directory. */
export const sortCited = (
  cited: readonly ParsedCitation[],
  names: readonly string[],
  root: string,
): Sorted => {
  const placed = cited.map((one) => ({ one, ...placeOf(one, names, root) }));
  const files = [...new Set(placed.flatMap(({ file }) => file ?? []))];
  const looked = new Set(files.slice(0, MOST_FILES));
  const inside = new Map<string, readonly ParsedCitation[]>();
  for (const { one, name, path, file } of placed) {
    if (name === null || file === null || !looked.has(file)) continue;
    inside.set(name, [...(inside.get(name) ?? []), { ...one, path }]);
  }
  return {
    inside,
    joined: (found) => {
      const known = new Map(
        [...found].map(([name, all]) => [name, new Map(all.map((each) => [citationKey(each), each]))]),
      );
      return placed.flatMap(({ one, name, path, file }): readonly Citation[] => {
        const { certain, ...words } = one;
        const each = name === null ? undefined : known.get(name)?.get(citationKey({ ...one, path }));
        if (each !== undefined) return [{ ...each, ...words, file: each.file === null ? null : file }];
        if (!certain) return [];
        const isUnread = file !== null && !looked.has(file);
        return name === null || isUnread
          ? [{ ...words, status: isUnread ? "unread" : "missing", file: null }]
          : [];
      });
    },
  };
};

/** `file` is relative to the working directory, `path` to the repository's root. Null if the path is in no repository. */
const placeOf = (
  { path }: ParsedCitation,
  names: readonly string[],
  root: string,
): { readonly name: string | null; readonly path: string; readonly file: string | null } => {
  const file = fileOf(path, root);
  const name = names.find((each) => file?.startsWith(`${each}/`) === true) ?? null;
  return file === null || name === null
    ? { name: null, path, file: null }
    : { name, path: file.slice(name.length + 1), file };
};
