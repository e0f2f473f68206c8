/**
 * Messages that people send. The text is checked, and pictures and files are stored before the runtime receives the
 * message; each id is accepted once.
 */

import type { ConversationId } from "../../../machine/id.ts";
import type { ClaimKey, Message } from "../../../ports/claims.ts";
import { sayOrSendLater } from "../../../ports/later.ts";
import { PICTURE_BYTES } from "../../../ports/pictures.ts";
import type { ImageRef } from "../../../thread/prompt.ts";
import { jsonOf, megabytes } from "../../../../adapters/http/body.ts";
import type { About } from "../render/api-types.ts";
import { type ConsoleDeps, ofConversation } from "./handler.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import { badRequest, notFound, refusal, storeFailed, tooLarge } from "../../../../adapters/http/problem.ts";
import { attach, type AttachDeps, type AttachedFiles } from "../../../runtime/chat/attach.ts";
import { compose, NOTHING } from "../../../runtime/chat/compose.ts";
import { responseOfFailure } from "./refusal.ts";
import { type FileBody, type ImageBody, messageBody } from "./schema.ts";

/**
 * Sends `text` with `images` and `files`, or again the refused message whose `id` is `refused`. A second request with the
 * same `id` sends nothing. Responds with 409 while the agent is busy or waits for an answer, unless `PARLEY_BUSY`
 * adds the message to the turn or lets it wait; `as` says which.
 */
export const postMessage = ofConversation(async (deps, c, conversation) => {
  const { bot, operator: speaker, randomId } = deps;
  const body = await jsonOf(c.req.raw, messageBody);
  const { message: said } = await readMessage(deps, conversation, body);
  const id = body.id ?? randomId();
  const result = await sayOrSendLater(bot, { ...said, ...claimKey(conversation, id), conversation, speaker });
  if (result.kind === "later") return c.json({ accepted: true, as: result.as, id }, 202);
  if (result.kind === "duplicate") return c.json({ accepted: true, duplicate: true, id }, 202);
  if (result.kind !== "accepted") throw responseOfFailure(result);
  return c.json({ accepted: true, id }, 202);
});

export const LIMITS: Omit<About["limits"], "fileBytes"> = {
  messageBytes: 1_048_576,
  images: 8,
  imageBytes: PICTURE_BYTES,
};

interface SaidBody {
  readonly text?: string | undefined;
  readonly images?: readonly ImageBody[] | undefined;
  readonly files?: readonly FileBody[] | undefined;
  readonly refused?: string | undefined;
}

/**
 * Checks a message and stores its pictures, or reads a refused message with its claim. `conversation`: the
 * receiver; its pictures are decoded one at a time.
 */
export const readMessage = async (
  deps: TypedDeps & Pick<ConsoleDeps, "bot">,
  conversation: ConversationId,
  body: SaidBody,
): Promise<{ readonly message: Message; readonly claim?: ClaimKey }> => {
  if (body.refused === undefined) return { message: await readTypedMessage(deps, conversation, body) };
  const claim = claimKey(conversation, body.refused);
  const refused = deps.bot.refusedClaim(claim);
  if (refused === null)
    throw notFound("message", "That message has already been sent, or is no longer stored.");
  const { text, images, files, own, quoted } = refused;
  return { message: { text, images, ...omitUndefined({ files, own, quoted }) }, claim };
};

const claimKey = (conversation: ConversationId, id: string): ClaimKey => ({
  surface: "console",
  id: `${conversation}/${id}`,
});

type TypedDeps = Pick<ConsoleDeps, "takePicture" | "files" | "blobs" | "operator" | "randomId" | "clock">;

const readTypedMessage = async (
  deps: TypedDeps,
  conversation: ConversationId,
  { text = "", images = [], files = [] }: SaidBody,
): Promise<Message> => {
  const { messageBytes, images: most } = LIMITS;
  if (text.trim() === "" && images.length + files.length === 0) {
    throw badRequest("empty_message", "The message is empty. Write something, or attach a file.");
  }
  if (Buffer.byteLength(text) > messageBytes) {
    throw tooLarge(`The message is longer than ${messageBytes} bytes. Put it in a file of the repository.`);
  }
  if (images.length > most) throw tooLarge(`A message takes at most ${most} pictures.`);
  if (!text.isWellFormed()) throw badRequest("invalid_text", "The text holds half of a surrogate pair.");
  const stored: ImageRef[] = [];
  for (const image of images) stored.push(await store(conversation, image, deps.takePicture));
  if (files.length === 0) return { text, images: stored };
  const attached = await attachFiles(deps, conversation, files);
  return {
    ...compose(text, { ...NOTHING, files: attached.quotes }),
    images: [...stored, ...attached.images],
    files: attached.files,
    quoted: { messages: 0, previews: 0, ...attached.counts },
  };
};

const attachFiles = async (
  deps: TypedDeps,
  conversation: ConversationId,
  files: readonly FileBody[],
): Promise<AttachedFiles> => {
  const message = deps.randomId();
  const bytes = new Map(files.map(({ data }, no) => [`${message}/${no}`, decoded(data, "file")]));
  const fetch: AttachDeps["fetch"] = ({ id, size }, most) => {
    const found = bytes.get(id);
    return Promise.resolve(
      found === undefined || size > most
        ? { kind: "refused", why: `it is larger than ${megabytes(most)}` }
        : { kind: "bytes", bytes: found },
    );
  };
  const attachments = files.map(({ name, mediaType }, no) => {
    const id = `${message}/${no}`;
    const file = { id, name, mediaType, size: bytes.get(id)?.length ?? 0, url: "" };
    return { isOwn: true, author: deps.operator.name ?? "operator", at: deps.clock.now(), file };
  });
  const attached = await attach({ ...deps, fetch }, conversation, attachments);
  if (attached.files.length < files.length) throw badRequest("invalid_file", attached.own.join(" "));
  return attached;
};

const decoded = (data: string, what: "file" | "picture"): Buffer => {
  const bytes = Buffer.from(data, "base64");
  const isEmpty = what === "picture" && bytes.length === 0;
  if (isEmpty || bytes.toString("base64").length !== data.length)
    throw badRequest(
      what === "file" ? "invalid_file" : "invalid_image",
      `A ${what}'s data is base64 with its padding.`,
    );
  return bytes;
};

const store = async (
  conversation: ConversationId,
  image: ImageBody,
  takePicture: ConsoleDeps["takePicture"],
): Promise<ImageRef> => {
  if (!MEDIA_TYPES.includes(image.mediaType)) {
    throw badRequest("unsupported_image", `A picture's mediaType is one of ${MEDIA_TYPES.join(", ")}.`);
  }
  if (image.data.length > Math.ceil(LIMITS.imageBytes / 3) * 4) {
    throw tooLarge(`A picture has at most ${megabytes(LIMITS.imageBytes)}.`);
  }
  const taken = await takePicture(conversation, decoded(image.data, "picture"));
  switch (taken.kind) {
    case "taken":
      return taken.image;
    case "refused":
      throw badRequest("invalid_image", `A picture was not taken: ${taken.why}.`);
    case "unstored":
      throw storeFailed(taken.failure);
    case "failed":
      throw refusal({
        status: 503,
        code: "pictures_unavailable",
        message: `No picture was taken: ${taken.why}.`,
      });
  }
};

const MEDIA_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
