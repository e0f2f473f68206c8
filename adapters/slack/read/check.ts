/** Whether the ids of the settings exist in the workspace and serve their purpose; for doctor. */

import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Approver } from "../../../src/ports/chat-platform.ts";
import { readChannel } from "./channels.ts";
import { createPeople, type Home, unreadOf } from "./people.ts";

export interface Checked {
  readonly usable: boolean;
  readonly found: string;
}

export const createChecks = (client: webApi.WebClient, home: Home) => {
  const people = createPeople(client, home);

  const person = async (id: string): Promise<Checked> => {
    const read = await people.person(id, []);
    if (read.kind === "unread") return failed(id, read.why);
    const { name, standing } = read.person;
    return standing === "member"
      ? { usable: true, found: `${name} (${id})` }
      : { usable: false, found: `${name} (${id}) is ${STANDINGS[standing]}` };
  };

  const group = async (id: string): Promise<Checked> => {
    try {
      const { users } = groupAnswer.parse(await client.usergroups.users.list({ usergroup: id }));
      return users.length === 0
        ? { usable: false, found: `the group ${id} has no members` }
        : { usable: true, found: `the group ${id} (${users.length} members)` };
    } catch (error) {
      return failed(id, unreadOf(error).why);
    }
  };

  return {
    /** Somebody, or a group, who is to approve. */
    approver: (approver: Extract<Approver, { readonly id: string }>): Promise<Checked> =>
      approver.kind === "group" ? group(approver.id) : person(approver.id),
    channel: async (id: string): Promise<Checked> => {
      try {
        const channel = await readChannel(client, id);
        const name = channel.name === undefined ? id : `#${channel.name} (${id})`;
        if (channel.is_archived) return { usable: false, found: `${name} is archived` };
        return channel.is_member || channel.is_im
          ? { usable: true, found: name }
          : { usable: false, found: `the bot is not in ${name}` };
      } catch (error) {
        return failed(id, unreadOf(error).why);
      }
    },
  };
};

const failed = (id: string, why: string): Checked => ({ usable: false, found: `${id}: ${why}` });

const STANDINGS = {
  bot: "a bot",
  deactivated: "deactivated",
  external: "of another workspace",
  guest: "a guest",
} as const;

const groupAnswer = z.object({ users: z.array(z.string()) });
