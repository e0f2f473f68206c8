/**
 * Files that people sent, fetched with the bot's token. The token goes to Slack's own hosts and nowhere else, and a
 * redirect is not followed; without the scope Slack answers 200 with its sign-in page, which is told from a file.
 */

import type { ChatPlatform, Receive } from "../../../src/ports/chat.ts";

const SLACK = /^([a-z0-9-]+\.)*(slack\.com|slack-files\.com|slack-edge\.com)$/;

export interface DownloadDeps {
  readonly token: string;
  /** SLACK_API_URL: its host serves files too. */
  readonly apiUrl: string | undefined;
  readonly receive: Receive;
}

export const createDownload =
  ({ token, apiUrl, receive }: DownloadDeps): ChatPlatform["fetch"] =>
  (file, most) =>
    receive(file, most, {
      service: "Slack",
      isOurs: isSlackUrl(file.url, apiUrl),
      headers: { authorization: `Bearer ${token}` },
      refusal: (headers) =>
        headers.get("content-type")?.startsWith("text/html") === true
          ? "Slack does not serve it to the app (scope files:read)"
          : null,
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
