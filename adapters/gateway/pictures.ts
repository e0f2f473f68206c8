/** Pictures in a message's content (BED-013). They come as data: URLs: this host fetches no address that a request names. */

import type { ConversationId } from "../../src/machine/id.ts";
import type { ImageRef } from "../../src/thread/prompt.ts";
import type { GatewayDeps } from "./deps.ts";
import { refusal } from "./failure.ts";

const MOST_PICTURES = 8;

/** All of them, in order; the first that cannot be taken ends the request. */
export const takePictures = async (
  deps: Pick<GatewayDeps, "takePicture">,
  session: string,
  conversation: ConversationId,
  urls: readonly string[],
): Promise<readonly ImageRef[]> => {
  const bad = (message: string) => refusal({ status: 400, code: "invalid_image", message }, session);
  const unavailable = (message: string) =>
    refusal({ status: 503, code: "pictures_unavailable", message }, session);
  if (urls.length > MOST_PICTURES) throw bad(`A message takes at most ${MOST_PICTURES} pictures.`);
  const images: ImageRef[] = [];
  for (const [index, url] of urls.entries()) {
    const name = urls.length === 1 ? "The picture" : `Picture ${index + 1}`;
    const bytes = bytesOf(url);
    if (typeof bytes === "string") throw bad(`${name} was not taken: ${bytes}`);
    const taken = await deps.takePicture(conversation, bytes);
    switch (taken.kind) {
      case "taken":
        images.push(taken.image);
        break;
      case "refused":
        throw bad(`${name} was not taken: ${taken.why}.`);
      case "failed":
        throw unavailable(`${name} was not taken: ${taken.why}.`);
      case "unstored":
        throw unavailable(taken.failure.message);
    }
  }
  return images;
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
