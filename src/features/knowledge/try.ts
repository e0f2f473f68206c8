/** Whether a source can be read at this moment, with one request or two. */

import { createForgeLook } from "./forge-look.ts";
import type { Get } from "./site/get.ts";
import { createSite } from "./site.ts";
import type { KnowledgeSource } from "./sources.ts";

/** Null where it can; else one sentence on what is in the way. Never rejects. */
export const trySource = async (
  source: KnowledgeSource,
  get: Get,
  signal: AbortSignal,
): Promise<string | null> => {
  // The host's own.
  if (source.kind === "threads") return null;
  if (source.kind === "forge") return (await createForgeLook(Date.now)(source, null, signal)).why;
  const site = createSite({
    get,
    readPage: () => Promise.resolve(null),
    waiting: () => ({ pages: [], known: 0 }),
    now: Date.now,
    most: 1,
  });
  const { why } = await site(source.root, null, signal);
  if (why !== null) return why;
  const got = await get({ url: source.root, most: MOST, tag: null, signal });
  if (got.kind === "failed") return `${got.why}.`;
  return got.kind === "refused" ? `It answers with status ${got.status}.` : null;
};

const MOST = 2 * 2 ** 20;
