/** Names of the repositories that secrets belong to. */

import { hash } from "node:crypto";
import type { ChatStore } from "../../ports/chat-rows.ts";
import {
  type NamedRepo,
  type Repo,
  type RepositoryBinding,
  reposOf,
  severalOf,
  webRoot,
} from "../../ports/conversation.ts";

/** Equal to `HostTest.repo` of the repository's tests. */
export const secretRepoOf = ({ kind, location }: Pick<Repo, "kind" | "location">): string =>
  kind === "path" ? location.replace(/(?<=.)\/+$/, "") : (webRoot(location) ?? location);

/** Short enough for the button of every platform. */
export const secretButtonOf = (repo: string, name: string): string => `${name}.${digestOf(repo)}`;

/** Null if the channel no longer works on the button's repository, or if the value is not such a button's. */
export const secretOfButton = (
  value: string,
  bound: RepositoryBinding | null,
): { readonly repo: string; readonly name: string } | null => {
  const [name = "", digest = ""] = value.split(".");
  const repo =
    bound === null
      ? undefined
      : reposOf(bound)
          .map(secretRepoOf)
          .find((one) => digestOf(one) === digest);
  return repo === undefined ? null : { repo, name };
};

/** Repositories of all channels and of the console, in order. */
export const secretRepos = (
  chat: Pick<ChatStore, "binding" | "channels">,
  more: readonly Pick<Repo, "kind" | "location">[],
): readonly string[] => {
  const bound = chat.channels().flatMap(({ surface, place }) => {
    const found = chat.binding(surface, place)?.repo ?? null;
    return found === null ? [] : reposOf(found);
  });
  return [...new Set([...more, ...bound].map(secretRepoOf))].toSorted();
};

type ChosenRepo =
  | { readonly kind: "repo"; readonly repo: string }
  | { readonly kind: "several"; readonly names: readonly string[] };

export const chosenRepo = (bound: RepositoryBinding, named: string | null): ChosenRepo => {
  const several = severalOf(bound);
  const found: Repo | NamedRepo | undefined =
    several.length === 0 ? bound : several.find(({ name }) => name === named);
  return found === undefined
    ? { kind: "several", names: several.map(({ name }) => name) }
    : { kind: "repo", repo: secretRepoOf(found) };
};

const digestOf = (repo: string): string => hash("sha256", repo).slice(0, 12);
