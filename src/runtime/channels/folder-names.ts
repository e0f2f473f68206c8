import { type RepositoryBinding, type NamedRepo, type Repo, severalOf } from "../../ports/conversation.ts";

/** A single repository gets the folder name that it would have among several. */
export const namedIn = (bound: RepositoryBinding | null): readonly NamedRepo[] => {
  if (bound === null) return [];
  const several = severalOf(bound);
  return several.length > 0 ? several : [{ ...bound, name: folderOf(bound) }];
};

export const folderOf = ({ location }: Repo): string => partsOf(location).at(-1) ?? "repository";

/** Formats repositories as `readRepositoryList` reads them: `acme/shop, acme/api as backend`. */
export const listText = (bound: RepositoryBinding, nameOf: (repo: Repo) => string | null): string =>
  namedIn(bound)
    .map((repo) => {
      const name = nameOf(repo) ?? repo.location;
      return repo.name === folderOf(repo) ? name : `${name} as ${repo.name}`;
    })
    .join(", ");

export const isFolder = (name: string): boolean => /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/.test(name);

export const partsOf = (location: string): readonly string[] =>
  location
    .replace(/^[a-z]+:\/\/[^/]*\//i, "")
    .replace(/\.git$/, "")
    .split("/")
    .map((part) =>
      part
        .replaceAll(/[^A-Za-z0-9_.-]+/g, "-")
        .replace(/^[.-]+/, "")
        .slice(0, 64),
    )
    .filter((part) => part !== "");
