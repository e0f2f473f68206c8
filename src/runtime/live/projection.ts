/**
 * The posts of the open round that the ledger has from this process. A step then stores only new or changed posts: a round of a
 * hundred calls would otherwise be compared post by post in every step.
 */

import type { Post } from "../../thread/post.ts";

export const createProjection = () => {
  let known: ReadonlyMap<string, string> = new Map();
  return {
    /** Returns the posts that the ledger may lack, and the function to call once they are stored. */
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
