import { requestHost } from "../../../../../adapters/page/api.ts";
import type { ActionBody } from "../../api/schema.ts";
import type { About, ConversationSummary, WireAction } from "../../render/api-types.ts";

export const requestHostFacts = () => requestHost<About>("GET", "/api/about");

export const POSTS_A_PAGE = 50;

/** `before`: id of the last conversation in the list so far. `archived`: list the archived conversations. */
export const requestConversations = (before: string | null, archived = false) =>
  requestHost<{ readonly conversations: readonly ConversationSummary[] }>(
    "GET",
    `/api/conversations?limit=${POSTS_A_PAGE}${before === null ? "" : `&before=${encodeURIComponent(before)}`}${archived ? "&archived=true" : ""}`,
  );

/** Number of posts per page, at first and for earlier posts. */
export const POSTS = 99;

export interface Image {
  readonly mediaType: string;
  readonly data: string;
}

interface NamedFile extends Image {
  readonly name: string;
  /** Null for files that are no pictures. */
  readonly preview: string | null;
}

export const typedMessageBody = (text: string, attached: readonly NamedFile[]) => {
  const images = attached.filter(({ preview }) => preview !== null);
  const files = attached.filter(({ preview }) => preview === null);
  return {
    text,
    ...(images.length === 0 ? {} : { images: images.map(({ mediaType, data }) => ({ mediaType, data })) }),
    ...(files.length === 0
      ? {}
      : { files: files.map(({ name, mediaType, data }) => ({ name, mediaType, data })) }),
  };
};

/** Request of a click: an action of the page, or the action of a post's button. */
export type PageAction = ActionBody | Omit<WireAction, "label">;
