import {
  type RepositoryBinding,
  boundTo,
  MOST_REPOS,
  type Repo,
  severalOf,
} from "../../ports/conversation.ts";
import type { Label, Say, LocalizedText } from "../../i18n/say.ts";
import { folderOf, isFolder, namedIn, partsOf } from "./folder-names.ts";
import type { Repos } from "./repos.ts";

/** Names are as a person typed them. */
export type RepoChange =
  /** Replaces all repositories of the channel. */
  | { readonly what: "choose"; readonly repo: string }
  /** `as` is the folder name; null means the last part of the address. */
  | { readonly what: "add"; readonly repo: string; readonly as: string | null }
  | { readonly what: "remove"; readonly name: string };

type RepoChangeResult =
  | { readonly kind: "bound"; readonly bound: RepositoryBinding }
  | { readonly kind: "refused"; readonly why: LocalizedText };

export const changedRepos = (
  repos: Pick<Repos, "resolve">,
  bound: RepositoryBinding | null,
  change: RepoChange,
): RepoChangeResult => {
  if (change.what === "remove") return withoutRepo(bound, change.name);
  const resolved = repos.resolve(change.repo);
  if (resolved.kind === "refused") return resolved;
  return change.what === "add"
    ? withRepo(bound, resolved.repo, change.as)
    : { kind: "bound", bound: resolved.repo };
};

export const reposText = (
  bound: RepositoryBinding | null,
  repos: Pick<Repos, "nameOf">,
  say: Say,
): string => {
  if (bound === null) return say(NONE);
  const several = severalOf(bound);
  const name = repos.nameOf(bound);
  if (several.length === 0)
    return name === null
      ? say(NONE)
      : say(
          "This channel works on {repo}. To choose another repository: `repo owner/name`, or `repo owner/name@v2` for a branch or tag. `repo add owner/name` adds a second one. Running conversations keep theirs.",
          { repo: name },
        );
  return [
    say("This channel works on {count} repositories, side by side in each new thread:", {
      count: several.length,
    }),
    ...several.map((repo) => {
      const known = repos.nameOf(repo);
      return `• \`${repo.name}\`: ${known ?? say("{repo}: no longer on this host's list, and left out", { repo: repo.location })}`;
    }),
    say(
      "`repo add owner/name [as NAME]` and `repo remove NAME` change this list. `repo owner/name` replaces the list with one repository. `repo:NAME` in a question starts its thread with that repository. Running conversations keep theirs.",
    ),
  ].join("\n");
};

export const withRepo = (
  bound: RepositoryBinding | null,
  repo: Repo,
  name: string | null,
): RepoChangeResult => {
  const before = namedIn(bound);
  const known = before.find(({ location }) => location === repo.location);
  if (known !== undefined)
    return refused((say) =>
      say("This channel already has that repository, as `{name}`.", { name: known.name }),
    );
  if (before.length >= MOST_REPOS)
    return refused((say) =>
      say("A channel has at most {count} repositories. Remove one first: `repo remove NAME`.", {
        count: MOST_REPOS,
      }),
    );
  if (name !== null && !isFolder(name))
    return refused((say) =>
      say("{name} cannot be the name of a folder: use letters, digits, `.`, `_` and `-`.", { name }),
    );
  const folder = name ?? folderOf(repo);
  const taken = (one: string): boolean => before.some((other) => same(other.name, one));
  if (taken(folder)) {
    const free = [numbered(folder, taken), ownedOf(repo)].filter((one) => one !== null && !taken(one));
    const offers = free.map((one) => `\`repo add ${shortOf(repo)} as ${one}\``);
    return refused((say) =>
      say("Two repositories cannot both be called `{folder}` here. Choose another name: {offers}.", {
        folder,
        offers: offers.join(` ${say("or")} `),
      }),
    );
  }
  const next = boundTo([...before, { ...repo, name: folder }]);
  return next === null ? refused((say) => say(NONE_LEFT)) : { kind: "bound", bound: next };
};

export const withoutRepo = (bound: RepositoryBinding | null, name: string): RepoChangeResult => {
  const before = namedIn(bound);
  const left = before.filter((one) => !same(one.name, name));
  if (left.length === before.length) {
    const names = before.map((one) => `\`${one.name}\``).join(", ");
    return refused((say) =>
      [
        say("There is no `{name}` here.", { name }),
        names === "" ? say(NONE) : say("Available: {names}.", { names }),
      ].join(" "),
    );
  }
  const next = boundTo(left);
  return next === null ? refused((say) => say(NONE_LEFT)) : { kind: "bound", bound: next };
};

/** Returns the repository that a message names with `repo:NAME`; null if `bound` has no such repository. */
export const onlyNamed = (bound: RepositoryBinding, text: string): RepositoryBinding | null => {
  const [, name = ""] = /(?:^|\s)repo:[ \t]*([A-Za-z0-9_.-]+)/u.exec(text) ?? [];
  const one = severalOf(bound).find((each) => same(each.name, name));
  return one === undefined ? null : boundTo([one]);
};

export const readRepositoryList = (repos: Pick<Repos, "resolve">, typed: string): RepoChangeResult => {
  let bound: RepositoryBinding | null = null;
  for (const item of typed.split(",")) {
    const [name = "", as, folder] = item.trim().split(/\s+/u);
    const resolved = repos.resolve(name);
    if (resolved.kind === "refused") return resolved;
    if (as !== undefined && (as !== "as" || folder === undefined))
      return refused((say) => say("{item} is not owner/name or owner/name as NAME.", { item: item.trim() }));
    const changed: RepoChangeResult = withRepo(bound, resolved.repo, folder ?? null);
    if (changed.kind === "refused") return changed;
    bound = changed.bound;
  }
  return bound === null ? refused((say) => say(NONE)) : { kind: "bound", bound };
};

const NONE: Label = "No repository is chosen here. Name one: `repo owner/name`.";
const NONE_LEFT: Label = "This is the only repository. Choose a different one instead: `repo owner/name`.";

const ownedOf = ({ location }: Repo): string | null => {
  const [owner, name] = partsOf(location).slice(-2);
  return owner === undefined || name === undefined ? null : `${owner}-${name}`;
};

const shortOf = ({ kind, location, ref }: Repo): string => {
  const plain =
    kind === "path" ? location : location.replace(/^https:\/\/(github\.com\/)?/, "").replace(/\.git$/, "");
  return ref === undefined ? plain : `${plain}@${ref}`;
};

const numbered = (folder: string, taken: (one: string) => boolean): string => {
  let number = 2;
  while (taken(`${folder}-${number}`)) number += 1;
  return `${folder}-${number}`;
};

/** People and some file systems ignore case. */
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const refused = (why: LocalizedText): RepoChangeResult => ({ kind: "refused", why });
