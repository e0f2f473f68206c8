/** A host that is alone does everything; what one of several does is loaded where there are some. */

import { ALONE, type Ownership } from "../../ports/ownership.ts";
import type { ShareDeps } from "./share-of-many.ts";
import type { Member } from "./stand-by.ts";

type Parts = Omit<ShareDeps, keyof Member>;

export const openShare = async (member: Member | null, parts: Parts): Promise<Ownership> =>
  member === null ? ALONE : (await import("./share-of-many.ts")).shareOf({ ...member, ...parts });
