/** Files that people sent. Discord serves them to anybody who has the address: no token goes along, and no redirect is followed. */

import type { ChatPlatform, Receive } from "../../../src/ports/chat.ts";

const DISCORD = /^(cdn\.discordapp\.com|media\.discordapp\.net)$/;

/** `apiUrl`: DISCORD_API_URL, whose host serves files too. */
export const createDownload =
  (apiUrl: string | undefined, receive: Receive): ChatPlatform["fetch"] =>
  (file, most) =>
    receive(file, most, {
      service: "Discord",
      isOurs: isDiscord(file.url, apiUrl),
      headers: {},
      refusal: () => null,
    });

const isDiscord = (url: string, apiUrl: string | undefined): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, origin } = new URL(url);
  return (
    (protocol === "https:" && DISCORD.test(hostname)) ||
    (apiUrl !== undefined && new URL(apiUrl).origin === origin)
  );
};
