/** Downloads files that people sent, with the bot's token. The token is sent only to Slack's own hosts. */

import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import { createDownload, isServedBy } from "../../post/download.ts";

/** Slack serves a canvas as HTML. */
const CANVAS = "application/vnd.slack-docs";
const SLACK = /^([a-z0-9-]+\.)*(slack\.com|slack-files\.com|slack-edge\.com)$/;

/** `apiUrl`: SLACK_API_URL, whose host serves files too. */
export const createSlackDownload = (token: string, apiUrl: string | undefined): ChatPlatform["fetch"] =>
  createDownload({
    service: "Slack",
    isOurs: (url) => isSlackUrl(url, apiUrl),
    headers: { authorization: `Bearer ${token}` },
    // If the app must not read the file, Slack redirects to its sign-in page or returns the page with status 200. The page
    // differs from the file in type or size.
    why: ({ status, headers }, { mediaType, size }, read) => {
      const isPage = headers.get("content-type")?.startsWith("text/html") === true;
      const length = read ?? Number(headers.get("content-length") ?? size);
      const isFile = mediaType === CANVAS || (mediaType === "text/html" && length === size);
      if ((status >= 300 && status < 400) || (status === 200 && isPage && !isFile))
        return "Slack does not serve it to the app (scope files:read)";
      return status === 404 ? "Slack no longer has it" : null;
    },
  });

/** Whether the address is Slack's own and may receive a token and message text. */
export const isSlackUrl = (url: string, apiUrl: string | undefined): boolean =>
  isServedBy(SLACK, apiUrl, url);
