/** What is too large to be sent at once goes in parts, one in memory at a time. */

import { text } from "node:stream/consumers";
import type { Done, WriteFailure } from "../../ports/host.ts";
import type { Bytes } from "../../ports/store.ts";
import { type Elements, elementsOf } from "./elements.ts";
import type { Answer, Request } from "./requests.ts";
import type { Setback } from "./setback.ts";

type Piece = Uint8Array<ArrayBuffer>;

/** Pieces of that size, the last one excepted. */
export const inPieces = async function* (bytes: Bytes, size: number): AsyncGenerator<Piece, void> {
  let held: Uint8Array[] = [];
  let count = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.byteLength; ) {
      const part = chunk.subarray(at, at + size - count);
      held.push(part);
      count += part.byteLength;
      at += part.byteLength;
      if (count < size) continue;
      yield Buffer.concat(held);
      held = [];
      count = 0;
    }
  }
  if (count > 0) yield Buffer.concat(held);
};

/** All of it, or nothing, under a name that was never used: what came of a failed try is removed as far as the store can be reached. */
export const putParts = async (
  request: Request,
  name: string,
  pieces: AsyncIterable<Piece>,
): Promise<Done> => {
  const begun = await request({ method: "POST", name, query: { uploads: "" } }, readXml);
  if (begun.kind !== "read") return unexpected(begun);
  const [uploadId = ""] = begun.elements("UploadId");
  const query = { uploadId };
  let isWhole = false;
  try {
    const tags: string[] = [];
    for await (const body of pieces) {
      const partNumber = String(tags.length + 1);
      const sent = await request({ method: "PUT", name, query: { ...query, partNumber }, body }, tagOf);
      if (sent.kind !== "tag") return unexpected(sent);
      tags.push(sent.tag);
    }
    const body = new TextEncoder().encode(listOf(tags));
    const ended = await request({ method: "POST", name, query, body }, readXml);
    // Where the answer of a try was lost, the next one finds no upload any more.
    const there = ended.kind === "missing" ? await request({ method: "HEAD", name }, readXml) : ended;
    if (there.kind !== "read") return unexpected(there);
    isWhole = true;
    return { kind: "done" };
  } finally {
    if (!isWhole) await request({ method: "DELETE", name, query }, readXml);
  }
};

export const readXml = async ({
  bytes,
}: Answer): Promise<{ readonly kind: "read"; readonly elements: Elements } | Setback> => {
  const elements = elementsOf(await text(bytes));
  // Some answers begin before their outcome is known.
  const [code] = elements("Code");
  return code === undefined
    ? { kind: "read", elements }
    : {
        kind: "setback",
        passes: true,
        why: `the store gave up in the middle of an answer (${code}): try again later`,
      };
};

export const unexpected = (got: { readonly kind: "missing" } | WriteFailure): WriteFailure =>
  got.kind === "failed"
    ? got
    : { kind: "failed", code: "io", message: "the store lost what was being written: try again" };

const tagOf = async (answer: Answer) => {
  await readXml(answer);
  return { kind: "tag", tag: answer.headers.get("etag") ?? "" } as const;
};

const listOf = (tags: readonly string[]): string => {
  const parts = tags.map((tag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
  return `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
};
