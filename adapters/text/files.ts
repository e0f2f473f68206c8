/** Names and content of files with messages, equal on every surface. Pure. */

import type { MessageId } from "../../src/machine/id.ts";
import type { FilePart } from "../../src/ports/surface.ts";
import type { PostBody } from "../../src/thread/post.ts";
import type { FileRef, StoredContent } from "../../src/thread/prompt.ts";
import { decimal } from "../../src/thread/durations.ts";
import { english, type Say } from "../../src/i18n/say.ts";

const MAX_NAME = 100;
const MAX_EXTENSION = 12;

export const sharedFile = (
  { message, index }: Pick<PostBody & { readonly kind: "file" }, "message" | "index">,
  words: ReadonlyMap<MessageId, StoredContent>,
): FileRef | null => {
  const result = words.get(message);
  return result?.kind === "result" ? (result.files?.[index] ?? null) : null;
};

export const filePart = ({ name, title, mediaType, hash }: FileRef): FilePart => ({
  name: safeName(name),
  ...(title === null ? {} : { title }),
  mediaType,
  source: { kind: "blob", hash },
});

export const sizeText = (bytes: number, say: Say = english): string => {
  if (bytes < 1_024) return bytes === 1 ? say("1 byte") : say("{count} bytes", { count: bytes });
  const kilobytes = Math.round(bytes / 1_024);
  return kilobytes < 1_024 ? `${kilobytes} KB` : `${decimal(bytes / 1_048_576, say.language)} MB`;
};

/** Returns a name that every platform accepts unchanged, with its extension. */
export const safeName = (name: string): string => {
  const safe = name
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll(/[^A-Za-z0-9._-]+/g, "_")
    .replace(/^[._-]+/, "");
  const dot = safe.lastIndexOf(".");
  const extension = dot > 0 && safe.length - dot <= MAX_EXTENSION ? safe.slice(dot) : "";
  const stem = safe.slice(0, safe.length - extension.length).slice(0, MAX_NAME - extension.length);
  return stem === "" ? `file${extension}` : `${stem}${extension}`;
};
