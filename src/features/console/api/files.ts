import { safeName, sharedFile } from "../../../../adapters/text/files.ts";
import { notFound } from "../../../../adapters/http/problem.ts";
import type { ImageRef } from "../../../thread/prompt.ts";
import { type Handler, ofConversation } from "./handler.ts";

/**
 * Serves a file that the agent shared. Only files in a post of that conversation are served, always as a
 * download: a browser must not open them, whatever type they claim.
 */
export const download = ofConversation(async ({ bot, blobs }, c, id) => {
  const key = `file/${c.req.param("message")}/${c.req.param("index")}`;
  const row = bot.post(id, key);
  const body = row?.post.body;
  const file = body?.kind === "file" ? sharedFile(body, bot.words([body.message])) : null;
  const bytes = file === null ? null : await blobs.get(file.hash);
  if (file === null || bytes === null) throw notFound("file", "There is no such file any more.");
  const headers = {
    "content-type": "application/octet-stream",
    "content-disposition": disposition(file.name),
    "content-security-policy": "sandbox; default-src 'none'",
    "cache-control": "private, no-store",
  };
  return new Response(new Uint8Array(bytes), { headers });
});

/** Serves a picture that a person sent, if its bytes are really those of a picture. */
export const servePicture: Handler = async ({ blobs }, c) => {
  const bytes = await blobs.get(c.req.param("hash") ?? "");
  const type = bytes === null ? null : pictureType(bytes);
  if (bytes === null || type === null)
    throw notFound("image", "There is no such picture: its message may be erased.");
  const headers = { "content-type": type, "cache-control": "private, max-age=31536000, immutable" };
  return new Response(new Uint8Array(bytes), { headers });
};

/**
 * Header with the file name in the form of RFC 8187, and an ASCII name for clients that cannot read this
 * form.
 */
const disposition = (name: string): string => {
  const extended = encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, escapeByte);
  return `attachment; filename="${safeName(name)}"; filename*=UTF-8''${extended}`;
};

const escapeByte = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * Type of a picture by its first bytes, among the types that models accept. The decoder
 * (src/ports/pictures.ts) wrote these bytes.
 */
const pictureType = (bytes: Uint8Array): ImageRef["mediaType"] | null => {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("GIF8")) return "image/gif";
  return head.startsWith("RIFF") && head.endsWith("WEBP") ? "image/webp" : null;
};
