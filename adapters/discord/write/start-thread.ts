import { ChannelType } from "discord-api-types/v10";
import type { DiscordCalls } from "../api/calls.ts";
import { isThreadThere, isTitleRefused, isUnknownMember } from "../api/failure.ts";
import { idIn } from "./post-message.ts";
import { nameOfStarter, starter } from "./thread-name.ts";

/** Time without messages after which a thread leaves everybody's list. */
export const ARCHIVED_AFTER = { auto_archive_duration: 1_440 } as const;

/** Opens the thread on a message. The thread gets the message's id. Succeeds if the thread already exists. */
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

/** Repeats the call with a plain title if Discord or a rule of the server refuses the first one (WD5). */
export const threadTitle = (name: string, call: (title: string) => Promise<unknown>): Promise<unknown> =>
  call(name).catch((error: unknown) => {
    if (!isTitleRefused(error) || name === PLAIN_TITLE) throw error;
    return call(PLAIN_TITLE);
  });

const PLAIN_TITLE = "Parley";

/** Visible to added people, to people whom they invite, and to moderators. */
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

/** Skips a person who has left the server or whose account is deleted. */
export const addToThread = async (calls: DiscordCalls, thread: string, person: string): Promise<void> => {
  try {
    await calls.call("PUT", `/channels/${thread}/thread-members/${person}`);
  } catch (error) {
    if (!isUnknownMember(error)) throw error;
  }
};

/** Makes sure that the thread on a message exists. A direct channel needs none. */
export const openThread = async (calls: DiscordCalls, place: string, root: string): Promise<void> => {
  if (root === place || (await calls.call("GET", `/channels/${root}`).catch(() => null)) !== null) return;
  const first = starter.parse(await calls.call("GET", `/channels/${place}/messages/${root}`));
  await startThread(calls, place, root, nameOfStarter(first));
};
