/** Stored next to the draft; commands never see this record. */

import { join } from "node:path";
import { z } from "zod";
import { DELICATE, type DraftResult, FILE_CHANGES } from "../../thread/draft.ts";
import { draftOf } from "./policy.ts";
import { jsonFile } from "../disk/durable.ts";

const id = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/);
const count = z.int().min(0);

const draft = z.object({
  version: z.literal(1),
  base: id,
  /** Tree of the conversation's private checkout when it was copied; null if there was none. */
  from: id.nullable(),
  files: count,
  /** The draft holds only differences from the shared tree. */
  layered: z.literal(true).exactOptional(),
  opened: z.number(),
  /** Time when the draft was last opened or sealed. */
  at: z.number(),
});

export type Draft = Readonly<z.infer<typeof draft>>;

const lines = count.nullable();

/** Defaults are for records of an earlier version, which stored only the data that a click is compared with. */
const sealed: z.ZodType<DraftResult> = z.object({
  tree: id,
  base: id,
  commits: z.array(
    z.object({
      title: z.string(),
      tree: id,
      files: count.exactOptional(),
      added: count.exactOptional(),
      removed: count.exactOptional(),
    }),
  ),
  files: z
    .array(
      z.object({
        path: z.string(),
        from: z.string().exactOptional(),
        change: z.enum(FILE_CHANGES),
        added: lines,
        removed: lines,
      }),
    )
    .default([]),
  filesInAll: count.default(0),
  added: count.default(0),
  removed: count.default(0),
  diff: z.string().default(""),
  isDiffCut: z.boolean().default(false),
  delicate: z.array(z.object({ why: z.enum(DELICATE), path: z.string() })).default([]),
  test: z
    .object({
      command: z.string(),
      status: z.number().nullable(),
      ended: z.string().exactOptional(),
      tail: z.string(),
      seconds: z.number(),
    })
    .nullable()
    .default(null),
  owners: z
    .object({
      file: z.string().nullable(),
      sets: z.array(z.object({ owners: z.array(z.string()), path: z.string(), files: count })),
      unknown: z.array(z.string()),
    })
    .exactOptional(),
  moved: z
    .object({ ref: z.string(), count, titles: z.array(z.string()), merges: z.boolean() })
    .exactOptional(),
});

const applied = z.object({ tree: id, base: id, branch: z.string(), commit: id });

export type AppliedRecord = Readonly<z.infer<typeof applied>>;

export const DRAFT_FILE = "draft.json";
export const SEALED_FILE = "sealed.json";

/** Returns null if no draft is open, or if the file does not match this version's format. */
export const { read: readDraft, write: writeDraft } = jsonFile(draft, (thread) =>
  join(draftOf(thread), DRAFT_FILE),
);

/** The sealed and the applied record outlive the draft. */
export const { read: readSealed, write: writeSealed } = jsonFile(sealed, (thread) =>
  join(thread, SEALED_FILE),
);

/** The last applied result, so that a repeated request gets the same answer. */
export const { read: readApplied, write: writeApplied } = jsonFile(applied, (thread) =>
  join(thread, "applied.json"),
);
