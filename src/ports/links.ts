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

/** Asks all readers at once. For an address that several readers return, the last page that was read counts. */
export const readWithAll =
  (readers: readonly ReadLinks[]): ReadLinks =>
  async (message) => {
    const answers = await Promise.all(readers.map((read) => read(message)));
    const pages = new Map<string, LinkedPage>();
    for (const page of answers.flatMap((one) => one.pages))
      if (page.outcome.kind === "read" || !pages.has(page.address)) pages.set(page.address, page);
    return { pages: [...pages.values()], hosts: [...new Set(answers.flatMap(({ hosts }) => hosts))] };
  };
