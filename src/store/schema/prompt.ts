/** Schemas of the words of people, models and tools. */

import * as z from "zod";
import { kind, list } from "./id.ts";
import { DELICATE, FILE_CHANGES } from "../../thread/draft.ts";
import { category } from "./words.ts";

const imageRef = z.object({
  hash: z.string(),
  mediaType: z.enum(["image/jpeg", "image/png", "image/gif", "image/webp"]),
});

/** Authors of the parts of a message's text, as offsets in it. */
export const own = z.object({ brought: z.int().min(0), said: z.int().min(0) });

export const imageRefs = list(imageRef);

const fileRef = z.object({
  hash: z.string(),
  name: z.string(),
  title: z.string().nullable(),
  mediaType: z.string(),
  size: z.number(),
});

/** JSON has no undefined: a value that was undefined has no key on disk and is read as null. */
const anything = z
  .unknown()
  .optional()
  .transform((value): unknown => value ?? null);

export const answerBlock = z.discriminatedUnion("kind", [
  kind("text", { text: z.string() }),
  kind("toolUse", { id: z.string(), name: z.string(), input: anything }),
  kind("opaque", { raw: anything }),
]);

export const citation = z.object({
  path: z.string(),
  from: z.number(),
  to: z.number(),
  quote: z.string().exactOptional(),
  status: z.enum(["found", "changed", "missing", "unread"]),
  file: z.string().nullable(),
  blob: z.string().exactOptional(),
  at: z.string().exactOptional(),
  now: z
    .discriminatedUnion("kind", [
      kind("moved", { file: z.string(), from: z.number(), to: z.number(), commit: z.string() }),
      kind("changed", { commit: z.string().nullable() }),
    ])
    .exactOptional(),
});

export const citations = list(citation);

const draft = z.object({
  tree: z.string(),
  base: z.string(),
  added: z.number(),
  removed: z.number(),
  diff: z.string(),
  isDiffCut: z.boolean(),
  delicate: list(z.object({ why: z.enum(DELICATE), path: z.string() })),
  test: z
    .object({
      command: z.string(),
      status: z.number().nullable(),
      ended: z.string().exactOptional(),
      tail: z.string(),
      seconds: z.number(),
    })
    .nullable(),
  commits: list(
    z.object({
      title: z.string(),
      tree: z.string(),
      files: z.number().exactOptional(),
      added: z.number().exactOptional(),
      removed: z.number().exactOptional(),
    }),
  ),
  moved: z
    .object({
      ref: z.string(),
      count: z.number(),
      titles: list(z.string()),
      merges: z.boolean(),
      again: z.literal(true).exactOptional(),
    })
    .exactOptional(),
});

const owners = z.object({
  file: z.string().nullable(),
  sets: list(z.object({ owners: list(z.string()), path: z.string(), files: z.number() })),
  unknown: list(z.string()),
});

export const words = z.discriminatedUnion("kind", [
  kind("said", { text: z.string(), own: own.exactOptional(), images: imageRefs }),
  kind("answer", {
    blocks: list(answerBlock),
    citations: citations.exactOptional(),
    links: list(z.string()).exactOptional(),
  }),
  kind("result", {
    text: z.string(),
    images: imageRefs,
    diff: z.string().nullable(),
    files: list(fileRef).exactOptional(),
  }),
  kind("comment", { text: z.string() }),
  kind("meta", { text: z.string() }),
  kind("dangers", {
    dangers: list(
      z.object({
        category,
        what: z.string(),
        why: z.string(),
        risk: z.string(),
        changes: list(z.string()),
      }),
    ),
  }),
  kind("proposal", {
    proposal: z.object({
      project: z.string(),
      facts: list(z.object({ name: z.string(), value: z.string() })),
      files: list(
        z.object({
          path: z.string(),
          from: z.string().exactOptional(),
          change: z.enum(FILE_CHANGES).exactOptional(),
          added: z.number().nullable(),
          removed: z.number().nullable(),
        }),
      ),
      unlisted: z.number(),
      texts: list(z.object({ name: z.string(), text: z.string() })),
      draft: draft.exactOptional(),
      owners: owners.exactOptional(),
    }),
  }),
  kind("gone", {}),
]);
