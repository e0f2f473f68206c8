/** Threads that are opened. */

import { ChannelType } from "discord-api-types/v10";
import type { DiscordCalls } from "../api/calls.ts";
import { isThreadThere, isTitleRefused, isUnknownMember } from "../api/failure.ts";
import { idIn } from "./post-message.ts";
import { nameOfStarter, starter } from "./thread-name.ts";

/** How long a thread without messages stays in everybody's list. */
export const ARCHIVED_AFTER = { auto_archive_duration: 1_440 } as const;

/** The thread that hangs on a message, whose id it takes; one that is there already is as good. */
export const startThread = async (
  calls: DiscordCalls,
  place: string,
  root: string,
  name: string,
): Promise<string> => {
  const named = (title: string): Promise<unknown> =>
    calls
      .call("POST", `/channels/${place}/messages/${root}/threads`, {
        body: { name: title, ...ARCHIVED_AFTER },
      })
      .catch((error: unknown) => {
        if (!isThreadThere(error)) throw error;
        return { id: root };
      });
  return idIn(await threadTitle(name, named));
};

/** Calls again with a plain title if Discord or a rule of the server refuses the first one (WD5). */
export const threadTitle = (name: string, call: (title: string) => Promise<unknown>): Promise<unknown> =>
  call(name).catch((error: unknown) => {
    if (!isTitleRefused(error) || name === PLAIN_TITLE) throw error;
    return call(PLAIN_TITLE);
  });

const PLAIN_TITLE = "Parley";

/** Seen by those who are added to it, by whoever they invite and by moderators. */
export const startPrivateThread = async (
  calls: DiscordCalls,
  place: string,
  name: string,
): Promise<string> => {
  const named = (title: string): Promise<unknown> => {
    const body = { name: title, type: ChannelType.PrivateThread, ...ARCHIVED_AFTER };
    return calls.call("POST", `/channels/${place}/threads`, { body });
  };
  return idIn(await threadTitle(name, named));
};

/** A person who has left the server, or whose account is gone, is skipped. */
export const addToThread = async (calls: DiscordCalls, thread: string, person: string): Promise<void> => {
  try {
    await calls.call("PUT", `/channels/${thread}/thread-members/${person}`);
  } catch (error) {
    if (!isUnknownMember(error)) throw error;
  }
};

/** The thread that hangs on a message is there; a direct channel is one as it is. */
export const openThread = async (calls: DiscordCalls, place: string, root: string): Promise<void> => {
  if (root === place || (await calls.call("GET", `/channels/${root}`).catch(() => null)) !== null) return;
  const first = starter.parse(await calls.call("GET", `/channels/${place}/messages/${root}`));
  await startThread(calls, place, root, nameOfStarter(first));
};
