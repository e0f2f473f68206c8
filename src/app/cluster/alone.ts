/** The share of a host that is alone is everything; that of one of several is loaded where there are some. */

import type { Share } from "./share.ts";
import type { ShareDeps } from "./share-of-many.ts";
import type { Member } from "./stand-by.ts";

type Parts = Omit<ShareDeps, keyof Member>;

export const openShare = async (member: Member | null, parts: Parts): Promise<Share> =>
  member === null ? ALONE : (await import("./share-of-many.ts")).shareOf({ ...member, ...parts });

export const ALONE: Share = {
  leads: () => true,
  route: (local) => local,
  happened: () => undefined,
  onLeader: (_, own) => own,
  routes: (own) => own,
  taking: (_, own) => own,
  standing: (surface) => surface.standing(),
  start: async ({ lead }) => void (await lead()),
};
