/**
 * Files that people sent, fetched with the bot's token. The token goes to Slack's own hosts and nowhere else; without the
 * scope Slack answers 200 with its sign-in page, which is told from a file.
 */

import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import { createDownload, isServedBy } from "../../post/download.ts";

const SLACK = /^([a-z0-9-]+\.)*(slack\.com|slack-files\.com|slack-edge\.com)$/;

/** `apiUrl`: SLACK_API_URL, whose host serves files too. */
export const createSlackDownload = (token: string, apiUrl: string | undefined): ChatPlatform["fetch"] =>
  createDownload({
    service: "Slack",
    isOurs: (url) => isSlackUrl(url, apiUrl),
    headers: { authorization: `Bearer ${token}` },
    // Slack answers with its sign-in page, and 200, if the app may not read the file. The page has another size than the file.
    refusal: (headers, bytes, { mediaType, size }) =>
      headers.get("content-type")?.startsWith("text/html") === true &&
      !(mediaType === "text/html" && bytes.length === size)
        ? "Slack does not serve it to the app (scope files:read)"
        : null,
  });

/** An address of Slack's own, which may be trusted with a token and with words. */
export const isSlackUrl = (url: string, apiUrl: string | undefined): boolean =>
  isServedBy(SLACK, apiUrl, url);
