/** The download of files that the agent shared. */

import { safeName, sharedFile } from "../../text/files.ts";
import { ofConversation } from "./body.ts";
import { missing } from "./problem.ts";

/**
 * A file that the agent shared: only what a post of that conversation shows, and never as something that a browser would
 * open, whatever it says it is.
 */
export const download = ofConversation(async ({ bot, blobs }, c, id) => {
  const key = `file/${c.req.param("message")}/${c.req.param("index")}`;
  const row = bot.post(id, key);
  const body = row?.post.body;
  const file = body?.kind === "file" ? sharedFile(body, bot.words([body.message])) : null;
  const bytes = file === null ? null : await blobs.get(file.hash);
  if (file === null || bytes === null) throw missing("file", "There is no such file any more.");
  const headers = {
    "content-type": "application/octet-stream",
    "content-disposition": disposition(file.name),
    "content-security-policy": "sandbox; default-src 'none'",
    "cache-control": "private, no-store",
  };
  return new Response(new Uint8Array(bytes), { headers });
});

/** The name as it is for those who read RFC 8187, and one of ASCII for those who do not. */
const disposition = (name: string): string => {
  const extended = encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, escapeByte);
  return `attachment; filename="${safeName(name)}"; filename*=UTF-8''${extended}`;
};

const escapeByte = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
