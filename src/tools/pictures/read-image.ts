import { z } from "zod";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { TakePicture } from "../../ports/pictures.ts";
import { readablePath } from "../paths.ts";
import type { FindCallPlace } from "../resolve-execution.ts";
import { inDraft } from "../drafts/where.ts";
import { defineTool, failure, success, textField, type Tool } from "../tool.ts";

const MAX_FILE = 5 * 1024 * 1024;

export const createReadImageTool = (
  sandbox: Pick<Sandbox, "get">,
  findPlace: FindCallPlace,
  takePicture: TakePicture,
): Tool =>
  defineTool({
    name: "read_image",
    description:
      "Look at a picture in the working directory, or at one that a message brought: PNG, JPEG, GIF (its first frame) or WebP, up to 5 MB. It is scaled down to 1568 pixels on its longer side.",
    origin: "checkout",
    look: {
      past: "Looked at {object}",
      now: "looking at {object}",
      fields: ["path"],
      icon: "eye",
      face: "code",
    },
    judge: "read",
    schema: z.object({
      path: textField.describe(
        "The picture's path, relative to the working directory, or as a message names it.",
      ),
      where: inDraft,
    }),
    tooLarge: "A path is much shorter.",
    run: async ({ path, where }, call) => {
      const place = await findPlace(call, where);
      const file = readablePath(place.policy, path);
      const got = await sandbox.get(place.policy, file.path, MAX_FILE);
      if (got.kind === "error") {
        return failure(
          `Failed to read image: ${got.code === "too_large" ? "it is larger than 5 MB" : got.message}`,
        );
      }
      const taken = await takePicture(call.conversation.id, got.bytes, call.signal);
      if (call.signal.aborted && taken.kind !== "taken") return failure("[reading cancelled]");
      if (taken.kind === "unstored") return failure(`Failed to store image: ${taken.failure.message}`);
      if (taken.kind !== "taken") return failure(`Failed to read image: ${taken.why}`);
      return { ...success(`Picture ${file.relative}`), images: [taken.image] };
    },
  });
