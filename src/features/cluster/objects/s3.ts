/** Objects in a bucket of Amazon S3 or a compatible store. Loaded only if a bucket is configured. */

import { randomUUID } from "node:crypto";
import { openAsBlob } from "node:fs";
import { mkdir, open, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { DONE, type Done, type WriteFailure } from "../../../ports/host.ts";
import type { Objects } from "../../../ports/store.ts";
import { elementsOf } from "./elements.ts";
import { folderFailureOf } from "../../../store/base/folder.ts";
import type { S3Settings } from "./bucket.ts";
import { type BucketAnswer, createRequest, type Patience, OBJECT_PATIENCE } from "./requests.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";

/** `aside`: directory with enough room for the largest object. */
export const createS3 = (
  settings: S3Settings,
  aside: string,
  patience: Patience = OBJECT_PATIENCE,
): Objects => {
  const request = createRequest(settings, patience);

  const list = async (prefix: string): ReturnType<Objects["list"]> => {
    const names: string[] = [];
    let more: string | undefined;
    do {
      const query = omitUndefined({
        "list-type": "2",
        prefix: settings.prefix + prefix,
        "continuation-token": more,
      });
      const page = await request({ method: "GET", query }, readXml);
      if (page.kind !== "read") return unexpected(page);
      names.push(...page.elements("Key").map((key) => key.slice(settings.prefix.length)));
      [more] = page.elements("NextContinuationToken");
    } while (more !== undefined);
    return { kind: "names", names };
  };

  const removeOne = async (name: string): Promise<Done> => {
    const gone = await request({ method: "DELETE", name }, readXml);
    return gone.kind === "failed" ? gone : DONE;
  };

  return {
    /**
     * Uploads from an unlinked temporary file. A store requires the size before the first byte, and each try starts from the
     * beginning. Because the file has no name, nothing remains if the process ends.
     */
    put: async (name, bytes) => {
      try {
        await mkdir(aside, { recursive: true, mode: 0o700 });
        const path = join(aside, `object-${randomUUID()}`);
        await using file = await open(path, "wx+", 0o600);
        await unlink(path);
        await writeFile(file, bytes);
        const body = await openAsBlob(`/proc/self/fd/${file.fd}`);
        const put = await request({ method: "PUT", name, body }, readXml);
        return put.kind === "read" ? DONE : unexpected(put);
      } catch (error) {
        return folderFailureOf(error);
      }
    },
    get: (name, take) =>
      request({ method: "GET", name }, async ({ bytes }) => {
        await take(bytes);
        return { kind: "got" } as const;
      }),
    list,
    remove: async (name) => {
      if (!name.endsWith("/")) return removeOne(name);
      const listed = await list(name);
      if (listed.kind === "failed") return listed;
      const gone = await Promise.all(listed.names.map(removeOne));
      return gone.find((one) => one.kind === "failed") ?? DONE;
    },
  };
};

const readXml = async ({ bytes }: BucketAnswer) =>
  ({ kind: "read", elements: elementsOf(await text(bytes)) }) as const;

const unexpected = (got: { readonly kind: "missing" } | WriteFailure): WriteFailure =>
  got.kind === "failed"
    ? got
    : { kind: "failed", code: "io", message: "the store lost the object during the write: try again" };
