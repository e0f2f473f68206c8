/** `read_image`: shows the model a picture from the checkout, read through the sandbox and made to fit. */
import { z } from "zod";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { Pictures } from "../../ports/pictures.ts";
import type { Blobs } from "../../ports/store.ts";
import { insideWorkdir } from "../paths.ts";
import type { FindCallPlace } from "../call-place.ts";
import { inDraft } from "../drafts/where.ts";
import { defineTool, failure, success, textField, type Tool } from "../tool.ts";

/** Bytes of the file. */
const MAX_FILE = 5 * 1024 * 1024;

export const createReadImageTool = (
  sandbox: Pick<Sandbox, "get">,
  findPlace: FindCallPlace,
  pictures: Pictures,
  blobs: Pick<Blobs, "put">,
): Tool =>
  defineTool({
    name: "read_image",
    description:
      "Look at a picture in the working directory: PNG, JPEG, GIF (its first frame) or WebP, up to 5 MB. It is scaled down to 1568 pixels on its longer side.",
    schema: z.object({
      path: textField.describe("The picture's path, relative to the working directory."),
      where: inDraft,
    }),
    tooLarge: "A path is much shorter.",
    run: async ({ path, where }, call) => {
      const place = await findPlace(call, where);
      const file = insideWorkdir(place.policy.cwd, path);
      const got = await sandbox.get(place.policy, file.path, MAX_FILE);
      if (got.kind === "error") {
        return failure(
          `Failed to read image: ${got.code === "too_large" ? "it is larger than 5 MB" : got.message}`,
        );
      }
      const decoded = await pictures.decode(call.conversation.id, got.bytes, { signal: call.signal });
      if (decoded.kind === "aborted") return failure("[reading cancelled]");
      if (decoded.kind !== "picture") return failure(`Failed to read image: ${decoded.message}`);
      const stored = await blobs.put(decoded.bytes);
      if (stored.kind === "failed") return failure(`Failed to store image: ${stored.message}`);
      const image = { hash: stored.hash, mediaType: decoded.mediaType };
      return { ...success(`Picture ${file.relative}`), images: [image] };
    },
  });
