/** What people should see in a line of its own before they make a draft real. Pure. */

import { DELICATE, type Delicate } from "../../thread/draft.ts";
import { type Entry, EXECUTABLE, LINK } from "./entries.ts";

/** What runs on servers with the rights of the repository. */
const WORKFLOW =
  /^(\.github\/(workflows|actions)\/|\.gitlab-ci|\.gitlab\/ci|\.circleci\/|\.buildkite\/|\.woodpecker|\.drone|\.travis\.yml$|\.ci\/|azure-pipelines|bitbucket-pipelines|appveyor\.yml$|\.forgejo\/|\.gitea\/)|(^|\/)(jenkinsfile|action\.ya?ml)$/i;
/** Who is asked, and how git treats files. */
const OWNERS = /(^|\/)(codeowners|\.gitattributes|\.gitmodules)$/i;
const LOCK =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml|bun\.lockb?|deno\.lock|cargo\.lock|go\.sum|poetry\.lock|pdm\.lock|uv\.lock|pipfile\.lock|gemfile\.lock|composer\.lock|mix\.lock|pubspec\.lock|podfile\.lock|package\.resolved|flake\.lock|gradle\.lockfile|packages\.lock\.json)$/i;

const reasonsFor = (
  { path, old, new: now, added }: Entry,
  pointers: ReadonlySet<string>,
): readonly Delicate["why"][] =>
  DELICATE.filter((why) => {
    switch (why) {
      case "workflow":
        return WORKFLOW.test(path);
      case "owners":
        return OWNERS.test(path);
      case "lock":
        return LOCK.test(path);
      case "executable":
        return now?.mode === EXECUTABLE && old?.mode !== EXECUTABLE;
      case "binary":
        return now !== null && now.mode !== LINK && added === null;
      case "link":
        return now?.mode === LINK;
      case "pointer":
        return pointers.has(path);
    }
  });

/** In the order of the entries. `pointers`: files that held a pointer of Git LFS and do not any more. */
export const delicateOf = (entries: readonly Entry[], pointers: ReadonlySet<string>): readonly Delicate[] =>
  entries.flatMap((entry) => reasonsFor(entry, pointers).map((why) => ({ why, path: entry.path })));
