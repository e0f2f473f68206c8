/** Rejected files get a remark for the model and for their sender. */

import { isUtf8 } from "node:buffer";
import type { ConversationId } from "../../machine/id.ts";
import type { ImageRef } from "../../thread/prompt.ts";
import type { Quote, SharedFile } from "../../ports/chat.ts";
import { createTakePicture, PICTURE_BYTES } from "../../ports/pictures.ts";
import { createSlots } from "../live/slots.ts";
import type { ChatDeps } from "./people/deps.ts";

const MOST_PICTURES = 8;
const MOST_TEXTS = 4;
const TEXT_BYTES = 64 * 1_024;
/** SVG drawings count as text (`TEXT`). The decoder detects the format from the bytes and names unsupported formats. */
const PICTURE = /^image\/(?!svg\+xml)/;
const PICTURE_NAME = /\.(png|jpe?g|gif|webp|hei[cf]|avif|tiff?|bmp|jxl)$/i;
const UNTYPED: readonly string[] = ["", "application/octet-stream", "binary/octet-stream"];
const TEXT =
  /^(text\/|application\/((x-)?(yaml|sh|javascript|typescript|sql|toml|ndjson|patch)|json|xml)$|[^;]*\+(json|xml)$)/;
/** Platforms report many of these with generic types such as application/octet-stream. */
const TEXT_NAME =
  /\.(log|out|err|txt|md|rst|diff|patch|jsonl?|ya?ml|toml|ini|cfg|conf|env|svg|properties|csv|tsv|xml|html?|css|scss|sql|sh|bash|zsh|ps1|py|rb|[cm]?[jt]sx?|go|rs|java|kts?|swift|c|cc|cpp|h|hpp|cs|php|pl|lua|scala|exs?|erl|hs|clj|vue|svelte|proto|tf|gradle)$/i;

export interface AttachedFiles {
  readonly images: readonly ImageRef[];
  readonly quotes: readonly Quote[];
  readonly remarks: readonly string[];
  /** Remarks about files of the message itself. */
  readonly own: readonly string[];
}

export interface Attachment {
  /** False for a file of an earlier message. */
  readonly isOwn: boolean;
  readonly file: SharedFile;
  readonly author: string;
  readonly at: number;
}

type One =
  | { readonly kind: "image"; readonly image: ImageRef }
  | { readonly kind: "quote"; readonly quote: Quote }
  | Remark;

interface Remark {
  readonly kind: "remark";
  readonly remark: string;
  readonly isOwn: boolean;
}

/** Limits this host's downloads of pictures, for all conversations. */
const downloads = createSlots(4);
const NEVER = new AbortController().signal;

/** `attachments`: sorted by importance. A file that occurs several times is read once. */
export const attach = async (
  deps: Pick<ChatDeps, "platform" | "pictures" | "blobs">,
  conversation: ConversationId,
  attachments: readonly Attachment[],
): Promise<AttachedFiles> => {
  const seen = new Set<string>();
  const once = attachments.filter(({ file: { id } }) => !seen.has(id) && seen.add(id));
  const isPicture = ({ file: { mediaType, name } }: Attachment): boolean =>
    PICTURE.test(mediaType) || (UNTYPED.includes(mediaType) && PICTURE_NAME.test(name));
  const isText = (one: Attachment): boolean =>
    !isPicture(one) && (TEXT.test(one.file.mediaType) || TEXT_NAME.test(one.file.name));
  const withheld = once.flatMap((one) =>
    one.file.withheld === undefined ? [] : [remark(one, one.file.withheld)],
  );
  const served = once.filter(({ file }) => file.withheld === undefined);
  const texts = served.filter((one) => one.file.text !== undefined || isText(one));
  const pictures = served.filter((one) => !texts.includes(one) && isPicture(one));
  const others = served.filter((one) => !texts.includes(one) && !isPicture(one));
  const all = await Promise.all([
    ...pictures.slice(0, MOST_PICTURES).map((one) => picture(deps, conversation, one)),
    ...texts.slice(0, MOST_TEXTS).map((one) => text(deps, one)),
  ]);
  const remarks = [
    ...all.flatMap((one) => (one.kind === "remark" ? [one] : [])),
    ...withheld,
    ...tooMany(pictures, MOST_PICTURES, "pictures"),
    ...tooMany(texts, MOST_TEXTS, "files"),
    ...others.map(({ file, isOwn }): Remark => {
      const sentence = `${named(file)} is attached; files of its type cannot be read here.`;
      return { kind: "remark", remark: sentence, isOwn };
    }),
  ];
  return {
    images: all.flatMap((one) => (one.kind === "image" ? [one.image] : [])),
    quotes: all.flatMap((one) => (one.kind === "quote" ? [one.quote] : [])),
    remarks: remarks.map((one) => one.remark),
    own: remarks.flatMap((one) => (one.isOwn ? [one.remark] : [])),
  };
};

const picture = async (
  deps: Pick<ChatDeps, "platform" | "pictures" | "blobs">,
  conversation: ConversationId,
  one: Attachment,
): Promise<One> => {
  const release = await downloads.take(NEVER);
  try {
    const fetched = await deps.platform.fetch(one.file, PICTURE_BYTES);
    if (fetched.kind === "refused") return remark(one, fetched.why);
    const taken = await createTakePicture(deps)(conversation, fetched.bytes);
    if (taken.kind === "unstored") return remark(one, taken.failure.message);
    return taken.kind === "taken" ? { kind: "image", image: taken.image } : remark(one, taken.why);
  } finally {
    release?.();
  }
};

const text = async ({ platform }: Pick<ChatDeps, "platform">, one: Attachment): Promise<One> => {
  const { file, author, at } = one;
  const by = `${file.name} of ${file.author ?? author}`;
  if (file.text !== undefined) return { kind: "quote", quote: { author: by, text: begun(file.text), at } };
  const fetched = await platform.fetch(file, TEXT_BYTES);
  if (fetched.kind === "refused") return remark(one, fetched.why);
  const { bytes } = fetched;
  if (!isUtf8(bytes) || bytes.includes(0)) return remark(one, "it holds no text");
  return { kind: "quote", quote: { author: by, text: bytes.toString("utf8"), at } };
};

const begun = (whole: string): string =>
  whole.length <= TEXT_BYTES ? whole : `${whole.slice(0, TEXT_BYTES).toWellFormed()}\n[the rest is left out]`;

const tooMany = (all: readonly Attachment[], most: number, what: string): readonly Remark[] => {
  const left = all.slice(most);
  if (left.length === 0) return [];
  const sentence = `${left.length} more ${what} are attached and were left out: a message takes ${most}.`;
  return [{ kind: "remark", remark: sentence, isOwn: left.some(({ isOwn }) => isOwn) }];
};

const remark = ({ file, isOwn }: Attachment, why: string): Remark => ({
  kind: "remark",
  remark: `${named(file)} could not be taken: ${why}.`,
  isOwn,
});

/** File names are untrusted text: one short line, without characters that could start another. */
const named = ({ name }: SharedFile): string =>
  `The file "${name.replaceAll(/[^\p{L}\p{N}\p{M} ._-]/gu, "_").slice(0, 80)}"`;
