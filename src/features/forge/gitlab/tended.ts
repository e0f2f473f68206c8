/** GitLab's answers about a merge request that is looked after. */

import type { ForgeQuery } from "../api/ask.ts";
import { gatherEnd, gather, ITEMS_A_PAGE } from "../api/gather.ts";
import { createReadOwners, ownersFileOf } from "../api/owners-file.ts";
import { textIn } from "../api/text-in.ts";
import type { OwnersFile, Project, Remark } from "../ports/project.ts";
import { type Client, Refused } from "./client.ts";
import { commentOf, discussionWire, fileContentWire, GITLAB_DEVELOPER, memberWire } from "./schema.ts";

const MAX_PAGES = 5;
/** Names that GitLab gives to the users of access tokens. */
const BOT = /^(?:project|group)_\d+_bot/;

export const gitlabTended = (
  ask: ForgeQuery<Client>,
): Pick<Project, "ownersFile" | "remarks" | "mayWrite"> => ({
  ownersFile: createReadOwners(ask, fileAt),
  remarks: (number, signal) =>
    ask(`merge request !${number}`, signal, async (client) => {
      const { items } = await gatherEnd(
        (page) =>
          client.list(discussionWire, `/merge_requests/${number}/discussions`, {
            page,
            per_page: ITEMS_A_PAGE,
          }),
        MAX_PAGES,
      );
      return items
        .flatMap(({ id, notes }) =>
          notes.flatMap((note): readonly Remark[] => {
            if (note.system) return [];
            const { position } = note;
            const path = position?.new_path ?? position?.old_path;
            const on =
              path == null ? "commented" : `${path}:${position?.new_line ?? position?.old_line ?? "?"}`;
            const said = commentOf(note, note.body);
            return [{ ...said, id: `n${note.id}`, thread: id, on, isBot: BOT.test(said.author) }];
          }),
        )
        .toSorted((a, b) => a.at - b.at);
    }),
  mayWrite: (person, signal) =>
    ask(`person ${person.slice(0, 80)}`, signal, async (client) => {
      const { items } = await gather(
        (page) => client.list(memberWire, "/members/all", { query: person, page, per_page: ITEMS_A_PAGE }),
        MAX_PAGES,
      );
      return items.some(
        ({ username, access_level: level }) =>
          username.toLowerCase() === person.toLowerCase() && level >= GITLAB_DEVELOPER,
      );
    }),
});

const fileAt = async (client: Client, ref: string, path: string): Promise<OwnersFile | null> => {
  try {
    const asked = `/repository/files/${encodeURIComponent(path)}?ref=${encodeURIComponent(ref)}`;
    return ownersFileOf(textIn((await client.get(fileContentWire, asked)).content));
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return null;
    throw error;
  }
};
