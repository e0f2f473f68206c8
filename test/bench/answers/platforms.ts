/** The two platforms, as far as people who ask and read need them; both keep their real limits. */

import { createFakeDiscord } from "../../fakes/discord/fake.ts";
import { createFakeSlack } from "../../fakes/slack/fake.ts";
import { FILE } from "./seen.ts";

interface Request {
  readonly method: string;
  readonly path: string;
  readonly ended: Promise<{ readonly status: number }>;
}

export interface Platform {
  /** What a bot needs to connect. */
  readonly at: object;
  /** Ids of the channels. */
  readonly channels: readonly string[];
  /** Asks in a channel; answers the thread that a bot answers in. */
  ask(who: number, channel: number, text: string): string;
  /** Every request so far. */
  requests(): readonly Request[];
  /** Whether a request posts or changes a message, and not a status, a person or a channel. */
  writes(request: Request): boolean;
  close(): Promise<void>;
}

/** A message of a bot has changed: its thread, itself and all that it shows, null where it is gone. */
export type OnShown = (thread: string, message: string, text: string | null) => void;

const PEOPLE = Array.from({ length: 10 }, (_, no) => ({ name: `person${no}`, role: "member" as const }));
const numbered = (count: number) => Array.from({ length: count }, (_, no) => ({ name: `channel${no}` }));
const personOf = (who: number): string => PEOPLE[who % PEOPLE.length]?.name ?? "";

export const openSlack = async (count: number, onShown: OnShown): Promise<Platform> => {
  const fake = await createFakeSlack({ channels: numbered(count), users: PEOPLE });
  const { apiUrl, botToken, appToken, world } = fake;
  const { put, remove } = world;
  const tell = ({ threadTs, ts, botId }: Parameters<typeof put>[0], text: string | null): void => {
    if (botId !== undefined) onShown(threadTs ?? ts, ts, text);
  };
  world.put = (message) => {
    put(message);
    const { text, blocks, attachments } = message;
    tell(message, blocks === undefined ? text : JSON.stringify([blocks, attachments]));
  };
  world.remove = (message) => {
    remove(message);
    tell(message, null);
  };
  return {
    at: { apiUrl, botToken, appToken },
    channels: [...world.channels.values()].filter(({ kind }) => kind === "channel").map(({ id }) => id),
    ask: (who, channel, text) =>
      fake.as(personOf(who)).say(`@parley ${text}`, { channel: `channel${channel}` }).ts,
    requests: () => fake.calls.map(({ exchange }) => exchange),
    writes: ({ path }) => path.includes("/chat."),
    close: fake.close,
  };
};

export const openDiscord = async (count: number, onShown: OnShown): Promise<Platform> => {
  const members = PEOPLE.map(({ name }) => ({ name }));
  const fake = await createFakeDiscord({
    guilds: [{ name: "Community", channels: numbered(count), members }],
  });
  const { apiUrl, token, world } = fake;
  const { put, remove } = world;
  world.put = (message) => {
    put(message);
    const { author, channel, id, content, components, embeds, attachments } = message;
    if (author !== world.app.bot) return;
    onShown(channel, id, JSON.stringify([content, components, embeds]));
    for (const file of attachments) onShown(channel, `${id}${FILE}`, file.bytes.toString());
  };
  world.remove = (message) => {
    remove(message);
    if (message.author === world.app.bot) onShown(message.channel, message.id, null);
  };
  return {
    at: { apiUrl, token, application: world.app.id },
    channels: numbered(count).map(({ name }) => world.channelNamed(name).id),
    ask: (who, channel, text) => fake.as(personOf(who)).say(`channel${channel}`, `@parley ${text}`).id,
    requests: () => fake.calls.map(({ exchange }) => exchange),
    writes: ({ method, path }) => method !== "GET" && path.includes("/messages"),
    close: fake.close,
  };
};
