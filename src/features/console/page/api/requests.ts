/** What the page asks of the host, and how. */

import { requestHost } from "../../../../../adapters/page/api.ts";
import type { ActionBody } from "../../api/schema.ts";
import type { About, ConversationSummary, WireAction } from "../../render/api-types.ts";

export const requestHostFacts = () => requestHost<About>("GET", "/api/about");

export const POSTS_A_PAGE = 50;

/** `before`: id of the last one seen; `archived`: those that were put away. */
export const requestConversations = (before: string | null, archived = false) =>
  requestHost<{ readonly conversations: readonly ConversationSummary[] }>(
    "GET",
    `/api/conversations?limit=${POSTS_A_PAGE}${before === null ? "" : `&before=${encodeURIComponent(before)}`}${archived ? "&archived=true" : ""}`,
  );

/** Posts that are shown at first, and that earlier ones are asked for by. */
export const POSTS = 99;

export interface Image {
  readonly mediaType: string;
  readonly data: string;
}

/** What a person says: the text and pictures. */
export const typedMessageBody = (text: string, images: readonly Image[]) => ({
  text,
  ...(images.length === 0 ? {} : { images: images.map(({ mediaType, data }) => ({ mediaType, data })) }),
});

/** What a click asks for: of the page, or what a post's button stands for. */
export type PageAction = ActionBody | Omit<WireAction, "label">;
