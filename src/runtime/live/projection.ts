/** A round of a hundred calls would otherwise be compared with the ledger post by post in every step. */

import type { Post } from "../../thread/post.ts";

export const createProjection = () => {
  let known: ReadonlyMap<string, string> = new Map();
  return {
    /** `stored` must be called once the posts are stored. */
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
