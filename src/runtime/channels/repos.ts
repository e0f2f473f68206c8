/**
 * An entry of PARLEY_REPOS is `owner/name` or `owner/*` on github.com, the same with the host of another forge in front, or the
 * absolute path of a repository on this machine. Chat can bind a path only because the operator listed exactly it (D28).
 */

import { type RepositoryBinding, boundTo, type Repo, severalOf } from "../../ports/conversation.ts";
import { withoutEnd } from "../../text/trim-end.ts";
import type { Label, LocalizedText } from "../../i18n/say.ts";
import { listText } from "./folder-names.ts";

export type Repos = ReturnType<typeof createRepos>;

type Resolved =
  | { readonly kind: "repo"; readonly repo: Repo; readonly name: string }
  | { readonly kind: "refused"; readonly why: LocalizedText };

const DEFAULT_HOST = "github.com";
const HOST = /^[a-z0-9.-]+(:\d+)?$/i;
const PART = /^(?!\.+$)[A-Za-z0-9_.][A-Za-z0-9_.-]*$/;

/** Null if the entry is valid. */
export const entryProblem = (entry: string): string | null =>
  isPath(entry) || partsOf(entry, true) !== null
    ? null
    : "is not owner/name, owner/*, host/owner/name or an absolute path";

export const createRepos = (entries: readonly string[]) => {
  const paths = entries.filter(isPath).map(tidy);
  const named = entries.filter((entry) => !isPath(entry)).map((entry) => partsOf(entry, true));
  const rules = named.filter((parts) => parts !== null);
  const allows = (parts: readonly string[]): boolean => rules.some((rule) => fits(rule, parts));

  const usable = (bound: RepositoryBinding): RepositoryBinding | null => {
    const several = severalOf(bound);
    if (several.length > 0) return boundTo(several.filter((repo) => one(repo) !== null));
    return one(bound) === null ? null : bound;
  };

  const one = ({ ref, ...repo }: Repo): string | null => {
    const name = plainName(repo);
    return name === null || ref === undefined ? name : `${name}@${ref}`;
  };

  const plainName = ({ kind, location }: Repo): string | null => {
    if (kind === "path") return paths.includes(location) ? location : null;
    const parts = partsOf(location, false);
    return parts !== null && allows(parts) ? nameFrom(parts) : null;
  };

  const resolve = (typed: string): Resolved => {
    const path = tidy(typed);
    if (paths.includes(path)) return { kind: "repo", name: path, repo: { kind: "path", location: path } };
    const parts = isPath(typed) ? null : partsOf(typed, false);
    if (parts === null) return { kind: "refused", why: (say) => say(FORMS) };
    const name = nameFrom(parts);
    return allows(parts)
      ? { kind: "repo", name, repo: { kind: "url", location: `https://${parts.join("/")}.git` } }
      : {
          kind: "refused",
          why: (say) =>
            say("{name} is not on this host's list. The operator can add it to PARLEY_REPOS.", { name }),
        };
  };

  return {
    /** Returns a list for several repositories; null if none of `bound` is allowed. */
    nameOf: (bound: RepositoryBinding): string | null => {
      const left = usable(bound);
      return left === null ? null : listText(left, one);
    },
    /** Filters `bound`, because the operator may have changed the list since. */
    usable,
    resolve: (typed: string): Resolved => {
      const [, bare = "", ref] = VERSIONED.exec(typed.trim()) ?? [];
      const found = resolve(typed);
      if (ref === undefined || found.kind === "repo") return found;
      const plain = resolve(bare);
      if (plain.kind === "refused") return isPath(bare) || partsOf(bare, false) !== null ? plain : found;
      if (!isVersion(ref))
        return {
          kind: "refused",
          why: (say) => say("{name} cannot be the name of a branch or tag.", { name: ref }),
        };
      return { kind: "repo", name: `${plain.name}@${ref}`, repo: { ...plain.repo, ref } };
    },
    /** Returns the repository if the list allows exactly one. */
    only: (): Repo | null => {
      const found = entries.length === 1 ? resolve(entries[0] ?? "") : null;
      return found?.kind === "repo" && !entries[0]?.includes("*") ? found.repo : null;
    },
    /** Names to offer: entries without `*`, and the repositories of `known` that are still allowed. */
    choices: (known: readonly Repo[]): readonly string[] => {
      const exact = rules.filter((rule) => !rule.includes("*")).map(nameFrom);
      return [...new Set([...exact, ...paths, ...known.flatMap((repo) => one(repo) ?? [])])].toSorted();
    },
  };
};

/** Stricter than git: plain characters only. */
export const isVersion = (name: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._/+-]{0,99}$/.test(name) && !/\.\.|\/\/|\/\.|\.lock(?:\/|$)|[./]$/.test(name);

/** In an address with a user name, the text after `@` is no version. */
const VERSIONED = /^([^@]+)@(\S+)$/;

const FORMS: Label =
  "Name a repository as owner/name, host/owner/name or by its https address. Append a branch or tag after an @, as in owner/name@v2.";

const isPath = (text: string): boolean => text.startsWith("/");

const tidy = (text: string): string => text.trim().slice(0, 1) + withoutEnd(text.trim().slice(1), "/");

/** Null if the text names no repository or contains credentials. */
const partsOf = (text: string, starred: boolean): readonly string[] | null => {
  const bare = tidy(text)
    .replace(/^https:\/\//i, "")
    .replace(/\.git$/, "");
  const given = bare.split("/");
  const [host = "", ...path] = given.length === 2 ? [DEFAULT_HOST, ...given] : given;
  const usable = path.length >= 2 && path.every((part) => (starred && part === "*") || PART.test(part));
  return usable && HOST.test(host) ? [host.toLowerCase(), ...path] : null;
};

const fits = (rule: readonly string[], parts: readonly string[]): boolean =>
  rule.length === parts.length &&
  rule.every((part, index) => part === "*" || part.toLowerCase() === parts[index]?.toLowerCase());

const nameFrom = (parts: readonly string[]): string =>
  parts[0] === DEFAULT_HOST ? parts.slice(1).join("/") : parts.join("/");
