/** What people send: the text judged and the pictures stored, before the runtime hears of it. */

import type { ConversationId } from "../../../src/machine/id.ts";
import type { ImageRef } from "../../../src/thread/prompt.ts";
import { bad, megabytes, type Parsed, tooLarge } from "./body.ts";
import type { ConsoleDeps, Limits } from "../deps.ts";
import { problem, storageProblem } from "./problem.ts";
import type { ImageBody } from "./schema.ts";

export interface SaidBody {
  readonly text: string;
  readonly images?: readonly ImageBody[] | undefined;
}

export interface Said {
  readonly text: string;
  readonly images: readonly ImageRef[];
}

/** `conversation` is the one that the words are for: its pictures are decoded one at a time. */
export type ReadSaid = (conversation: ConversationId, body: SaidBody) => Promise<Parsed<Said>>;

export const createReadSaid =
  (parts: Pick<ConsoleDeps, "limits" | "takePicture">): ReadSaid =>
  async (conversation, { text, images = [] }) => {
    const refused = unusable({ text, images }, parts.limits);
    if (refused !== null) return refused;
    const stored: ImageRef[] = [];
    for (const image of images) {
      const ref = await store(conversation, image, parts);
      if (ref.kind === "bad") return ref;
      stored.push(ref.value);
    }
    return { kind: "ok", value: { text, images: stored } };
  };

const unusable = (
  { text, images }: { readonly text: string; readonly images: readonly ImageBody[] },
  limits: Limits,
): Parsed<never> | null => {
  if (text.trim() === "" && images.length === 0) {
    return bad("empty_message", "The message is empty. Write something, or attach a picture.");
  }
  if (Buffer.byteLength(text) > limits.messageBytes) {
    return tooLarge(
      `The message is longer than ${limits.messageBytes} bytes. Put it in a file of the repository.`,
    );
  }
  if (images.length > limits.images) return tooLarge(`A message takes at most ${limits.images} pictures.`);
  return text.isWellFormed() ? null : bad("invalid_text", "The text holds half of a surrogate pair.");
};

const store = async (
  conversation: ConversationId,
  image: ImageBody,
  parts: Pick<ConsoleDeps, "limits" | "takePicture">,
): Promise<Parsed<ImageRef>> => {
  if (!MEDIA_TYPES.includes(image.mediaType)) {
    return bad("unsupported_image", `A picture's mediaType is one of ${MEDIA_TYPES.join(", ")}.`);
  }
  if (image.data.length > Math.ceil(parts.limits.imageBytes / 3) * 4) {
    return tooLarge(`A picture has at most ${megabytes(parts.limits.imageBytes)}.`);
  }
  const bytes = Buffer.from(image.data, "base64");
  if (bytes.length === 0 || bytes.toString("base64").length !== image.data.length) {
    return bad("invalid_image", "A picture's data is base64 with its padding.");
  }
  const taken = await parts.takePicture(conversation, bytes);
  switch (taken.kind) {
    case "taken":
      return { kind: "ok", value: taken.image };
    case "refused":
      return bad("invalid_image", `A picture was not taken: ${taken.why}.`);
    case "unstored":
      return { kind: "bad", response: storageProblem(taken.failure) };
    case "failed": {
      const message = `No picture was taken: ${taken.why}.`;
      return { kind: "bad", response: problem({ status: 503, code: "pictures_unavailable", message }) };
    }
  }
};

const MEDIA_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
