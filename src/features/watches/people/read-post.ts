import type { ChatSurface, PostRead } from "../../../ports/connection.ts";

/** Reads a post from its platform; null if no platform of that name reads posts. */
export const readPostOn = async (
  surfaces: readonly Pick<ChatSurface, "name" | "readPost">[],
  surface: string,
  place: string,
  post: string,
): Promise<PostRead | null> =>
  (await surfaces.find(({ name }) => name === surface)?.readPost?.(place, post)) ?? null;
