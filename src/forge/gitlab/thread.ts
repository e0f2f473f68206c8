/** An issue or a merge request, as what is commented on and labelled: GitLab counts the two apart. */

import type { LabelChange, Mark, Target } from "../../ports/desk.ts";
import { hasMark, PAGE, sinceOf, TooMuch } from "../once.ts";
import type { Client } from "./client.ts";
import { issueWire, mergeWire, noteWire, pageOf } from "./wire.ts";

export interface Thread {
  url(): Promise<string>;
  /** The comment that carries the mark; null where there is none. */
  find(mark: Mark): Promise<number | null>;
  /** What has been written has this number. */
  comment(text: string): Promise<number>;
  label(change: LabelChange): Promise<void>;
}

/** As people write it behind the project's name. */
export const shortName = ({ number, isPull }: Target): string => `${isPull ? "!" : "#"}${number}`;

export const threadOf = (client: Client, { number, isPull }: Target): Thread => {
  const { issues, merges, projectId } = client;
  const notes = isPull ? client.mergeNotes : client.issueNotes;
  return {
    url: async () =>
      isPull
        ? mergeWire.parse(await merges.show(projectId, number)).web_url
        : issueWire.parse(await issues.show(number, { projectId })).web_url,
    find: (mark) => noteOf((page) => notes.all(projectId, number, { ...NEWEST, page }), mark),
    comment: async (text) => noteWire.parse(await notes.create(projectId, number, text)).id,
    label: async ({ add, remove }) => {
      const change = {
        ...(add.length === 0 ? {} : { addLabels: add.join(",") }),
        ...(remove.length === 0 ? {} : { removeLabels: remove.join(",") }),
      };
      await (isPull ? merges.edit(projectId, number, change) : issues.edit(projectId, number, change));
    },
  };
};

const NEWEST = { orderBy: "created_at", sort: "desc", perPage: PAGE, showExpanded: true } as const;
/** Pages of notes that are looked through. */
const MAX_PAGES = 5;

/** Nothing older than the mark can carry it. A page may be shorter than what was asked for. */
const noteOf = async (read: (page: number) => Promise<unknown>, mark: Mark): Promise<number | null> => {
  const since = sinceOf(mark).getTime();
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { items, isLast } = pageOf(noteWire, await read(page));
    const found = items.find(({ body }) => hasMark(body, mark));
    if (found !== undefined) return found.id;
    if (isLast || items.some(({ created_at: at }) => Date.parse(at) < since)) return null;
  }
  throw new TooMuch();
};
