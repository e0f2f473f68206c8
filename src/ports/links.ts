import type { LinkedPage } from "../thread/linked-pages.ts";
import type { Conversation } from "./conversation.ts";

export interface LinkedPages {
  readonly pages: readonly LinkedPage[];
  /** Hosts of the pages that were read. */
  readonly hosts: readonly string[];
}

/** Reads the pages that a person's own text links to, and waits a limited time for them. Never rejects. */
export type ReadLinks = (message: {
  readonly conversation: Conversation["id"];
  readonly surface: string;
  readonly channel: string;
  readonly text: string;
}) => Promise<LinkedPages>;

export const NO_LINKS: ReadLinks = () => Promise.resolve({ pages: [], hosts: [] });
