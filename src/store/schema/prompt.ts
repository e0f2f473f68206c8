import * as z from "zod";
import { kindSchema, listSchema, personIdSchema } from "./id.ts";
import { DELICATE, FILE_CHANGES } from "../../thread/draft.ts";
import { categorySchema, untrustedSchema } from "./vocabulary.ts";

const imageRef = z.object({
  hash: z.string(),
  mediaType: z.enum(["image/jpeg", "image/png", "image/gif", "image/webp"]),
});

/** Authors of the parts of a message's text, as offsets in it. */
export const ownPartSchema = z.object({
  brought: z.int().min(0),
  pages: z.int().min(0).exactOptional(),
  said: z.int().min(0),
});

export const imageRefsSchema = listSchema(imageRef);

export const attachedFilesSchema = listSchema(
  z.object({ hash: z.string(), name: z.string(), size: z.number() }),
);

const fileRef = z.object({
  hash: z.string(),
  name: z.string(),
  title: z.string().nullable(),
  mediaType: z.string(),
  size: z.number(),
});

const noteOfferSchema = z.object({
  id: z.string(),
  text: z.string(),
  isAboutRepo: z.boolean(),
  read: untrustedSchema.exactOptional(),
  state: z.enum(["open", "remembered", "refused"]),
  by: personIdSchema.exactOptional(),
  number: z.number().exactOptional(),
});

/** JSON has no undefined: a value that was undefined has no key on disk and is read as null. */
const anything = z
  .unknown()
  .optional()
  .transform((value): unknown => value ?? null);

export const answerBlockSchema = z.discriminatedUnion("kind", [
  kindSchema("text", { text: z.string() }),
  kindSchema("toolUse", { id: z.string(), name: z.string(), input: anything }),
  kindSchema("opaque", { raw: anything }),
]);

export const citationSchema = z.object({
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
      kindSchema("moved", { file: z.string(), from: z.number(), to: z.number(), commit: z.string() }),
      kindSchema("changed", { commit: z.string().nullable() }),
    ])
    .exactOptional(),
});

export const citationsSchema = listSchema(citationSchema);

const draft = z.object({
  tree: z.string(),
  base: z.string(),
  added: z.number(),
  removed: z.number(),
  diff: z.string(),
  isDiffCut: z.boolean(),
  delicate: listSchema(z.object({ why: z.enum(DELICATE), path: z.string() })),
  test: z
    .object({
      command: z.string(),
      status: z.number().nullable(),
      ended: z.string().exactOptional(),
      tail: z.string(),
      seconds: z.number(),
    })
    .nullable(),
  commits: listSchema(
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
      titles: listSchema(z.string()),
      merges: z.boolean(),
      again: z.literal(true).exactOptional(),
    })
    .exactOptional(),
});

const owners = z.object({
  file: z.string().nullable(),
  sets: listSchema(z.object({ owners: listSchema(z.string()), path: z.string(), files: z.number() })),
  unknown: listSchema(z.string()),
});

const review = z.object({
  comments: listSchema(
    z.object({
      path: z.string(),
      first: z.number(),
      last: z.number(),
      side: z.enum(["new", "old"]),
      code: z.string(),
      text: z.string(),
    }),
  ),
  mayRequest: z.boolean(),
});

export const wordsSchema = z.discriminatedUnion("kind", [
  kindSchema("said", {
    text: z.string(),
    own: ownPartSchema.exactOptional(),
    images: imageRefsSchema,
    files: attachedFilesSchema.exactOptional(),
  }),
  kindSchema("answer", {
    blocks: listSchema(answerBlockSchema),
    citations: citationsSchema.exactOptional(),
    links: listSchema(z.string()).exactOptional(),
  }),
  kindSchema("result", {
    text: z.string(),
    images: imageRefsSchema,
    diff: z.string().nullable(),
    files: listSchema(fileRef).exactOptional(),
    note: noteOfferSchema.exactOptional(),
  }),
  kindSchema("comment", { text: z.string() }),
  kindSchema("meta", { text: z.string() }),
  kindSchema("dangers", {
    dangers: listSchema(
      z.object({
        category: categorySchema,
        what: z.string(),
        why: z.string(),
        risk: z.string(),
        changes: listSchema(z.string()),
      }),
    ),
  }),
  kindSchema("proposal", {
    proposal: z.object({
      project: z.string(),
      facts: listSchema(z.object({ name: z.string(), value: z.string() })),
      files: listSchema(
        z.object({
          path: z.string(),
          from: z.string().exactOptional(),
          change: z.enum(FILE_CHANGES).exactOptional(),
          added: z.number().nullable(),
          removed: z.number().nullable(),
        }),
      ),
      unlisted: z.number(),
      texts: listSchema(z.object({ name: z.string(), text: z.string() })),
      draft: draft.exactOptional(),
      owners: owners.exactOptional(),
      review: review.exactOptional(),
      similar: listSchema(
        z.object({
          name: z.string(),
          title: z.string(),
          state: z.string(),
          url: z.string(),
          isSame: z.boolean(),
        }),
      ).exactOptional(),
    }),
  }),
  kindSchema("gone", {}),
]);
