/** What people, models and tools said, as it comes from disk. */

import * as z from "zod";
import { kind } from "./id.ts";
import { DELICATE, FILE_CHANGES } from "../../thread/draft.ts";
import { category } from "./words.ts";

const imageRef = z.object({
  hash: z.string(),
  mediaType: z.enum(["image/jpeg", "image/png", "image/gif", "image/webp"]),
});

/** Whose the parts of a message's text are: offsets in it. */
export const own = z.object({ brought: z.int().min(0), said: z.int().min(0) });

export const imageRefs = z.array(imageRef).readonly();

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

export const citations = z.array(citation).readonly();

const draft = z.object({
  tree: z.string(),
  base: z.string(),
  added: z.number(),
  removed: z.number(),
  diff: z.string(),
  isDiffCut: z.boolean(),
  delicate: z.array(z.object({ why: z.enum(DELICATE), path: z.string() })).readonly(),
  test: z
    .object({
      command: z.string(),
      status: z.number().nullable(),
      ended: z.string().exactOptional(),
      tail: z.string(),
      seconds: z.number(),
    })
    .nullable(),
  commits: z
    .array(
      z.object({
        title: z.string(),
        tree: z.string(),
        files: z.number().exactOptional(),
        added: z.number().exactOptional(),
        removed: z.number().exactOptional(),
      }),
    )
    .readonly(),
  moved: z
    .object({
      ref: z.string(),
      count: z.number(),
      titles: z.array(z.string()).readonly(),
      merges: z.boolean(),
    })
    .exactOptional(),
});

const owners = z.object({
  file: z.string().nullable(),
  sets: z
    .array(z.object({ owners: z.array(z.string()).readonly(), path: z.string(), files: z.number() }))
    .readonly(),
  unknown: z.array(z.string()).readonly(),
});

export const words = z.discriminatedUnion("kind", [
  kind("said", { text: z.string(), own: own.exactOptional(), images: imageRefs }),
  kind("answer", {
    blocks: z.array(answerBlock).readonly(),
    citations: citations.exactOptional(),
    links: z.array(z.string()).readonly().exactOptional(),
  }),
  kind("result", {
    text: z.string(),
    images: imageRefs,
    diff: z.string().nullable(),
    files: z.array(fileRef).readonly().exactOptional(),
  }),
  kind("comment", { text: z.string() }),
  kind("meta", { text: z.string() }),
  kind("dangers", {
    dangers: z
      .array(
        z.object({
          category,
          what: z.string(),
          why: z.string(),
          risk: z.string(),
          changes: z.array(z.string()).readonly(),
        }),
      )
      .readonly(),
  }),
  kind("proposal", {
    proposal: z.object({
      project: z.string(),
      facts: z.array(z.object({ name: z.string(), value: z.string() })).readonly(),
      files: z
        .array(
          z.object({
            path: z.string(),
            change: z.enum(FILE_CHANGES).exactOptional(),
            added: z.number().nullable(),
            removed: z.number().nullable(),
          }),
        )
        .readonly(),
      unlisted: z.number(),
      texts: z.array(z.object({ name: z.string(), text: z.string() })).readonly(),
      draft: draft.exactOptional(),
      owners: owners.exactOptional(),
    }),
  }),
  kind("gone", {}),
]);
