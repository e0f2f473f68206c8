/** Requirements of an application at Discord, for setup and for doctor. Pure. */

import { PermissionFlagsBits as Bits } from "discord-api-types/v10";

/** Required permissions. If one is missing, a feature of Parley fails. */
export const NEEDED = {
  ViewChannel: "see the channels that it works in",
  SendMessages: "answer in channels and direct messages",
  SendMessagesInThreads: "answer in threads and forum posts",
  CreatePublicThreads: "open a thread for each question",
  CreatePrivateThreads: "/ask with private:True",
  ReadMessageHistory: "read earlier messages of a thread",
  EmbedLinks: "display embedded content in answers",
  AttachFiles: "attach diffs and long output",
} as const satisfies Readonly<Partial<Record<keyof typeof Bits, string>>>;

/** Permissions that the person who invites the bot may untick. */
const USEFUL = {
  ViewAuditLog: "end the turn of a timed out or kicked member at once",
  ManageThreads: "let Solved close forum posts and set the tag Solved",
} as const satisfies Readonly<Partial<Record<keyof typeof Bits, string>>>;

export const INTENTS_TO_SWITCH_ON = ["Message Content Intent"] as const;

export const permissionsInteger = (): string =>
  String([...names(NEEDED), ...names(USEFUL)].reduce((all, name) => all | Bits[name], 0n));

export const missingPermissions = (held: string): readonly string[] => {
  const bits = BigInt(held);
  return (bits & Bits.Administrator) !== 0n ? [] : names(NEEDED).filter((name) => (bits & Bits[name]) === 0n);
};

export const inviteUrl = (application: string): string =>
  `https://discord.com/oauth2/authorize?client_id=${application}&scope=bot%20applications.commands&permissions=${permissionsInteger()}`;

/** Decodes the application's id from the start of the bot's token; null if the token has a different form. */
export const applicationOf = (token: string): string | null => {
  const id = Buffer.from(token.split(".")[0] ?? "", "base64").toString("utf8");
  return /^\d{15,25}$/.test(id) ? id : null;
};

export const discordManifest = (application: string | null): string =>
  [
    `1. At https://discord.com/developers/applications${application === null ? " create an application" : `/${application}`}, under Bot:`,
    "   - Reset Token, and store the token as DISCORD_TOKEN",
    ...INTENTS_TO_SWITCH_ON.map((intent) => `   - Privileged Gateway Intents: switch on ${intent}`),
    "2. Invite the bot:",
    `   ${inviteUrl(application ?? "APPLICATION_ID")}`,
    ...(application === null
      ? [
          "   (replace APPLICATION_ID by the id of the application, or run this command again with DISCORD_TOKEN set)",
        ]
      : []),
    `   permissions=${permissionsInteger()} are:`,
    ...Object.entries(NEEDED).map(([name, why]) => `   - ${spaced(name)}: ${why}`),
    ...Object.entries(USEFUL).map(([name, why]) => `   - ${spaced(name)} (optional): ${why}`),
    "3. Start Parley, and in a channel or forum: /parley repo owner/name",
  ].join("\n");

/** Formats a permission in Discord's spelling: `Send Messages In Threads`. */
export const spaced = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");

const names = <Name extends keyof typeof Bits>(of: Readonly<Record<Name, string>>): readonly Name[] => {
  const isName = (name: string): name is Name => Object.hasOwn(of, name);
  return Object.keys(of).filter(isName);
};
