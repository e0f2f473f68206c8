/**
 * The posts of a conversation's open round as the ledger has them from this process, so that a step hands over only
 * those that are new or different: a round of a hundred calls would else be looked at post by post in every step.
 */

import type { Post } from "../../thread/post.ts";

export const createProjection = () => {
  let known: ReadonlyMap<string, string> = new Map();
  return {
    /** The posts that the ledger may not have yet, and what to call when it has them. */
    next: (posts: readonly Post[]): { readonly changed: readonly Post[]; readonly stored: () => void } => {
      const now = new Map(posts.map((post) => [post.key, JSON.stringify(post)]));
      return {
        changed: posts.filter(({ key }) => known.get(key) !== now.get(key)),
        stored: () => {
          known = now;
        },
      };
    },
  };
};
