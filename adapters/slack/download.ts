/**
 * Files that people sent, fetched with the bot's token. The token goes to Slack's own hosts and nowhere else, and a
 * redirect is not followed; without the scope Slack answers 200 with its sign-in page, which is told from a file.
 */

import type { Fetched, SharedFile } from "../../src/runtime/ports-chat.ts";

const PATIENCE = 20_000;
const SLACK = /^([a-z0-9-]+\.)*(slack\.com|slack-files\.com|slack-edge\.com)$/;

export interface DownloadDeps {
  readonly token: string;
  /** SLACK_API_URL: its host serves files too. */
  readonly apiUrl: string | undefined;
}

export const createDownload =
  ({ token, apiUrl }: DownloadDeps) =>
  async (file: SharedFile, most: number): Promise<Fetched> => {
    if (file.size > most) return tooLarge(most);
    if (!isSlackUrl(file.url, apiUrl)) return { kind: "refused", why: "it is not kept by Slack" };
    try {
      const answer = await fetch(file.url, {
        headers: { authorization: `Bearer ${token}` },
        redirect: "error",
        signal: AbortSignal.timeout(PATIENCE),
      });
      if (!answer.ok) return { kind: "refused", why: `Slack answered ${answer.status}` };
      if (answer.headers.get("content-type")?.startsWith("text/html") === true) {
        await answer.body?.cancel();
        return { kind: "refused", why: "Slack does not serve it to the app (scope files:read)" };
      }
      return await take(answer, most);
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

/** An address of Slack's own, which may be trusted with a token and with words. */
export const isSlackUrl = (url: string, apiUrl: string | undefined): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, origin } = new URL(url);
  return (
    (protocol === "https:" && SLACK.test(hostname)) ||
    (apiUrl !== undefined && new URL(apiUrl).origin === origin)
  );
};
