/** What the API asks of pictures (hazard M3): base64 that decodes, the type it says, size, number, dimensions. */

import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageParam,
} from "@anthropic-ai/sdk/resources/messages/messages";
import sharp from "sharp";
import type { FakeModel } from "./models.ts";
import { blocksOf } from "./prefix.ts";
import { invalidRequest, type Problem } from "./problem.ts";

const maxBase64 = 5 * 1024 * 1024;
const maxSide = 8000;
const maxSideOfMany = 2000;
const many = 20;

interface Picture {
  readonly path: string;
  readonly image: ImageBlockParam;
}

export const imageProblem = async (
  messages: readonly MessageParam[],
  model: FakeModel,
): Promise<Problem | undefined> => {
  const pictures = messages.flatMap((message, at) =>
    blocksOf(message).flatMap((block, index) => picturesOf(block, `messages.${at}.content.${index}`)),
  );
  const limit = model.window > 200_000 ? 600 : 100;
  if (pictures.length > limit) {
    return invalidRequest(`messages: too many images: ${pictures.length}, the limit is ${limit}`);
  }
  const side = pictures.length > many ? maxSideOfMany : maxSide;
  const looked = await Promise.all(pictures.map((picture) => look(picture, side)));
  const unusable = looked.find((one) => one.kind === "unusable");
  if (unusable !== undefined) {
    return invalidRequest(unusable.message);
  }
  const paths = looked.flatMap((one) => (one.kind === "tooWide" ? [one.path] : []));
  return paths.length === 0
    ? undefined
    : invalidRequest(`${paths[0]}: image dimensions exceed the limit of ${side} pixels`, {
        error_code: "image_dimensions_too_large",
        max_side_length_pixels: side,
        paths,
      });
};

const picturesOf = (block: ContentBlockParam, path: string): readonly Picture[] => {
  if (block.type === "image") {
    return [{ path, image: block }];
  }
  if (block.type !== "tool_result" || !Array.isArray(block.content)) {
    return [];
  }
  return block.content.flatMap((inner, index) =>
    inner.type === "image" ? [{ path: `${path}.content.${index}`, image: inner }] : [],
  );
};

type Look =
  | { readonly kind: "fine" }
  | { readonly kind: "unusable"; readonly message: string }
  | { readonly kind: "tooWide"; readonly path: string };

const look = async ({ path, image }: Picture, side: number): Promise<Look> => {
  if (image.source.type !== "base64") {
    return { kind: "fine" };
  }
  const { data, media_type } = image.source;
  const unusable = (why: string): Look => ({
    kind: "unusable",
    message: `${path}.image.source.base64: ${why}`,
  });
  if (data.length > maxBase64) {
    return unusable(`image exceeds 5 MB maximum: ${data.length} bytes > ${maxBase64} bytes`);
  }
  if (data === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) {
    return unusable("invalid base64 data");
  }
  const found = await sharp(Buffer.from(data, "base64"))
    .metadata()
    .catch(() => undefined);
  if (found === undefined) {
    return unusable("could not process image");
  }
  if (`image/${found.format}` !== media_type) {
    return unusable(`the image was declared ${media_type}, but appears to be image/${found.format}`);
  }
  return Math.max(found.width, found.height) > side ? { kind: "tooWide", path } : { kind: "fine" };
};
