/** The sandbox reads the file, follows no link out and does not block on special files. */
import { posix } from "node:path";
import { z } from "zod";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { Blobs } from "../../ports/store.ts";
import type { Redactor } from "../../text/secrets/known-values.ts";
import { insideWorkdir } from "../paths.ts";
import { mediaTypeOf } from "../pictures/header.ts";
import type { FindCallPlace } from "../resolve-execution.ts";
import { inDraft } from "../drafts/where.ts";
import { defineTool, failure, success, textField, type Tool } from "../tool.ts";

/** Bytes of the file. Every platform accepts this size (Discord's 10 MB apply to the whole message). */
const MAX_FILE = 8 * 1024 * 1024;
const MAX_TITLE = 200;

const DESCRIPTION = `Share a file of the working directory with the people in the thread, as a download.

- Use it for what people need as a file: a report, a log, a picture, data, a diff that you wrote to a file. Do not use it for what an answer can say, or for a file that they have in the repository anyway: name its path instead.
- One regular file of 1 byte to 8 MB for each call. The bytes are shared as they are now.
- Everybody who can read the thread can read the file.
- Works in Restricted mode too: nothing is changed.`;

export const createAttachTool = (
  sandbox: Pick<Sandbox, "get">,
  findPlace: FindCallPlace,
  blobs: Pick<Blobs, "put">,
  redactor: Redactor,
): Tool =>
  defineTool({
    name: "attach_file",
    description: DESCRIPTION,
    origin: "checkout",
    look: { past: "Shared {object}", now: "sharing {object}", fields: ["path"], icon: "file", face: "code" },
    judge: null,
    schema: z.object({
      path: textField.describe("The file's path, relative to the working directory."),
      title: textField.max(MAX_TITLE).optional().describe("What the file is, in a few words, for people."),
      where: inDraft,
    }),
    tooLarge: "A path is much shorter.",
    run: async ({ path, title, where }, call) => {
      const place = await findPlace(call, where);
      const file = insideWorkdir(place.policy.cwd, path);
      const got = await sandbox.get(place.policy, file.path, MAX_FILE);
      if (call.signal.aborted) return failure("[attaching cancelled]");
      if (got.kind === "error") {
        return failure(
          `Failed to attach file: ${got.code === "too_large" ? "it is larger than 8 MB. Attach a part of it, or compress it." : got.message}`,
        );
      }
      const { bytes } = got;
      if (bytes.length === 0) return failure("Failed to attach file: it is empty");
      if (redactor.holds(bytes)) {
        return failure(
          "Failed to attach file: it holds a key or token of the host, which must not be shared",
        );
      }
      const stored = await blobs.put(bytes);
      if (stored.kind === "failed") return failure(`Failed to store file: ${stored.message}`);
      const name = shownName(posix.basename(file.path));
      const mediaType = mediaTypeOf(name, bytes);
      const shared = { hash: stored.hash, name, title: title ?? null, mediaType, size: bytes.length };
      return {
        ...success(`Shared with the thread: ${file.relative} (${bytes.length} bytes)`),
        files: [shared],
      };
    },
  });

/** The repository controls the name: it must stay on one line and contain no character that reverses or hides others. */
const shownName = (name: string): string => name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "_").slice(-120);
