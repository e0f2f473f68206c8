/** Each file of a message is stored, and named to the model. Pictures are also shown; the beginning of a text is also quoted. */

import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { ConversationId } from "../../machine/id.ts";
import type { QuotedContent } from "../../machine/vocabulary.ts";
import type { AttachedFile, ImageRef } from "../../thread/prompt.ts";
import type { Quote, SharedFile } from "../../ports/chat.ts";
import type { Fetched } from "../../ports/chat-platform.ts";
import type { FileRules } from "../../ports/files.ts";
import type { TakePicture } from "../../ports/pictures.ts";
import type { Blobs } from "../../ports/store.ts";
import { showAll } from "../../text/invisible.ts";
import { createSlots } from "../live/slots.ts";

const MOST_FILES = 20;
const MOST_PICTURES = 8;
/** Bytes of all texts of a message that are quoted. */
const QUOTED = 64 * 1_024;
/** Bytes of all files of a conversation. */
const MOST_BYTES = 512 * 1_048_576;
const PICTURE = /^image\/(?!svg\+xml)/;
const PICTURE_NAME = /\.(png|jpe?g|gif|webp|hei[cf]|avif|tiff?|bmp|jxl)$/i;
const UNTYPED: readonly string[] = ["", "application/octet-stream", "binary/octet-stream"];

export interface AttachDeps {
  readonly files: FileRules;
  readonly takePicture: TakePicture;
  readonly blobs: Pick<Blobs, "put">;
  /** `most`: in bytes. */
  fetch(file: SharedFile, most: number): Promise<Fetched>;
}

export interface AttachedFiles {
  readonly images: readonly ImageRef[];
  readonly files: readonly AttachedFile[];
  /** Path, type, size and sender of each file, and the quoted text. */
  readonly quotes: readonly Quote[];
  readonly remarks: readonly string[];
  /** Remarks about files of the message itself. */
  readonly own: readonly string[];
  readonly counts: Pick<QuotedContent, "files" | "pictures" | "own">;
}

export interface Attachment {
  /** False for a file of an earlier message. */
  readonly isOwn: boolean;
  readonly file: SharedFile;
  readonly author: string;
  readonly at: number;
}

interface Taken {
  readonly one: Attachment;
  readonly file: AttachedFile;
  readonly image: ImageRef | null;
  /** Beginning of the text; null if the file holds no text. */
  readonly head: Uint8Array | null;
}

interface Outcome {
  readonly taken: Taken | null;
  readonly remarks: readonly Remark[];
}

interface Remark {
  readonly remark: string;
  readonly isOwn: boolean;
}

/** Limits this host's downloads, for all conversations. */
const downloads = createSlots(4);
const NEVER = new AbortController().signal;

/** `attachments`: sorted by importance. A file that occurs several times is read once. */
export const attach = async (
  deps: AttachDeps,
  conversation: ConversationId,
  attachments: readonly Attachment[],
): Promise<AttachedFiles> => {
  const seen = new Set<string>();
  const once = attachments.filter(({ file: { id } }) => !seen.has(id) && seen.add(id));
  const served = once.filter(({ file }) => file.withheld === undefined);
  const kept = served.slice(0, MOST_FILES);
  const pictures = kept.filter(isPicture).slice(0, MOST_PICTURES);
  let room = deps.files.attached(conversation).reduce((left, { size }) => left - size, MOST_BYTES);

  const take = async (one: Attachment): Promise<Outcome> => {
    const fetched = await read(deps, one.file);
    if (fetched.kind === "refused") return refused(one, fetched.why);
    const { bytes } = fetched;
    room -= bytes.length;
    if (room < 0) return refused(one, "the files of this conversation may have 512 MB in total");
    const stored = await deps.blobs.put(bytes);
    if (stored.kind === "failed") return refused(one, stored.message);
    const { hash } = stored;
    const shown = pictures.includes(one) ? await show(one, bytes) : NOT_SHOWN;
    const file = { hash, name: nameOf(one.file, hash), size: bytes.length };
    return {
      taken: {
        one,
        file,
        image: shown.image,
        head: shown.image === null && isText(bytes) ? bytes.subarray(0, QUOTED) : null,
      },
      remarks: shown.remarks,
    };
  };

  const show = async (one: Attachment, bytes: Buffer) => {
    const taken = await deps.takePicture(conversation, bytes);
    if (taken.kind === "taken") return { image: taken.image, remarks: [] };
    const why = taken.kind === "unstored" ? taken.failure.message : taken.why;
    const said = `${named(one.file)} cannot be shown as a picture: ${why}.`;
    return { image: null, remarks: [{ remark: said, isOwn: one.isOwn }] };
  };

  const outcomes = await Promise.all(
    kept.map(async (one) => {
      const release = await downloads.take(NEVER);
      try {
        return await take(one);
      } finally {
        release?.();
      }
    }),
  );
  const taken = outcomes.flatMap((one) => one.taken ?? []);
  const remarks = [
    ...outcomes.flatMap((one) => one.remarks),
    ...once.flatMap((one) => (one.file.withheld === undefined ? [] : [remark(one, one.file.withheld)])),
    ...leftOut(served.slice(MOST_FILES)),
  ];
  return {
    images: taken.flatMap(({ image }) => image ?? []),
    files: taken.map(({ file }) => file),
    quotes: quotesOf(taken, deps.files.directory(conversation)),
    remarks: remarks.map((one) => one.remark),
    own: remarks.flatMap((one) => (one.isOwn ? [one.remark] : [])),
    counts: countsOf(taken),
  };
};

const countsOf = (taken: readonly Taken[]): AttachedFiles["counts"] => {
  const others = taken.filter(({ one: { isOwn, file } }) => !isOwn || file.author !== undefined);
  const pictures = others.filter(({ image }) => image !== null).length;
  const own = taken.length - others.length;
  return { files: others.length - pictures, pictures, ...(own === 0 ? {} : { own }) };
};

const NOT_SHOWN = { image: null, remarks: [] };

const refused = (one: Attachment, why: string): Outcome => ({ taken: null, remarks: [remark(one, why)] });

const read = async (deps: AttachDeps, file: SharedFile): Promise<Fetched> =>
  file.text === undefined
    ? await deps.fetch(file, deps.files.bytes)
    : { kind: "bytes", bytes: Buffer.from(file.text) };

const isPicture = ({ file: { mediaType, name } }: Attachment): boolean =>
  PICTURE.test(mediaType) || (UNTYPED.includes(mediaType) && PICTURE_NAME.test(name));

const isText = (bytes: Buffer): boolean => bytes.length > 0 && isUtf8(bytes) && !bytes.includes(0);

/** Bytes of a name on Linux. */
const NAME_BYTES = 255;

/**
 * Name of the copy. The hash in front separates equal names, and no name can start with a dot or a dash. Only letters, digits,
 * dots, dashes and underscores remain: nothing that a shell reads, and nothing that hides or turns other characters.
 */
const nameOf = ({ id, name, text }: SharedFile, hash: string): string => {
  const prefix = createHash("sha256").update(`${id}/${hash}`).digest("hex").slice(0, 10);
  // The name must stay as it is in the quote that names the file.
  const shown = showAll((text === undefined ? name : `${name}.txt`).normalize("NFC"));
  const plain = shown.replaceAll(/(?:[^\p{L}\p{N}\p{M}._-]|\p{DI})+/gu, "_");
  const [extension = ""] = /\.[A-Za-z0-9]{1,12}$/.exec(plain) ?? [];
  const room = NAME_BYTES - Buffer.byteLength(`${prefix}-${extension}`);
  const stem = Buffer.from(plain.slice(0, plain.length - extension.length)).subarray(0, room);
  return `${prefix}-${new TextDecoder().decode(stem, { stream: true })}${extension}`;
};

/** Short texts are quoted whole, so that one long text takes only the rest of the limit. */
const quotesOf = (taken: readonly Taken[], directory: string): readonly Quote[] => {
  let room = QUOTED;
  const shown = new Map<Taken, Uint8Array>();
  for (const one of taken.toSorted((a, b) => (a.head?.length ?? 0) - (b.head?.length ?? 0))) {
    const part = one.head?.subarray(0, room) ?? new Uint8Array();
    room -= part.length;
    shown.set(one, part);
  }
  return taken.map((one) => {
    const { file, author, at } = one.one;
    const { name, size } = one.file;
    const quoted = shown.get(one) ?? new Uint8Array();
    const facts = [file.mediaType, sizeOf(size), ...(one.image === null ? [] : ["shown as a picture"])];
    const text = new TextDecoder().decode(quoted, { stream: true });
    const isWhole = one.head === null || quoted.length === size;
    return {
      author: file.author ?? author,
      text: [
        `${directory}/${name} (${facts.join(", ")})`,
        ...(text === "" ? [] : [text]),
        ...(isWhole ? [] : [`[${sizeOf(size - quoted.length)} left out: read the file]`]),
      ].join("\n"),
      at,
    };
  });
};

const sizeOf = (bytes: number): string =>
  bytes < 1_024
    ? `${bytes} bytes`
    : bytes < 1_048_576
      ? `${Math.round(bytes / 1_024)} KB`
      : `${(bytes / 1_048_576).toFixed(1)} MB`;

const leftOut = (all: readonly Attachment[]): readonly Remark[] =>
  all.length === 0
    ? []
    : [
        {
          remark: `${all.length} more files are attached and were left out: a message takes ${MOST_FILES}.`,
          isOwn: all.some(({ isOwn }) => isOwn),
        },
      ];

const remark = ({ file, isOwn }: Attachment, why: string): Remark => ({
  remark: `${named(file)} could not be taken: ${why}.`,
  isOwn,
});

/** File names are untrusted text: one short line, without characters that could start another. */
const named = ({ name }: SharedFile): string =>
  `The file "${name.replaceAll(/[^\p{L}\p{N}\p{M} ._-]/gu, "_").slice(0, 80)}"`;
