/** Returns host and path of repositories at a forge, in the form that the forge's events use. */

import { addressOf } from "../ports/address.ts";
import { type RepositoryBinding, reposOf } from "../ports/conversation.ts";

export const reposAtForge = (bound: RepositoryBinding | null): readonly string[] => {
  if (bound === null) return [];
  return reposOf(bound).flatMap((repo) => {
    const address = addressOf(repo);
    return address === null ? [] : [`${address.host}/${address.owner}/${address.name}`.toLowerCase()];
  });
};
