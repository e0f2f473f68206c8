/** `connect` and `disconnect` change the account of the person who writes. Codes are shown to that person alone. */

import type { Person } from "../../../ports/chat-platform.ts";
import type { Label } from "../../../i18n/say.ts";
import type { ChatDeps, RequestingPerson } from "../../../runtime/chat/people/deps.ts";
import { storageText } from "../../../runtime/chat/people/reply-texts.ts";
import { surfacePersonId } from "../../../runtime/chat/people/rights.ts";
import { asInThread, type Command, defineCommand } from "../../../runtime/chat/commands/define-command.ts";
import { typedWord } from "../../../runtime/chat/commands/options.ts";
import type { ConnectClient } from "./client.ts";
import type { ForgePeople } from "./people.ts";

const FORGE = typedWord("forge", "github, gitlab, or the host of a forge", (typed) => {
  const word = typed.toLowerCase().replace(/[.!]$/, "");
  return /^(?:github|gitlab|[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?)$/.test(word) ? word : undefined;
});

export const connectCommand = (own: () => ForgePeople): Command =>
  defineCommand({
    words: ["connect"],
    options: [FORGE],
    read: (valueOf) => valueOf(FORGE),
    rights: "everybody",
    help: {
      does: "Connect your account of GitHub or GitLab, so that writes appear in your name",
      channel: "`/parley connect github` lets pull requests, issues and comments appear in your name",
      before: { thread: "instructions", channel: "instructions", menu: "instructions" },
    },
    slash: asInThread,
    run: ({ deps, asking, person }, forge) =>
      forge === null ? standing(own(), deps, person) : connect(own(), deps, { asking, person }, forge),
  });

export const disconnectCommand = (own: () => ForgePeople): Command =>
  defineCommand({
    words: ["disconnect"],
    options: [FORGE],
    read: (valueOf) => valueOf(FORGE),
    rights: "everybody",
    help: {
      does: "Remove the connection of your account of GitHub or GitLab",
      channel: { code: "`/parley disconnect`" },
      before: { thread: "instructions", channel: "instructions" },
    },
    slash: asInThread,
    run: ({ deps, person }, forge) => disconnect(own(), deps, person, forge),
  });

interface Asking {
  readonly asking: RequestingPerson;
  readonly person: Person;
}

const connect = async (
  own: ForgePeople,
  deps: ChatDeps,
  { asking, person }: Asking,
  forge: string,
): Promise<string> => {
  const { say, name, platform } = deps;
  const client = clientOf(own, forge);
  if (client === null) return standing(own, deps, person);
  if (!platform.isPrivate(asking)) return say(IN_PRIVATE);
  const { host } = client;
  const at = { surface: name, place: asking.place };
  const begun = await own.begin(surfacePersonId(name, person.id), at, client);
  switch (begun.kind) {
    case "code": {
      const { code, page, ends } = begun.code;
      const minutes = Math.max(1, Math.floor((ends - own.now()) / 60_000));
      return say(
        "Open {page} and enter the code `{code}` within {minutes} minutes. Give the code to nobody. I then write on {forge} in your name, and only after an approver's click.",
        { page, code, minutes, forge: host },
      );
    }
    case "refused":
      return say(
        "{forge} does not accept the app for connections ({why}). The operator should check `clientId` in the file that PARLEY_FORGES names.",
        { forge: host, why: begun.why },
      );
    case "unreached":
      return say("{forge} cannot be reached. Please try again in a moment.", { forge: host });
    case "unsealed":
      return say(
        "Tokens cannot be stored safely on this host. The operator finds the reason with `npm run doctor`.",
      );
    case "failed":
      return storageText(begun.message, say);
  }
};

const standing = ({ clients, account }: ForgePeople, { say, name }: ChatDeps, person: Person): string => {
  if (clients.length === 0) return say(NOWHERE);
  const id = surfacePersonId(name, person.id);
  const connected = clients.flatMap((client) => {
    const known = account(id, client.host);
    return known === null ? [] : [`${client.host} (${known.login})`];
  });
  const forges = clients.map(({ host }) => host).join(", ");
  return [
    connected.length === 0
      ? say(NOT_CONNECTED)
      : say("You are connected: {accounts}.", { accounts: connected.join(", ") }),
    say("Forges to connect: {forges}. Use `/parley connect NAME`.", { forges }),
  ].join(" ");
};

const disconnect = async (
  own: ForgePeople,
  { say, name }: ChatDeps,
  person: Person,
  forge: string | null,
): Promise<string> => {
  const { clients } = own;
  const called = clients.flatMap((client) =>
    forge !== null && isCalled(client, forge) ? [client.host] : [],
  );
  const removed = await own.disconnect(
    surfacePersonId(name, person.id),
    clients,
    (host) => forge === null || host === forge || called.includes(host),
  );
  if (removed === null) return storageText("the connection remains", say);
  if (removed.length === 0) return say(NOT_CONNECTED);
  const forges = removed.join(", ");
  const pages = clients.flatMap(({ host, kind, web }) =>
    kind === "github" && removed.includes(host) ? `${web}/settings/apps/authorizations` : [],
  );
  return [
    say("Disconnected from {forges}. Your tokens are deleted here, and I write in my own name again.", {
      forges,
    }),
    ...pages.map((page) => say("The app's authorization ends at {page}.", { page })),
  ].join(" ");
};

/** Null if several forges have the name, or none. */
const clientOf = ({ clients }: ForgePeople, forge: string): ConnectClient | null => {
  const those = clients.filter((client) => isCalled(client, forge));
  return those.length === 1
    ? (those[0] ?? null)
    : (those.find(({ host }) => host === `${forge}.com`) ?? null);
};

const isCalled = ({ kind, host }: ConnectClient, forge: string): boolean => kind === forge || host === forge;

const IN_PRIVATE: Label =
  "Other people can read this thread. Use `/parley connect` with the forge's name, so that only you see the reply.";
const NOWHERE: Label =
  "Nobody can connect an account here yet. The operator sets `clientId` in the file that PARLEY_FORGES names.";
const NOT_CONNECTED: Label = "You have not connected an account.";
