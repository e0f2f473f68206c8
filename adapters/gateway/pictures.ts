/** Pictures in a message's content (BED-013). They come as data: URLs: this host fetches no address that a request names. */

import type { ConversationId } from "../../src/machine/id.ts";
import type { ImageRef } from "../../src/thread/prompt.ts";
import type { Problem } from "./approval.ts";
import type { GatewayDeps } from "./deps.ts";

const MOST_PICTURES = 8;

export type Taken =
  | { readonly kind: "taken"; readonly images: readonly ImageRef[] }
  | { readonly kind: "bad"; readonly problem: Problem };

/** All of them, in order, or what is wrong with the first that cannot be taken. */
export const takePictures = async (
  deps: Pick<GatewayDeps, "takePicture">,
  conversation: ConversationId,
  urls: readonly string[],
): Promise<Taken> => {
  if (urls.length > MOST_PICTURES) return bad(`A message takes at most ${MOST_PICTURES} pictures.`);
  const images: ImageRef[] = [];
  for (const [index, url] of urls.entries()) {
    const name = urls.length === 1 ? "The picture" : `Picture ${index + 1}`;
    const bytes = bytesOf(url);
    if (typeof bytes === "string") return bad(`${name} was not taken: ${bytes}`);
    const taken = await deps.takePicture(conversation, bytes);
    switch (taken.kind) {
      case "taken":
        images.push(taken.image);
        break;
      case "refused":
        return bad(`${name} was not taken: ${taken.why}.`);
      case "failed":
        return { kind: "bad", problem: unavailable(`${name} was not taken: ${taken.why}.`) };
      case "unstored":
        return { kind: "bad", problem: unavailable(taken.failure.message) };
    }
  }
  return { kind: "taken", images };
};

/** Of a data: URL with base64; else what to do instead. */
const bytesOf = (url: string): Buffer | string => {
  const comma = url.slice(0, LONGEST_HEAD).indexOf(",");
  if (!/^data:/i.test(url))
    return "send it as a data: URL (data:image/png;base64,…). Addresses are not fetched.";
  if (comma < 0 || !/;base64$/i.test(url.slice(0, comma))) return "its data: URL has to be in base64.";
  const data = url.slice(comma + 1);
  const bytes = Buffer.from(data, "base64");
  return bytes.length > 0 && bytes.toString("base64") === data
    ? bytes
    : "its data is base64 with its padding and nothing else.";
};

/** UTF-16 code units before the comma. */
const LONGEST_HEAD = 200;

const bad = (message: string): Taken => ({
  kind: "bad",
  problem: { status: 400, type: "invalid_request_error", code: "invalid_image", message },
});

const unavailable = (message: string): Problem => ({
  status: 503,
  type: "server_error",
  code: "pictures_unavailable",
  message,
});
