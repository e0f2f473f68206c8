/** Files that people sent. Discord serves them to anybody who has the address: no token goes along, and no redirect is followed. */

import type { Fetched, SharedFile } from "../../src/runtime/ports-chat.ts";

const PATIENCE = 20_000;
const DISCORD = /^(cdn\.discordapp\.com|media\.discordapp\.net)$/;

/** `apiUrl`: DISCORD_API_URL, whose host serves files too. */
export const createDownload =
  (apiUrl: string | undefined) =>
  async (file: SharedFile, most: number): Promise<Fetched> => {
    if (file.size > most) return tooLarge(most);
    if (!isDiscord(file.url, apiUrl)) return { kind: "refused", why: "it is not kept by Discord" };
    try {
      const answer = await fetch(file.url, { redirect: "error", signal: AbortSignal.timeout(PATIENCE) });
      return answer.ok
        ? await take(answer, most)
        : { kind: "refused", why: `Discord answered ${answer.status}` };
    } catch (error) {
      return {
        kind: "refused",
        why: error instanceof Error ? `it did not arrive (${error.name})` : "it did not arrive",
      };
    }
  };

/** Reads no more than `most`, whatever the length says. */
const take = async (answer: Response, most: number): Promise<Fetched> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > most) return tooLarge(most);
    chunks.push(chunk);
  }
  return { kind: "bytes", bytes: Buffer.concat(chunks) };
};

const tooLarge = (most: number): Fetched => ({
  kind: "refused",
  why: `it is larger than ${Math.round(most / 1_024)} KB`,
});

const isDiscord = (url: string, apiUrl: string | undefined): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, origin } = new URL(url);
  return (
    (protocol === "https:" && DISCORD.test(hostname)) ||
    (apiUrl !== undefined && new URL(apiUrl).origin === origin)
  );
};
